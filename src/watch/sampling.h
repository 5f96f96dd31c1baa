/* SPDX-License-Identifier: MIT */
/* One sample: a row for each process that a filter matches, as text. */
#ifndef PMON_WATCH_SAMPLING_H
#define PMON_WATCH_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "watch/filters.h"
#include "watch/last_rows.h"
#include "watch/process_list.h"

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
    int64_t processes;  /* looked at */
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

/* The rows are in the file: CPU of the next ones counts from them. */
void sampling_commit(struct sampling *sampling);

#endif
