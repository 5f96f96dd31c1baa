/* SPDX-License-Identifier: MIT */
/*
 * Whether one group of values is larger than another: the Mann-Whitney test
 * with mid-ranks for ties, the Hodges-Lehmann shift with its 95 % interval,
 * and the modified z-score for a single value (Iglewicz and Hoaglin 1993).
 */
#ifndef PMON_MODEL_RANK_TEST_H
#define PMON_MODEL_RANK_TEST_H

#include <stdbool.h>
#include <stddef.h>

/* A single value differs if its modified z-score is beyond this. */
#define RANK_TEST_Z_LIMIT 3.5

enum {
    RANK_TEST_Z_VALUES = 5,       /* a z-score needs at least so many */
    RANK_TEST_EXACT_PAIRS = 400,  /* 20 x 20; above, the normal distribution */
    RANK_TEST_MOST_PAIRS = 250000 /* above, shift and interval are unknown */
};

struct rank_test {
    double u;      /* pairs where new is larger; a tie counts 0.5 */
    double p_more; /* one-sided: new is larger by chance */
    double p_less; /* one-sided: new is smaller by chance */
    bool is_exact;
    double shift; /* median of all differences new - base */
    double low;   /* its 95 % interval; NAN with too few values */
    double high;
};

/*
 * Tests new against base, each of at least one finite value.  With up to
 * RANK_TEST_EXACT_PAIRS pairs p is exact over all permutations of the values
 * as they are, with their ties.  0 or -ENOMEM.
 */
int rank_test(const double *base, size_t base_count, const double *new,
              size_t new_count, struct rank_test *ret_test);

/* The smallest one-sided p that groups of these sizes can have. */
double rank_test_least_p(size_t base_count, size_t new_count);

/*
 * The modified z-score of value among count values in ascending order.  Where
 * the median absolute deviation is 0, the mean one takes its place; where that
 * is 0 too, the score is 0 for the median and infinite for other values.
 * NAN without memory.
 */
double rank_test_z(const double *sorted, size_t count, double value);

#endif
