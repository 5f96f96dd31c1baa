/* SPDX-License-Identifier: MIT */
/*
 * What pmon compare has read and decided, shared by the files compare*.c
 * alone: compare_limits.c reads --fail-over, compare_rows.c makes the rows,
 * compare.c reads the files and prints.
 */
#ifndef PMON_COMMANDS_COMPARE_STATE_H
#define PMON_COMMANDS_COMPARE_STATE_H

#include <stdbool.h>

#include "base/error.h"
#include "model/run_fields.h"
#include "views/sheet.h"

enum { SIDE_BASE, SIDE_NEW, SIDES };

/* How much more than before is too much. */
struct compare_limit {
    bool is_set;
    bool is_relative; /* value is in percent of the base */
    double value;     /* else in the figure's unit */
};

struct compare {
    enum form form;
    struct compare_limit limits[RUN_FIELDS]; /* by index in the table */
    struct run_list runs[SIDES];
    bool is_pair; /* two files: one run a side, whatever they are called */
    struct sheet changes;
    struct sheet missing; /* steps of one side only */
    size_t matched;       /* steps on both sides */
    bool is_over;         /* a limit was exceeded */
    bool is_bad;          /* something could not be read or decided */
    bool has_limits;      /* --fail-over */
    size_t unreadable;    /* runs, of steps that are not known */
};

/* peak_rss=10%,wall=2s; may be given several times.  0 or -EINVAL. */
int compare_limits_parse(struct compare_limit *limits, const char *text,
                         struct error *error);

void compare_init(struct compare *compare);
void compare_done(struct compare *compare);

/* Matches the steps and fills the sheets.  0 or negative. */
int compare_make_rows(struct compare *compare, struct error *error);

#endif
