/* SPDX-License-Identifier: MIT */
/*
 * The exact distribution of a rank sum is counted by dynamic programming over
 * doubled ranks, which are integers even with ties.  All counts are below
 * 2^53.  Needs no libm, because pmon does not load it.
 */
#include "model/rank_test.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/num.h"

/* A value of either group. */
struct entry {
    double value;
    bool is_small; /* of the group with fewer values */
    size_t rank2;  /* twice its mid-rank */
};

static int
by_value(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;

    return (x->value > y->value) - (x->value < y->value);
}

static int
by_number(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* By Newton's method. */
static double
square_root(double value)
{
    double root = value > 1 ? value : 1;

    if (!(value > 0))
        return 0;
    for (int i = 0; i < 200; i++) {
        double next = (root + value / root) / 2;

        if (next >= root)
            break;
        root = next;
    }
    return root;
}

/* e^-x for x >= 0 */
static double
exp_minus(double x)
{
    double term = 1;
    double sum = 1;

    for (int i = 1; i < 30; i++) {
        term *= -x / 1024 / i;
        sum += term;
    }
    for (int i = 0; i < 10; i++)
        sum *= sum;
    return sum;
}

/* The probability that a standard normal value is above z. */
static double
normal_above(double z)
{
    double density;
    double sum;

    if (z < 0)
        return 1 - normal_above(-z);
    if (z > 37)
        return 0;
    density = exp_minus(z * z / 2) / 2.5066282746310002;
    if (z > 3) { /* the continued fraction of Laplace */
        sum = z;
        for (int i = 80; i > 0; i--)
            sum = z + i / sum;
        return density / sum;
    }
    sum = z;
    for (double term = z, i = 3; term > 1e-18; i += 2)
        sum += term *= z * z / i;
    return 0.5 - density * sum;
}

/* Sorts the entries and ranks them; ties is the sum of t^3 - t. */
static void
rank_entries(struct entry *entries, size_t count, double *ret_ties)
{
    *ret_ties = 0;
    qsort(entries, count, sizeof(*entries), by_value);
    for (size_t i = 0, end; i < count; i = end) {
        double size;

        for (end = i + 1; end < count; end++)
            if (entries[end].value > entries[i].value)
                break;
        for (size_t k = i; k < end; k++)
            entries[k].rank2 = i + 1 + end;
        size = (double)(end - i);
        *ret_ties += size * size * size - size;
    }
}

/*
 * Counts the choices of size ranks that sum up to each s from 0 to most.
 * Returns an array of most + 1, which the caller frees; NULL without memory.
 */
static double *
count_sums(const size_t *ranks2, size_t count, size_t size, size_t most)
{
    size_t width = most + 1;
    double *ways = calloc((size + 1) * width, sizeof(*ways));

    if (ways == NULL)
        return NULL;
    ways[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i < size ? i + 1 : size; k > 0; k--) {
            const double *from = ways + (k - 1) * width;
            double *to = ways + k * width + ranks2[i];

            for (size_t s = 0; s + ranks2[i] <= most; s++)
                to[s] += from[s];
        }
    for (size_t s = 0; s < width; s++)
        ways[s] = ways[size * width + s];
    return ways;
}

/* The tails of the small group's doubled rank sum.  0 or -ENOMEM. */
static int
exact_tails(const struct entry *entries, size_t count, size_t size,
            double *ret_below, double *ret_above)
{
    size_t most = count * (count + 1);
    size_t *ranks2 = calloc(count, sizeof(*ranks2));
    double *ways = NULL;
    size_t sum2 = 0;
    double all = 0;
    double below = 0;

    if (ranks2 == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        ranks2[i] = entries[i].rank2;
        sum2 += entries[i].is_small ? ranks2[i] : 0;
    }
    ways = count_sums(ranks2, count, size, most);
    free(ranks2);
    if (ways == NULL)
        return -ENOMEM;
    for (size_t s = 0; s <= most; s++) {
        all += ways[s];
        below += s < sum2 ? ways[s] : 0;
    }
    *ret_below = (below + ways[sum2]) / all;
    *ret_above = (all - below) / all;
    free(ways);
    return 0;
}

/*
 * The tails of the normal distribution, corrected for ties and for continuity;
 * u is that of the small group.
 */
static void
normal_tails(double pairs, double count, double ties, double u,
             double *ret_below, double *ret_above)
{
    double variance = pairs / 12 * (count + 1 - ties / (count * (count - 1)));
    double root = square_root(variance);

    if (!(root > 0)) {
        *ret_below = *ret_above = 1;
        return;
    }
    *ret_below = normal_above(-(u - pairs / 2 + 0.5) / root);
    *ret_above = normal_above((u - pairs / 2 - 0.5) / root);
}

/* Fills u and p of a test of ranked entries.  0 or -ENOMEM. */
static int
test_entries(const struct entry *entries, size_t count, size_t size,
             double ties, double *ret_u, double tails[2])
{
    size_t pairs = size * (count - size);
    size_t sum2 = 0;

    for (size_t i = 0; i < count; i++)
        sum2 += entries[i].is_small ? entries[i].rank2 : 0;
    *ret_u = (double)(sum2 - size * (size + 1)) / 2;
    if (pairs <= RANK_TEST_EXACT_PAIRS)
        return exact_tails(entries, count, size, &tails[0], &tails[1]);
    normal_tails((double)pairs, (double)count, ties, *ret_u, &tails[0],
                 &tails[1]);
    return 0;
}

/*
 * One more than the number of smallest differences, and of largest ones, that
 * are outside the 95 % interval; 0 with too few values, negative without
 * memory.
 */
static int
interval_rank(size_t count, size_t size)
{
    size_t pairs = size * (count - size);
    size_t most = count * (count + 1) / 2;
    size_t *ranks = calloc(count, sizeof(*ranks));
    double *ways;
    double all = 1 / rank_test_least_p(count - size, size);
    double below = 0;
    int rank = 0;

    if (pairs > RANK_TEST_EXACT_PAIRS) {
        double root = square_root((double)pairs * ((double)count + 1) / 12);

        free(ranks);
        return num_to_int((double)pairs / 2 - 1.959964 * root, INT32_MAX);
    }
    for (size_t i = 0; ranks != NULL && i < count; i++)
        ranks[i] = i + 1;
    ways = ranks != NULL ? count_sums(ranks, count, size, most) : NULL;
    free(ranks);
    if (ways == NULL)
        return -ENOMEM;
    for (size_t s = size * (size + 1) / 2; s <= most; s++, rank++) {
        below += ways[s];
        if (below > 0.025 * all)
            break;
    }
    free(ways);
    return rank;
}

static int
find_shift(const double *base, size_t base_count, const double *new,
           size_t new_count, struct rank_test *test)
{
    size_t pairs = base_count * new_count;
    size_t size = base_count < new_count ? base_count : new_count;
    double *differences;
    int rank;

    test->shift = test->low = test->high = (double)NAN;
    if (pairs > RANK_TEST_MOST_PAIRS)
        return 0;
    rank = interval_rank(base_count + new_count, size);
    differences = calloc(pairs, sizeof(*differences));
    if (differences == NULL || rank < 0) {
        free(differences);
        return -ENOMEM;
    }
    for (size_t i = 0; i < pairs; i++)
        differences[i] = new[i / base_count] - base[i % base_count];
    qsort(differences, pairs, sizeof(*differences), by_number);
    test->shift = num_median(differences, pairs);
    if (rank > 0) {
        test->low = differences[rank - 1];
        test->high = differences[pairs - (size_t)rank];
    }
    free(differences);
    return 0;
}

int
rank_test(const double *base, size_t base_count, const double *new,
          size_t new_count, struct rank_test *ret_test)
{
    bool is_new_small = new_count < base_count;
    size_t count = base_count + new_count;
    struct entry *entries = calloc(count, sizeof(*entries));
    struct rank_test test = {0};
    double tails[2] = {1, 1};
    double ties;
    int rc;

    if (entries == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        bool is_new = i >= base_count;

        entries[i].value = is_new ? new[i - base_count] : base[i];
        entries[i].is_small = is_new == is_new_small;
    }
    rank_entries(entries, count, &ties);
    rc = test_entries(entries, count, is_new_small ? new_count : base_count,
                      ties, &test.u, tails);
    free(entries);
    if (!is_new_small)
        test.u = (double)(base_count * new_count) - test.u;
    test.p_more = tails[is_new_small ? 1 : 0];
    test.p_less = tails[is_new_small ? 0 : 1];
    test.is_exact = base_count * new_count <= RANK_TEST_EXACT_PAIRS;
    if (rc == 0)
        rc = find_shift(base, base_count, new, new_count, &test);
    if (rc == 0)
        *ret_test = test;
    return rc;
}

double
rank_test_least_p(size_t base_count, size_t new_count)
{
    size_t size = base_count < new_count ? base_count : new_count;
    size_t other = base_count + new_count - size;
    double p = 1;

    for (size_t i = 1; i <= size; i++)
        p *= (double)i / (double)(other + i);
    return p;
}

double
rank_test_z(const double *sorted, size_t count, double value)
{
    double *away = calloc(count, sizeof(*away));
    double median;
    double sum = 0;
    double scale;

    if (away == NULL)
        return (double)NAN;
    for (size_t i = 0; i < count; i++)
        away[i] = sorted[i];
    median = num_median(away, count);
    for (size_t i = 0; i < count; i++) {
        away[i] = sorted[i] < median ? median - sorted[i] : sorted[i] - median;
        sum += away[i];
    }
    /* Both estimate the standard deviation of normal values. */
    scale = num_median(away, count) * 1.4826;
    if (!(scale > 0))
        scale = sum / (double)count * 1.253314;
    free(away);
    if (value > median || value < median)
        return scale > 0 ? (value - median) / scale
                         : (value > median ? 1 : -1) * (double)INFINITY;
    return 0;
}
