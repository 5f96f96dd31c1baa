/* SPDX-License-Identifier: MIT */
/* One sample: a row for each process that a filter matches, as text. */
#ifndef PMON_WATCH_SAMPLING_H
#define PMON_WATCH_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "watch/filters.h"
#include "watch/process_list.h"

/*
 * CPU time of each recorded process at its last row, for the CPU since then.
 * Keyed by id and start time, because ids are reused; ended processes are
 * dropped at the next sample.
 */
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

/* Call when the rows are written: the sample is now the last one. */
void last_rows_commit(struct last_rows *last_rows);

void last_rows_done(struct last_rows *last_rows);

struct sampling {
    const struct clock_source *clock;
    struct process_list *list; /* owned */
    int proc_fd;               /* the caller's */
    int64_t mem_total_bytes;
    int64_t ticks_per_s;
    struct last_rows last_rows;
    struct strbuf raw;  /* arguments of one process */
    struct strbuf line; /* its command line */

    struct strbuf rows; /* the sample's */
    int64_t count;      /* of rows */
    int64_t processes;  /* checked */
};

/* What is recorded. */
struct sampling_choice {
    const struct filters *filters;
    bool include_self;
    bool is_extended;
};

/*
 * Takes over list.  0, or a negative errno with error if the machine's memory,
 * which every row needs, cannot be read.
 */
int sampling_init(struct sampling *sampling, struct process_list *list,
                  int proc_fd, const struct clock_source *clock,
                  struct error *error);
void sampling_done(struct sampling *sampling);

/*
 * Takes a sample into rows.  A process that ends meanwhile has no row.  0, or a
 * negative errno with error if processes cannot be listed.
 */
int sampling_take(struct sampling *sampling,
                  const struct sampling_choice *choice, struct error *error);

/* Call when the rows are written: CPU of the next ones counts from them. */
void sampling_commit(struct sampling *sampling);

#endif
