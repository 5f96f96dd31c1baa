/* SPDX-License-Identifier: MIT */
/* Patterns and the command lines that they match; pure functions. */
#include "watch/filters.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The ASCII characters that Python's str.strip() removes. */
static bool
is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}

static void
trim(const char **text, size_t *size)
{
    while (*size > 0 && is_blank((*text)[0])) {
        (*text)++;
        (*size)--;
    }
    while (*size > 0 && is_blank((*text)[*size - 1]))
        (*size)--;
}

static int
add(struct filters *filters, const char *text, size_t size)
{
    char *pattern;

    if (array_grow(&filters->list, filters->count, &filters->allocated,
                   sizeof(*filters->list)) < 0)
        return -ENOMEM;
    pattern = strndup(text, size);
    if (pattern == NULL)
        return -ENOMEM;
    filters->list[filters->count++] = pattern;
    return 0;
}

int
filters_add(struct filters *filters, const char *pattern)
{
    return add(filters, pattern, strlen(pattern));
}

int
filters_add_list(struct filters *filters, const char *list)
{
    size_t before = filters->count;

    while (*list != '\0') {
        size_t whole = strcspn(list, ",");
        const char *text = list;
        size_t size = whole;
        int rc = 0;

        trim(&text, &size);
        if (size > 0)
            rc = add(filters, text, size);
        if (rc < 0)
            return rc;
        list += whole + (list[whole] == ',' ? 1 : 0);
    }
    return filters->count > before ? 0 : -EINVAL;
}

void
filters_done(struct filters *filters)
{
    for (size_t i = 0; i < filters->count; i++)
        free(filters->list[i]);
    free(filters->list);
    *filters = (struct filters){0};
}

bool
filters_match(const struct filters *filters, const char *line)
{
    for (size_t i = 0; i < filters->count; i++)
        if (fnmatch(filters->list[i], line, FNM_NOESCAPE) == 0)
            return true;
    return false;
}

void
filters_join_command(struct strbuf *line, const char *raw, size_t size)
{
    size_t begin = line->size;
    const char *text;
    size_t rest;

    if (size > 0 && raw[size - 1] == '\0')
        size--;
    for (size_t at = 0; at <= size;) {
        size_t whole = strnlen(raw + at, size - at);

        text = raw + at;
        rest = whole;
        trim(&text, &rest);
        if (at > 0)
            strbuf_putc(line, ' ');
        strbuf_append(line, text, rest);
        at += whole + 1;
    }
    if (line->failed)
        return;
    text = line->text + begin;
    rest = line->size - begin;
    trim(&text, &rest);
    memmove(line->text + begin, text, rest);
    line->size = begin + rest;
    line->text[line->size] = '\0';
}
