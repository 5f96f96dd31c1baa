/* SPDX-License-Identifier: MIT */
/* Commands by a hash table, keys in a list, and the choice of the largest. */
#include "model/layer_keys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/num.h"

enum { LEAST_TABLE = 64 };

void
layer_keys_init(struct layer_keys *keys, enum layers_by by)
{
    *keys = (struct layer_keys){.by = by};
}

void
layer_keys_done(struct layer_keys *keys)
{
    for (size_t i = 0; i < keys->names_count; i++)
        free(keys->names[i]);
    for (size_t i = 0; i < keys->labelled; i++)
        free(keys->labels[i]);
    free(keys->names);
    free(keys->table);
    free(keys->list);
    *keys = (struct layer_keys){0};
}

/* FNV-1a */
static size_t
hash_of(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return (size_t)(hash ^ hash >> 32);
}

/* The slot of name in the table, or an empty one for it. */
static size_t
place_of(const struct layer_keys *keys, const char *name)
{
    size_t at = hash_of(name) & (keys->table_size - 1);

    while (keys->table[at] != 0 &&
           strcmp(keys->names[keys->table[at] - 1], name) != 0)
        at = (at + 1) & (keys->table_size - 1);
    return at;
}

static int
grow_table(struct layer_keys *keys)
{
    size_t size = keys->table_size > 0 ? 2 * keys->table_size : LEAST_TABLE;
    size_t *table = calloc(size, sizeof(*table));

    if (table == NULL)
        return -ENOMEM;
    free(keys->table);
    keys->table = table;
    keys->table_size = size;
    for (size_t i = 0; i < keys->names_count; i++)
        keys->table[place_of(keys, keys->names[i])] = i + 1;
    return 0;
}

/* The index of a name in the list; adds a new name. */
static int
find_name(struct layer_keys *keys, const char *name, size_t *ret_name)
{
    size_t at;

    if (2 * (keys->names_count + 1) > keys->table_size && grow_table(keys) < 0)
        return -ENOMEM;
    at = place_of(keys, name);
    if (keys->table[at] == 0) {
        if (array_grow(&keys->names, keys->names_count, &keys->names_allocated,
                       sizeof(*keys->names)) < 0)
            return -ENOMEM;
        keys->names[keys->names_count] = strdup(name);
        if (keys->names[keys->names_count] == NULL)
            return -ENOMEM;
        keys->table[at] = ++keys->names_count;
    }
    *ret_name = keys->table[at] - 1;
    return 0;
}

static int
add_key(struct layer_keys *keys, size_t name, int64_t pid)
{
    if (array_grow(&keys->list, keys->count, &keys->allocated,
                   sizeof(*keys->list)) < 0)
        return -ENOMEM;
    keys->list[keys->count++] =
        (struct layer_key){.name = name, .pid = pid, .most_bytes = NUM_UNKNOWN};
    return 0;
}

int
layer_keys_find(struct layer_keys *keys, int64_t pid, const char *command,
                size_t *ret_key)
{
    size_t name;
    int rc = find_name(keys, command, &name);

    if (rc < 0)
        return rc;
    /* With --by command a key has the index of its name. */
    *ret_key = keys->by == LAYERS_BY_COMMAND ? name : keys->count;
    return *ret_key < keys->count ? 0 : add_key(keys, name, pid);
}

int
layer_keys_name(struct layer_keys *keys, size_t key, const char *command,
                int64_t rss_bytes)
{
    struct layer_key *named = &keys->list[key];

    if (keys->by == LAYERS_BY_COMMAND || rss_bytes < named->most_bytes)
        return 0;
    named->most_bytes = rss_bytes;
    if (strcmp(keys->names[named->name], command) == 0)
        return 0;
    return find_name(keys, command, &named->name);
}

/* The larger share of the sum of all keys. */
static double
share_of(const struct layer_key *key, const double sums[LAYERS_KINDS])
{
    double most = 0;

    for (int kind = 0; kind < LAYERS_KINDS; kind++)
        if (sums[kind] > 0)
            most = num_max_double(most, key->area[kind] / sums[kind]);
    return most;
}

/* At most that many characters, with an ellipsis if it is cut. */
static void
append_cut(struct strbuf *out, const char *text, size_t most)
{
    STRBUF_AUTO plain = {0};
    const char *at;
    size_t count = 0;

    escape_terminal(&plain, text, strlen(text));
    for (at = strbuf_text(&plain); *at != '\0' && count < most; count++)
        at += escape_utf8_length(at, strlen(at));
    strbuf_append(out, strbuf_text(&plain), (size_t)(at - strbuf_text(&plain)));
    if (*at != '\0')
        strbuf_puts(out, "\xE2\x80\xA6");
}

static char *
make_label(const struct layer_keys *keys, const struct layer_key *key)
{
    enum { MOST = 40 };
    const char *name = keys->names[key->name];
    STRBUF_AUTO label = {0};

    append_cut(&label, *name != '\0' ? name : "(unknown)", MOST);
    if (keys->by == LAYERS_BY_PROCESS)
        strbuf_printf(&label, " (%lld)", (long long)key->pid);
    return strbuf_steal(&label);
}

int
layer_keys_choose(struct layer_keys *keys)
{
    double sums[LAYERS_KINDS] = {0};
    size_t largest[LAYERS_MOST];
    size_t count = 0;

    for (size_t i = 0; i < keys->count; i++)
        for (int kind = 0; kind < LAYERS_KINDS; kind++)
            sums[kind] += keys->list[i].area[kind];
    for (size_t i = 0; i < keys->count; i++) {
        double share = share_of(&keys->list[i], sums);
        size_t at = count;

        keys->list[i].layer = LAYERS_MOST;
        while (at > 0 && share_of(&keys->list[largest[at - 1]], sums) < share)
            at--;
        if (at == LAYERS_MOST)
            continue;
        count += count < LAYERS_MOST ? 1 : 0;
        memmove(&largest[at + 1], &largest[at],
                (count - 1 - at) * sizeof(*largest));
        largest[at] = i;
    }
    for (size_t i = 0; i < count; i++) {
        struct layer_key *key = &keys->list[largest[i]];

        key->layer = (int)i;
        keys->labels[i] = make_label(keys, key);
        if (keys->labels[i] == NULL)
            return -ENOMEM;
        keys->labelled = i + 1;
    }
    keys->others = keys->count - count;
    return 0;
}

void
layer_keys_label(const struct layer_keys *keys, size_t layer,
                 struct strbuf *out)
{
    if (layer < keys->labelled)
        strbuf_puts(out, keys->labels[layer]);
    else
        strbuf_printf(out, "%zu other%s", keys->others,
                      keys->others == 1 ? "" : "s");
}
