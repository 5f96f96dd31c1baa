/* SPDX-License-Identifier: MIT */
/*
 * A curve of any number of rows in bounded memory, made in one pass: at most
 * 1024 slots of equal time.  Each keeps its smallest and its largest value
 * with their times, and its mean weighted by time; when all are full, two
 * become one.  No row is ever moved: few rows come out as they went in.
 */
#ifndef PMON_MODEL_CURVE_H
#define PMON_MODEL_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CURVE_SLOTS = 1024 };

struct curve_slot {
    int64_t rows; /* 0: empty */
    int64_t min_ns;
    int64_t max_ns;
    double min;
    double max;
    double sum; /* of value × the time before its row */
    double weight;
};

struct curve {
    struct curve_slot *slots; /* NULL while nothing was pushed */
    size_t count;             /* slots in use, empty ones among them */
    int64_t width_ns;
    int64_t base_ns; /* of the first row; where slot 0 begins */
    int64_t last_ns; /* of the newest row */
    int64_t rows;
};

struct curve_point {
    int64_t elapsed_ns;
    double value;
};

void curve_init(struct curve *curve);
void curve_done(struct curve *curve);

/* Takes the next row.  0 or -ENOMEM, at the first row only. */
int curve_push(struct curve *curve, int64_t elapsed_ns, double value);

/*
 * The points of one slot in order of time: 0, 1 or 2, its minimum and its
 * maximum.
 */
size_t curve_points(const struct curve *curve, size_t slot,
                    struct curve_point points[2]);

/* Mean of a slot that is not empty, and the middle of its time. */
struct curve_point curve_mean(const struct curve *curve, size_t slot);

/* Whether slots stand for many rows, so that a line would be a smear. */
bool curve_is_dense(const struct curve *curve);

/* The point with the largest value, of equal ones the first; false: none. */
bool curve_largest(const struct curve *curve, struct curve_point *ret_point);

/*
 * The largest value from begin to before end; where no row falls between, that
 * of the row before if a value holds until the next row, as memory does, else
 * that of the row after, which is of the time since the row before.  False
 * outside of the first and the last row.
 */
bool curve_at(const struct curve *curve, int64_t begin_ns, int64_t end_ns,
              bool holds, double *ret_value);

#endif
