/* SPDX-License-Identifier: MIT */
/*
 * A value over time in bounded memory, built in one pass: a limited number of
 * slots of equal duration.  Each slot keeps its first and last row, its
 * smallest and largest value with their times, and its mean weighted by time.
 * When all slots are full, pairs are merged.  Rows keep their times, and a few
 * rows are kept exactly.  Curves of pictures, the series of a summary and the
 * samples of regions are all timelines.
 */
#ifndef PMON_MODEL_TIMELINE_H
#define PMON_MODEL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timeline_slot {
    int64_t rows; /* 0: empty */
    int64_t begin_ns;
    int64_t end_ns;
    double first;
    double last;
    int64_t min_ns;
    int64_t max_ns;
    double min;
    double max;
    double sum; /* of value × the time before its row */
    double weight;
};

struct timeline {
    struct timeline_slot *slots; /* NULL while nothing was pushed */
    size_t count;                /* slots in use, including empty ones */
    size_t allocated;
    size_t most;
    int64_t width_ns;
    int64_t base_ns; /* of the first row; where slot 0 begins */
    int64_t last_ns; /* of the newest row */
    int64_t rows;
};

struct timeline_point {
    int64_t elapsed_ns;
    double value;
};

/*
 * At most most slots, an even number, of width_ns each at first: the expected
 * distance of rows.  Memory is allocated as needed.
 */
void timeline_init(struct timeline *timeline, size_t most, int64_t width_ns);
void timeline_done(struct timeline *timeline);

/* Takes the next row.  0, or -ENOMEM with the row left out. */
int timeline_push(struct timeline *timeline, int64_t elapsed_ns, double value);

/*
 * The points of one slot in order of time: 0, 1 or 2, its minimum and its
 * maximum.
 */
size_t timeline_points(const struct timeline *timeline, size_t slot,
                       struct timeline_point points[2]);

/* Mean of a slot that is not empty, and the middle of its time. */
struct timeline_point timeline_mean(const struct timeline *timeline,
                                    size_t slot);

/* Whether slots have so many rows that a line would be illegible. */
bool timeline_is_dense(const struct timeline *timeline);

/* The point with the largest value, the first of equal ones; false: none. */
bool timeline_largest(const struct timeline *timeline,
                      struct timeline_point *ret_point);

/*
 * The largest value from begin to before end.  Without a row there: the value
 * of the row before if a value holds until the next row, as memory does; else
 * that of the row after, which covers the time since the row before.  False
 * before the first row and after the last.
 */
bool timeline_at(const struct timeline *timeline, int64_t begin_ns,
                 int64_t end_ns, bool holds, double *ret_value);

/*
 * The value at a time, on the line between the rows around it; before the first
 * row and after the last, the value of that row.  Needs at least one row.
 */
double timeline_value(const struct timeline *timeline, int64_t elapsed_ns);

/* The largest value above 0 from begin to end; false without a row. */
bool timeline_largest_within(const struct timeline *timeline, int64_t begin_ns,
                             int64_t end_ns, double *ret_value);

#endif
