/* SPDX-License-Identifier: MIT */
/*
 * How often pmon compare calls noise a change, and how often it finds one:
 * make gate-sim.  Draws times of runs, and asks the functions that decide.
 * A run takes 10 s with a standard deviation of 3 %; an outlier takes twice as
 * long.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/num.h"
#include "commands/compare_state.h"

enum { DRAWS = 10000, RUNS_MOST = 10 };

struct size {
    size_t base;
    size_t new;
};

/* How many of the comparisons. */
struct result {
    int more;
    int less;
    int over;       /* with --fail-over wall=5% */
    int more_range; /* by ranges that do not overlap, the rule before */
};

/* A number from 0 to 1, by xorshift64*. */
static double
draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(2685821657736338717)) >> 11) /
           9007199254740992.0;
}

/* A normal value as the sum of twelve. */
static double
draw_run(uint64_t *state, double outliers)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += draw(state);
    return 10 * (1 + 0.03 * sum) * (draw(state) < outliers ? 2 : 1);
}

static struct compare_spread
draw_side(uint64_t *state, size_t count, double factor, double outliers,
          double *values)
{
    struct compare_spread side = {.values = values, .count = count};

    for (size_t i = 0; i < count; i++)
        values[i] = factor * draw_run(state, outliers);
    side.median = num_median(values, count);
    side.min = values[0];
    side.max = values[count - 1];
    return side;
}

static struct result
simulate(const struct size *size, double factor, double outliers)
{
    static const struct compare_limit limit = {
        .is_set = true, .is_relative = true, .value = 5};
    uint64_t state = 20261201;
    struct result result = {0};
    double values[SIDES][RUNS_MOST];

    for (int i = 0; i < DRAWS; i++) {
        struct compare_spread side[SIDES];
        struct compare_verdict verdict;

        side[SIDE_BASE] =
            draw_side(&state, size->base, 1, outliers, values[SIDE_BASE]);
        side[SIDE_NEW] =
            draw_side(&state, size->new, factor, outliers, values[SIDE_NEW]);
        if (compare_judge(side, 0.05, &verdict) < 0)
            exit(EXIT_FAILURE);
        result.more += verdict.is_changed && verdict.change[0] == 'm' ? 1 : 0;
        result.less += verdict.is_changed && verdict.change[0] == 'l' ? 1 : 0;
        result.over += compare_is_over(&limit, side, &verdict) ? 1 : 0;
        result.more_range += side[SIDE_NEW].min > side[SIDE_BASE].max ? 1 : 0;
    }
    return result;
}

static double
percent(int count)
{
    return 100.0 * count / DRAWS;
}

static void
print_size(const struct size *size, double outliers)
{
    struct result same = simulate(size, 1, outliers);
    struct result tenth = simulate(size, 1.1, outliers);
    struct result half = simulate(size, 1.5, outliers);

    printf("| %zu x %zu | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | "
           "%.1f |\n",
           size->base, size->new, percent(same.more), percent(same.less),
           percent(same.over), percent(tenth.over), percent(half.over),
           percent(same.more_range), percent(tenth.more_range),
           percent(half.more_range));
}

int
main(void)
{
    static const struct size sizes[] = {{1, 1},   {2, 2},  {3, 3},
                                        {5, 5},   {5, 1},  {1, 5},
                                        {10, 10}, {10, 1}, {1, 10}};
    static const double outliers[] = {0, 0.1};

    for (size_t k = 0; k < ARRAY_SIZE(outliers); k++) {
        printf("%sOf all runs, %.0f %% are outliers. In %% of %d comparisons "
               "(base x new runs):\n\n",
               k > 0 ? "\n" : "", outliers[k] * 100, DRAWS);
        printf("| runs | same: more | same: less | same: exceeded | "
               "+10 %%: exceeded | +50 %%: exceeded | same: ranges apart | "
               "+10 %%: ranges apart | +50 %%: ranges apart |\n"
               "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
        for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
            print_size(&sizes[i], outliers[k]);
    }
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
