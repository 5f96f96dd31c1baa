/* SPDX-License-Identifier: MIT */
/* Finds the existing name that a misspelt one probably means. */
#ifndef PMON_BASE_NEAR_H
#define PMON_BASE_NEAR_H

#include <stddef.h>

#include "base/strbuf.h"

/* The texts belong to the caller. */
struct near {
    const char *word;
    size_t size;
    const char *best; /* NULL: none is close */
    unsigned distance;
    const char *begun[2]; /* names that begin with the word */
    int begun_count;
};

/* Looks for word, without leading dashes and without `=` and what follows. */
void near_init(struct near *near, const char *word);

/*
 * Considers name as a candidate.  It is close if it is one or two slips away.
 * A slip is a character that is missing, extra, wrong or swapped with the next.
 * Names of less than five characters allow one slip.
 */
void near_try(struct near *near, const char *name);

/* Appends `; --A or --B?` or `; did you mean --A?`, or nothing. */
void near_append_option(const struct near *near, struct strbuf *out);

#endif
