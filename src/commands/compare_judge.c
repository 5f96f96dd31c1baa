/* SPDX-License-Identifier: MIT */
/* Collects a figure of the runs of a step, and tests whether it changed. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "commands/compare_state.h"
#include "commands/unfinished.h"
#include "model/rank_test.h"

struct compare_key
compare_key_of(const struct compare *compare, const struct run *run)
{
    return (struct compare_key){
        run_name(run), run->command.tasks != 1 ? run->command.rank : NULL,
        run->command.array_index,
        compare->tag != NULL ? run_tag(run, compare->tag) : NULL};
}

static bool
is_same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

bool
compare_key_is_same(struct compare_key a, struct compare_key b)
{
    return strcmp(a.step, b.step) == 0 && is_same_text(a.rank, b.rank) &&
           is_same_text(a.array_index, b.array_index) &&
           is_same_text(a.tag, b.tag);
}

bool
compare_has(const struct compare *compare, struct compare_key key,
            const struct run *run)
{
    return compare->is_pair ||
           compare_key_is_same(compare_key_of(compare, run), key);
}

static const char *
weaker(const char *a, const char *b)
{
    static const char *const words[] = {"at least", "between", "exact"};

    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if ((a != NULL && strcmp(a, words[i]) == 0) ||
            (b != NULL && strcmp(b, words[i]) == 0))
            return words[i];
    return NULL;
}

int
compare_spread_take(const struct compare *compare, int side,
                    struct compare_key key, const struct run_field *field,
                    struct compare_spread *ret_spread)
{
    const struct run_list *runs = &compare->runs[side];
    double *values = calloc(runs->count + 1, sizeof(*values));
    struct compare_spread spread = {.values = values,
                                    .median = (double)NAN,
                                    .min = (double)NAN,
                                    .max = (double)NAN};

    if (values == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < runs->count; i++) {
        const struct run *run = &runs->list[i];

        if (!compare_has(compare, key, run))
            continue;
        spread.is_broken |= !unfinished_is_whole(run);
        if (!isfinite(run_field_number(field, run)))
            continue;
        values[spread.count++] = run_field_number(field, run);
        spread.word = weaker(spread.word, run_field_word(field, run));
    }
    if (spread.count > 0) {
        spread.median = num_median(values, spread.count);
        spread.min = values[0];
        spread.max = values[spread.count - 1];
    }
    *ret_spread = spread;
    return 0;
}

/* Allows for rounding: p of 3 and 3 runs can be exactly 0.05. */
static bool
is_within(double p, double alpha)
{
    return p <= alpha * (1 + 1e-9);
}

size_t
compare_enough(double alpha)
{
    size_t count = 2;

    while (!is_within(rank_test_least_p(count, count), alpha))
        count++;
    return count;
}

/* Judges one run against several: whether it is an outlier among them. */
static int
judge_single(const struct compare_spread *base,
             const struct compare_spread *new, struct compare_verdict *verdict)
{
    double z = new->count == 1
                   ? rank_test_z(base->values, base->count, new->median)
                   : -rank_test_z(new->values, new->count, base->median);

    if (isnan(z))
        return -ENOMEM;
    verdict->z = z;
    verdict->is_changed = z > RANK_TEST_Z_LIMIT || z < -RANK_TEST_Z_LIMIT;
    verdict->change = !verdict->is_changed ? "within noise"
                      : z > 0              ? "more"
                                           : "less";
    return 0;
}

static void
judge_ranks(const struct rank_test *test, double alpha,
            struct compare_verdict *verdict)
{
    bool is_more = test->p_more < test->p_less;

    verdict->p = is_more ? test->p_more : test->p_less;
    verdict->is_changed = is_within(verdict->p, alpha);
    verdict->change = !verdict->is_changed ? "within noise"
                      : is_more            ? "more"
                                           : "less";
}

/*
 * Judges a figure only if all runs ended by themselves: a killed run has used
 * only a part of what it needs.
 */
int
compare_judge(const struct compare_spread *spread, double alpha,
              struct compare_verdict *ret_verdict)
{
    const struct compare_spread *base = &spread[SIDE_BASE];
    const struct compare_spread *new = &spread[SIDE_NEW];
    struct compare_verdict verdict = {.p = (double)NAN,
                                      .p_least = (double)NAN,
                                      .z = (double)NAN,
                                      .shift = (double)NAN,
                                      .low = (double)NAN,
                                      .high = (double)NAN};
    struct rank_test test;
    int rc = 0;

    *ret_verdict = verdict;
    if (base->count == 0 || new->count == 0)
        return 0;
    ret_verdict->change = "not decided";
    if (base->is_broken || new->is_broken)
        return 0;
    if (rank_test(base->values, base->count, new->values, new->count, &test) <
        0)
        return -ENOMEM;
    verdict.is_known = true;
    verdict.shift = test.shift;
    verdict.low = test.low;
    verdict.high = test.high;
    verdict.p_least = rank_test_least_p(base->count, new->count);
    if (base->count + new->count > RANK_TEST_Z_VALUES &&
        (base->count == 1 || new->count == 1)) {
        rc = judge_single(base, new, &verdict);
    } else if (is_within(verdict.p_least, alpha)) {
        judge_ranks(&test, alpha, &verdict);
    } else {
        verdict.is_untested = true;
        verdict.change = "too few runs";
    }
    *ret_verdict = verdict;
    return rc;
}

bool
compare_is_over(const struct compare_limit *limit,
                const struct compare_spread *spread,
                const struct compare_verdict *verdict)
{
    double base = spread[SIDE_BASE].median;
    double most = limit->is_relative ? base + base * limit->value / 100
                                     : base + limit->value;

    return spread[SIDE_NEW].median > most &&
           (verdict->is_untested ||
            (verdict->is_changed && strcmp(verdict->change, "more") == 0));
}
