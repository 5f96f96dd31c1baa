/* SPDX-License-Identifier: MIT */
/*
 * What pmon compare has read and decided, shared by the files compare*.c
 * alone: compare_limits.c reads --fail-over, compare_judge.c tests a figure,
 * compare_load.c compares the load, compare_rows.c makes the rows,
 * compare_notes.c the lines below them, compare.c reads the files and prints.
 */
#ifndef PMON_COMMANDS_COMPARE_STATE_H
#define PMON_COMMANDS_COMPARE_STATE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "model/run_fields.h"
#include "views/sheet.h"

enum { SIDE_BASE, SIDE_NEW, SIDES };

/* A limit on growth. */
struct compare_limit {
    bool is_set;
    bool is_relative; /* value is in percent of the base */
    double value;     /* else in the figure's unit */
};

struct compare {
    enum form form;
    double alpha;    /* the level of the test */
    const char *tag; /* the tag that distinguishes runs; NULL: none */
    struct compare_limit limits[RUN_FIELDS]; /* by index in the table */
    struct run_list runs[SIDES];
    bool is_pair; /* two files: one run per side, whatever their steps */
    struct sheet changes;
    struct sheet missing; /* steps of one side only */
    struct sheet load;    /* differences of the load */
    size_t matched;       /* steps on both sides */
    bool is_over;         /* a limit was exceeded */
    bool is_bad;          /* something could not be read or decided */
    bool has_limits;      /* --fail-over */
    size_t
        unreadable; /* runs that could not be read, whose steps are unknown */
    struct strbuf notes; /* lines below the tables */
};

/* Runs of one step, rank, array task and tag: these texts. */
struct compare_key {
    const char *step;
    const char *rank;        /* NULL: none, or the only task */
    const char *array_index; /* NULL: none */
    const char *tag;         /* the value of the tag of --by; NULL: none */
};

/* One figure of one side. */
struct compare_spread {
    double *values; /* ascending; the caller frees them */
    size_t count;   /* of the runs where it is known */
    double median;
    double min;
    double max;
    const char *word; /* the weakest; NULL: the figure has none */
    bool is_broken;   /* a run of the step did not end by itself */
};

/* The result of the test of a figure; numbers are NAN if unknown. */
struct compare_verdict {
    const char *change; /* NULL: unknown on one side */
    bool is_known;      /* both sides have it, and all runs ended */
    bool is_changed;
    bool is_untested; /* too few runs: a limit decides without a test */
    double p;         /* one-sided, in the direction of the change */
    double p_least;   /* the smallest p of this number of runs */
    double z;         /* of one run against several */
    double shift;     /* from BASE to NEW, with its 95 % interval */
    double low;
    double high;
};

struct compare_key compare_key_of(const struct compare *compare,
                                  const struct run *run);
bool compare_key_is_same(struct compare_key a, struct compare_key b);

/* Whether run has that key; with two files, every run has. */
bool compare_has(const struct compare *compare, struct compare_key key,
                 const struct run *run);

/* Adds the columns that each row begins with. */
void compare_add_key(struct sheet *sheet, struct compare_key key);

/* Begins a line below the tables with the key. */
void compare_note_key(struct compare *compare, struct compare_key key);

/* Notes once how many runs can be tested, if a verdict had too few. */
void compare_note_untested(struct compare *compare,
                           const struct compare_spread *spread,
                           const struct compare_verdict *verdict);

/* Collects a field of the runs of a step on one side. 0 or -ENOMEM. */
int compare_spread_take(const struct compare *compare, int side,
                        struct compare_key key, const struct run_field *field,
                        struct compare_spread *ret_spread);

/* Tests the two spreads at the level alpha.  0 or -ENOMEM. */
int compare_judge(const struct compare_spread *spread, double alpha,
                  struct compare_verdict *ret_verdict);

/* Whether a known figure has grown by more than the limit. */
bool compare_is_over(const struct compare_limit *limit,
                     const struct compare_spread *spread,
                     const struct compare_verdict *verdict);

/* How many runs on each side can be tested at the level alpha. */
size_t compare_enough(double alpha);

/* peak_rss=10%,wall=2s; may be given several times.  0 or -EINVAL. */
int compare_limits_parse(struct compare_limit *limits, const char *text,
                         struct error *error);

/* Notes differences of the load between the sides of a step. 0 or -ENOMEM. */
int compare_add_load(struct compare *compare, struct compare_key key);
void compare_load_init(struct compare *compare);

void compare_init(struct compare *compare);
void compare_done(struct compare *compare);

/* Matches the steps and fills the sheets.  0 or negative. */
int compare_make_rows(struct compare *compare, struct error *error);

#endif
