/* SPDX-License-Identifier: MIT */
/* Which processes are recorded: patterns for their whole command line. */
#ifndef PMON_WATCH_FILTERS_H
#define PMON_WATCH_FILTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* {0} is an empty one. */
struct filters {
    char **list;
    size_t count;
    size_t allocated;
};

/* Adds one pattern, copied: 0 or -ENOMEM. */
int filters_add(struct filters *filters, const char *pattern);

/*
 * Adds the patterns of a list separated by commas, without blanks around them
 * and without empty ones. 0, -EINVAL without a pattern, or -ENOMEM.
 */
int filters_add_list(struct filters *filters, const char *list);

void filters_done(struct filters *filters);

/* fnmatch(3) with FNM_NOESCAPE of the whole line; any pattern is enough. */
bool filters_match(const struct filters *filters, const char *line);

/*
 * Appends the command line of the arguments in raw, as in /proc/PID/cmdline
 * (each ends in a NUL byte): each without white space at its ends, separated by
 * one blank, nothing at the ends.  Other bytes stay as they are.
 */
void filters_join_command(struct strbuf *line, const char *raw, size_t size);

#endif
