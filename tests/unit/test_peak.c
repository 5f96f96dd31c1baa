/* SPDX-License-Identifier: MIT */
/* Bounds and words of the peak, and budgets of memory. */
#include "base/num.h"
#include "engine/peak.h"
#include "engine/pss.h"
#include "model/run.h"
#include "unit.h"

#define MS(n) ((n)*NUM_NS_PER_MS)

static void
test_peak_sources(void **state)
{
    static const struct {
        int64_t sampled, mark, rusage; /* MiB; 0 for rusage: none */
        bool by_mark, complete;
        int64_t want;
        enum peak_source source;
        enum word word;
    } cases[] = {
        {500, 500, 500, true, true, 500, PEAK_SAMPLED, WORD_EXACT},
        {10, 500, 0, true, false, 500, PEAK_HIGH_WATER_MARK, WORD_AT_LEAST},
        {10, 10, 500, false, true, 500, PEAK_RUSAGE, WORD_EXACT},
        {900, 500, 500, true, false, 900, PEAK_SAMPLED, WORD_AT_LEAST},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct row row = {.rss_bytes = cases[i].sampled * NUM_MIB,
                          .processes = 1};
        struct peak_end end = {.is_complete = cases[i].complete,
                               .largest_mark_bytes = cases[i].mark * NUM_MIB,
                               .by_high_water_mark = cases[i].by_mark,
                               .slack_bytes = NUM_MIB / 2};
        struct run_memory memory = {0};
        struct peak peak;

        peak_init(&peak);
        peak_take_row(&peak, &row);
        if (cases[i].rusage > 0)
            peak_take_rusage(&peak, cases[i].rusage * NUM_MIB, NUM_MIB);
        peak_summarize(&peak, &end, &memory);
        assert_int_equal(memory.peak_rss_bytes, cases[i].want * NUM_MIB);
        assert_int_equal(memory.peak_rss_source, cases[i].source);
        assert_int_equal(memory.peak_rss_word, cases[i].word);
    }
}

/* ru_maxrss of pmon's own image bounds from above, not from below. */
static void
test_peak_inherited(void **state)
{
    struct row row = {.rss_bytes = 100 * 1024, .processes = 1};
    struct peak_end end = {.is_complete = true,
                           .largest_mark_bytes = 100 * 1024};
    struct run_memory memory = {0};
    struct peak peak;

    (void)state;
    peak_init(&peak);
    peak_take_row(&peak, &row);
    peak_take_rusage(&peak, 300 * NUM_MIB, 300 * NUM_MIB);
    peak_summarize(&peak, &end, &memory);
    assert_int_equal(memory.peak_rss_bytes, 100 * 1024);
    assert_int_equal(memory.peak_rss_upper_bytes, 300 * NUM_MIB);
    assert_int_equal(memory.peak_rss_word, WORD_BETWEEN);
}

/*
 * The block has the last of equal rows; messages and pictures have the first.
 */
static void
test_peak_of_equals(void **state)
{
    struct row row = {.elapsed_ns = 1, .rss_bytes = 5, .summed = 2};
    const struct peak_end end = {.largest_mark_bytes = 5};
    struct run_memory memory = {0};
    struct peak peak;

    (void)state;
    peak_init(&peak);
    peak_take_row(&peak, &row);
    row.elapsed_ns = 2;
    row.summed = 1;
    peak_take_row(&peak, &row);
    row = (struct row){.elapsed_ns = 3, .rss_bytes = 4};
    peak_take_row(&peak, &row);
    assert_int_equal(peak.last.elapsed_ns, 2);
    peak_summarize(&peak, &end, &memory);
    assert_int_equal(memory.peak_rss_elapsed_ns, 1);
    assert_int_equal(memory.peak_rss_processes, 2);
}

/* Shared pages: of several processes, more than a tenth, and not by PSS. */
static void
test_peak_shared(void **state)
{
    static const struct {
        int64_t summed, repeated, pss;
        bool want;
    } cases[] = {
        {2, 11, NUM_UNKNOWN, true},  {2, 10, NUM_UNKNOWN, false},
        {1, 99, NUM_UNKNOWN, false}, {2, 50, 89, true},
        {2, 50, 90, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct row row = {.rss_bytes = 100,
                          .summed = cases[i].summed,
                          .repeated_bytes = cases[i].repeated,
                          .pss_bytes = cases[i].pss};
        const struct peak_end end = {.largest_mark_bytes = 50};
        struct run_memory memory = {0};
        struct peak peak;

        peak_init(&peak);
        peak_take_row(&peak, &row);
        peak_summarize(&peak, &end, &memory);
        assert_int_equal(memory.peak_rss_shared_counted, cases[i].want);
    }
}

static void
test_slack(void **state)
{
    (void)state;
    assert_int_equal(peak_counter_slack("6.18.44", 2, 9, 4096),
                     3 * 32 * 2 * 4096);
    assert_int_equal(peak_counter_slack("6.2.0", 64, 1, 4096),
                     INT64_C(3) * 128 * 64 * 4096);
    assert_int_equal(peak_counter_slack("6.1.192", 64, 5, 4096), 64 * 5 * 4096);
    assert_int_equal(peak_counter_slack("5.10.0-8", 2, 1, 4096), 64 * 4096);
    assert_int_equal(peak_counter_slack("odd", 1, 1, 4096), 3 * 32 * 4096);
}

static void
test_pss_budget(void **state)
{
    struct pss pss;

    (void)state;
    pss_init(&pss, true, NUM_UNKNOWN);
    assert_true(pss_is_due(&pss, 100, 0));
    pss.peak.pss_bytes = 90;
    pss_spent(&pss, 0, MS(2));
    assert_false(pss_is_due(&pss, 90, MS(1000))); /* cannot be more */
    assert_false(pss_is_due(&pss, 95, MS(199)));  /* over 1 % of the time */
    assert_true(pss_is_due(&pss, 95, MS(200)));
    pss_init(&pss, false, NUM_UNKNOWN);
    assert_false(pss_is_due(&pss, 100, MS(1000)));
    pss_init(&pss, false, 100); /* for a budget of 100 */
    assert_false(pss_is_due(&pss, 100, MS(1000)));
    assert_true(pss_is_due(&pss, 101, MS(1000)));
}

/* RSS within the limit of 60; above it PSS; RSS if PSS is unknown. */
static void
test_memory_budget(void **state)
{
    static const struct {
        struct budget_memory memory;
        int64_t value;
        enum budget_figure figure;
    } cases[] = {
        {{60, NUM_UNKNOWN, NUM_UNKNOWN, 60}, 60, BUDGET_BY_RSS},
        {{61, 60, 60, 60}, 60, BUDGET_BY_PSS},
        {{90, 61, 61, 20}, 61, BUDGET_BY_PSS},
        {{61, NUM_UNKNOWN, NUM_UNKNOWN, 61}, 61, BUDGET_BY_RSS},
        {{90, 40, 60, 40}, 60, BUDGET_BY_PSS}, /* one is hidden, and small */
        {{90, 40, 61, 40}, 90, BUDGET_BY_RSS},
        {{90, 40, 40, 61}, 90, BUDGET_BY_RSS}, /* it grew between two reads */
        {{90, NUM_UNKNOWN, 55, 55}, 55, BUDGET_BY_PSS}, /* all are hidden */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct budgets budgets;
        struct budget *budget = &budgets.list[BUDGET_RSS];

        budgets_init(&budgets);
        assert_false(budgets_take_memory(&budgets, &cases[i].memory));
        assert_int_equal(budget->figure, BUDGET_BY_UNKNOWN);
        budget->limit = 60;
        budget->action = BUDGET_STOP;
        assert_int_equal(budgets_take_memory(&budgets, &cases[i].memory),
                         cases[i].value > 60);
        assert_int_equal(budget->value, cases[i].value);
        assert_int_equal(budget->figure, cases[i].figure);
        assert_int_equal(budgets_are_kept(&budgets), cases[i].value <= 60);
    }
}

/* An exceeded budget stays exceeded, whatever is read later. */
static void
test_memory_budget_stays(void **state)
{
    struct budgets budgets;

    (void)state;
    budgets_init(&budgets);
    budgets.list[BUDGET_RSS].limit = 60;
    budgets_take_memory(&budgets, &(struct budget_memory){90, 40, 40, 61});
    budgets_take_memory(&budgets, &(struct budget_memory){90, 40, 40, 59});
    assert_false(budgets_are_kept(&budgets));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_peak_sources),
        cmocka_unit_test(test_peak_inherited),
        cmocka_unit_test(test_peak_of_equals),
        cmocka_unit_test(test_peak_shared),
        cmocka_unit_test(test_slack),
        cmocka_unit_test(test_pss_budget),
        cmocka_unit_test(test_memory_budget),
        cmocka_unit_test(test_memory_budget_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
