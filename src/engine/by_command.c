/* SPDX-License-Identifier: MIT */
/* Gives each process to the group of its command, and sums up the groups. */
#include "engine/by_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "engine/reads.h"
#include "engine/sampler.h"
#include "host/command_name.h"

/* The same CPU time by two clocks may differ by less than this. */
static const int64_t clock_slack_ns = NUM_NS_PER_MS;

/* What a command uses at most that only executes another one. */
static const int64_t wrapper_cpu_ns = 10 * NUM_NS_PER_MS;

int
by_command_init(struct by_command *by_command)
{
    enum { FEW = 8 };

    *by_command =
        (struct by_command){.list = calloc(FEW, sizeof(*by_command->list)),
                            .count = BY_COMMAND_FIRST,
                            .allocated = FEW};
    return by_command->list == NULL ? -ENOMEM : 0;
}

void
by_command_done(struct by_command *by_command)
{
    for (size_t i = 0; by_command->list != NULL && i < by_command->count; i++)
        free(by_command->list[i].name);
    free(by_command->list);
    *by_command = (struct by_command){0};
}

/* FNV-1a */
static uint32_t
hash_of(const char *name)
{
    uint32_t hash = 2166136261U;

    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619U;
    return hash;
}

static bool
is_smaller(const struct command_group *a, const struct command_group *b)
{
    if ((a->count == 0) != (b->count == 0))
        return a->count == 0;
    if (a->cpu_ns != b->cpu_ns)
        return a->cpu_ns < b->cpu_ns;
    return a->largest_rss_bytes < b->largest_rss_bytes;
}

static void
merge(struct command_group *others, const struct command_group *group)
{
    others->count += group->count;
    others->cpu_ns = num_add(others->cpu_ns, group->cpu_ns);
    others->largest_rss_bytes =
        num_max(others->largest_rss_bytes, group->largest_rss_bytes);
    if (others->first_ns == 0 || group->first_ns < others->first_ns)
        others->first_ns = group->first_ns;
    others->last_ns = num_max(others->last_ns, group->last_ns);
}

/*
 * A free slot; in a full table that of the smallest command without a member.
 * Without memory the others get it.
 */
static size_t
make_room(struct by_command *by_command)
{
    struct command_group *list;
    size_t smallest = BY_COMMAND_OTHERS;

    if (by_command->count < BY_COMMAND_ROOM &&
        array_grow(&by_command->list, by_command->count, &by_command->allocated,
                   sizeof(*list)) == 0) {
        by_command->list[by_command->count] = (struct command_group){0};
        return by_command->count++;
    }
    list = by_command->list;
    for (size_t i = BY_COMMAND_FIRST; i < by_command->count; i++)
        if (list[i].live == 0 && (smallest == BY_COMMAND_OTHERS ||
                                  is_smaller(&list[i], &list[smallest])))
            smallest = i;
    if (smallest == BY_COMMAND_OTHERS)
        return smallest;
    merge(&list[BY_COMMAND_OTHERS], &list[smallest]);
    free(list[smallest].name);
    list[smallest] = (struct command_group){0};
    return smallest;
}

static size_t
find_or_add(struct by_command *by_command, const char *name)
{
    uint32_t hash = hash_of(name);
    struct command_group *group;
    size_t at;

    for (at = BY_COMMAND_FIRST; at < by_command->count; at++) {
        group = &by_command->list[at];
        if (group->hash == hash && group->name != NULL &&
            strcmp(group->name, name) == 0)
            return at;
    }
    at = make_room(by_command);
    if (at == BY_COMMAND_OTHERS)
        return at;
    by_command->list[at].name = strdup(name);
    by_command->list[at].hash = hash;
    return at;
}

/*
 * member runs another command from now on.  A wrapper such as env(1) is gone
 * before it has done anything: then it has never been one.
 */
static void
leave(struct command_group *old, struct member *member, int64_t before_ns)
{
    int64_t used_ns = before_ns - member->folded_ns;

    old->live--;
    if (used_ns >= wrapper_cpu_ns) {
        old->cpu_ns = num_add(old->cpu_ns, used_ns);
        member->folded_ns = before_ns;
        return;
    }
    old->count--;
    if (old->count == 0)
        *old = (struct command_group){.name = old->name, .hash = old->hash};
}

static void
enter(struct sampler *sampler, struct member *member, size_t index,
      int64_t before_ns)
{
    struct by_command *by_command = &sampler->by_command;
    struct command_group *group = &by_command->list[index];
    struct command_group *old = &by_command->list[member->command];

    if (index == BY_COMMAND_NONE || index == member->command)
        return;
    if (member->command != BY_COMMAND_NONE)
        leave(old, member, before_ns);
    else
        by_command->named++;
    if (group->count == 0)
        group->first_ns = sampler->now_ns;
    group->last_ns = sampler->now_ns;
    group->count++;
    group->live++;
    member->command = index & 0xFFU;
}

/*
 * Reads the name from cmdline, or from stat if the process has overwritten
 * that.
 */
static size_t
read_name(struct sampler *sampler, struct member *member)
{
    enum { ROOM = 512, MOST = 256 };
    char text[PROC_TEXT_SIZE];
    char *argv[ROOM];
    STRBUF_AUTO name = {0};
    struct proc_stat stat;
    ssize_t got = sampler->source->read(sampler->source, &member->handle,
                                        PROC_CMDLINE, text, sizeof(text));

    if (got > 0 && command_split(text, (size_t)got, argv, ROOM) > 0)
        command_name(&name, argv);
    if (name.size == 0 && reads_stat(sampler, member, &stat))
        strbuf_puts(&name, stat.name);
    if (name.size == 0 || name.failed)
        return BY_COMMAND_NONE;
    if (name.size >= MOST)
        name.text[MOST - 1] = '\0';
    return find_or_add(&sampler->by_command, name.text);
}

static size_t
command_of_parent(const struct member *member)
{
    const struct member *parent = member->parent;

    /* With other code it has exec'ed, though its stat was not read since. */
    if (parent == NULL || (parent->text_pages != member->text_pages &&
                           !member->is_zombie && parent->text_pages > 0))
        return BY_COMMAND_NONE;
    return parent->command;
}

void
by_command_name(struct sampler *sampler, struct member *member,
                int64_t before_ns)
{
    size_t index = member->is_copy ? command_of_parent(member) : 0;

    member->needs_name = false;
    member->is_named_copy = member->is_copy;
    if (index == BY_COMMAND_NONE)
        index = read_name(sampler, member);
    enter(sampler, member, index, before_ns);
}

void
by_command_name_zombie(struct sampler *sampler, struct member *member,
                       const struct proc_stat *stat)
{
    size_t index = BY_COMMAND_NONE;

    if (member->command != BY_COMMAND_NONE || member->is_foreign)
        return;
    if ((stat->flags & PROC_FLAG_FORKNOEXEC) != 0)
        index = command_of_parent(member);
    if (index == BY_COMMAND_NONE)
        index = find_or_add(&sampler->by_command, stat->name);
    enter(sampler, member, index, 0);
}

void
by_command_fold(struct sampler *sampler, struct member *member)
{
    struct command_group *group = &sampler->by_command.list[member->command];

    if (member->command == BY_COMMAND_NONE)
        return;
    group->cpu_ns =
        num_add(group->cpu_ns, member->clock_ns - member->folded_ns);
    group->live--;
    member->folded_ns = member->clock_ns;
    member->command = BY_COMMAND_NONE;
}

void
by_command_take_bases(struct sampler *sampler)
{
    for (size_t i = 0; i < sampler->tree.count; i++)
        sampler->tree.list[i]->folded_ns = sampler->tree.list[i]->clock_ns;
}

void
by_command_begin_sum(struct by_command *by_command)
{
    for (size_t i = 0; i < by_command->count; i++)
        by_command->list[i].now_bytes = 0;
}

void
by_command_take_sum(struct by_command *by_command, int64_t now_ns)
{
    for (size_t i = BY_COMMAND_FIRST; i < by_command->count; i++) {
        struct command_group *group = &by_command->list[i];

        if (group->now_bytes > 0)
            group->last_ns = now_ns;
        if (group->peak_rss_bytes < group->now_bytes)
            group->peak_rss_bytes = group->now_bytes;
    }
}

static int
compare_groups(const void *a, const void *b)
{
    const struct command_group *one = a;
    const struct command_group *two = b;

    if (is_smaller(one, two))
        return 1;
    if (is_smaller(two, one) || one->name == NULL || two->name == NULL)
        return -1;
    return strcmp(one->name, two->name);
}

/* Copies the groups, with the CPU time of live members, largest first. */
static struct command_group *
copy_groups(const struct sampler *sampler)
{
    const struct by_command *by_command = &sampler->by_command;
    struct command_group *list = calloc(by_command->count, sizeof(*list));

    if (list == NULL)
        return NULL;
    memcpy(list, by_command->list, by_command->count * sizeof(*list));
    for (size_t i = 0; i < sampler->tree.count; i++) {
        const struct member *member = sampler->tree.list[i];
        struct command_group *group = &list[member->command];

        if (!member->is_gone)
            group->cpu_ns =
                num_add(group->cpu_ns, member->clock_ns - member->folded_ns);
    }
    qsort(list + BY_COMMAND_FIRST, by_command->count - BY_COMMAND_FIRST,
          sizeof(*list), compare_groups);
    return list;
}

static int
add_row(struct run_by_command *rows, enum command_kind kind,
        const struct command_group *group, int64_t start_ns)
{
    struct run_command_use *row = &rows->list[rows->count++];
    bool is_seen = kind != COMMAND_UNSAMPLED;

    *row = (struct run_command_use){
        .kind = kind,
        .count = group->count,
        .cpu_ns = group->cpu_ns,
        .largest_rss_bytes = NUM_UNKNOWN,
        .peak_rss_bytes = NUM_UNKNOWN,
        .first_ns =
            is_seen ? num_max(0, group->first_ns - start_ns) : NUM_UNKNOWN,
        .last_ns =
            is_seen ? num_max(0, group->last_ns - start_ns) : NUM_UNKNOWN,
    };
    /* 0: it had ended before its memory was read. */
    if (is_seen && group->largest_rss_bytes > 0)
        row->largest_rss_bytes = group->largest_rss_bytes;
    if (kind == COMMAND_NAMED && group->peak_rss_bytes > 0)
        row->peak_rss_bytes = group->peak_rss_bytes;
    return run_set_text(&row->command, group->name);
}

/* Adds the time that is in no group, or subtracts the excess of two clocks. */
static int
add_rest(struct run_by_command *rows, int64_t rest_ns, int64_t processes)
{
    struct command_group rest = {.count = num_max(0, processes),
                                 .cpu_ns = num_max(0, rest_ns)};

    if (rows->count > 0 && rest.count == 0 && rest_ns > 0 &&
        rest_ns < clock_slack_ns) {
        rows->list[0].cpu_ns += rest_ns;
        return 0;
    }
    for (size_t i = 0; i < rows->count && rest_ns < 0; i++) {
        int64_t taken_ns =
            rows->list[i].cpu_ns < -rest_ns ? rows->list[i].cpu_ns : -rest_ns;

        rows->list[i].cpu_ns -= taken_ns;
        rest_ns += taken_ns;
    }
    if (rest.count == 0 && rest.cpu_ns == 0)
        return 0;
    return add_row(rows, COMMAND_UNSAMPLED, &rest, 0);
}

int
by_command_summarize(const struct sampler *sampler, int64_t start_ns,
                     int64_t total_ns, struct run_by_command *ret_by_command)
{
    size_t count = sampler->by_command.count;
    struct command_group *list = copy_groups(sampler);
    struct run_by_command *rows = ret_by_command;
    struct command_group *others;
    int64_t rest_ns = total_ns;
    int rc = 0;

    run_by_command_reset(rows);
    rows->list = calloc((count < BY_COMMAND_MOST ? count : BY_COMMAND_MOST) + 2,
                        sizeof(*rows->list));
    if (list == NULL || rows->list == NULL) {
        free(list);
        return -ENOMEM;
    }
    others = &list[BY_COMMAND_OTHERS];
    for (size_t i = BY_COMMAND_FIRST; i < count && rc == 0; i++) {
        if (list[i].count == 0)
            continue;
        if (rows->count < BY_COMMAND_MOST)
            rc = add_row(rows, COMMAND_NAMED, &list[i], start_ns);
        else
            merge(others, &list[i]);
    }
    if (rc == 0 && others->count > 0)
        rc = add_row(rows, COMMAND_OTHERS, others, start_ns);
    for (size_t i = 0; i < rows->count; i++)
        rest_ns -= rows->list[i].cpu_ns;
    if (rc == 0)
        rc = add_rest(rows, rest_ns,
                      sampler->tree.seen - sampler->by_command.named);
    free(list);
    return rc;
}
