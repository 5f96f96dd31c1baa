/* SPDX-License-Identifier: MIT */
/*
 * CPU time and RSS of the tree over time, for what is asked of an interval
 * afterwards.  Bounded: when it is full, two rows become one, with the larger
 * RSS.
 */
#ifndef PMON_MODEL_HISTORY_H
#define PMON_MODEL_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "model/row.h"

/* Rows that follow each other: the first, the last, the largest RSS. */
struct history_point {
    int64_t begin_ns;
    int64_t begin_cpu_ns;
    int64_t end_ns;
    int64_t end_cpu_ns;
    int64_t rss_at_ns;
    int64_t rss_bytes;
};

struct history {
    struct history_point *points;
    size_t count;
    size_t allocated;
    size_t limit;
    size_t stride; /* rows that one point stands for */
    size_t pushed; /* of them, in the newest point */
};

/* Keeps at most limit points, an even number.  Memory is taken as needed. */
void history_init(struct history *history, size_t limit);
void history_done(struct history *history);

/* 0 or -ENOMEM. */
int history_push(struct history *history, const struct row *row);

/*
 * CPU time used from begin to end, both since the start of the run; between
 * two rows it is taken to be even.  NUM_UNKNOWN without two rows, and for what
 * comes after the last.
 */
int64_t history_cpu(const struct history *history, int64_t begin_ns,
                    int64_t end_ns);

/* The largest RSS of the rows from begin to end; NUM_UNKNOWN without one. */
int64_t history_peak_rss(const struct history *history, int64_t begin_ns,
                         int64_t end_ns);

#endif
