/* SPDX-License-Identifier: MIT */
/*
 * CPU time of each recorded process at its last row, for the share since then.
 * Keyed by id and start time, so that an id that is used again is another
 * process; ended processes are dropped at the next sample.
 */
#ifndef PMON_WATCH_LAST_ROWS_H
#define PMON_WATCH_LAST_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct last_row {
    pid_t pid;
    uint64_t start_ticks;
    int64_t cpu_ns;
    int64_t at_ns; /* CLOCK_MONOTONIC */
};

struct last_rows_list {
    struct last_row *entries;
    size_t count;
    size_t allocated;
};

/* {0} is an empty one. */
struct last_rows {
    struct last_rows_list last; /* by id */
    struct last_rows_list next;
};

/* Begins a sample; drops entries of an unfinished one. */
void last_rows_begin(struct last_rows *last_rows);

/*
 * Adds a process and returns its CPU since its last row, in thousandths of a
 * percent of one core; NUM_UNKNOWN in its first row.
 */
int64_t last_rows_add(struct last_rows *last_rows,
                      const struct last_row *entry);

/* The rows are written: the sample is now the last one. */
void last_rows_commit(struct last_rows *last_rows);

void last_rows_done(struct last_rows *last_rows);

#endif
