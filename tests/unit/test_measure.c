/* SPDX-License-Identifier: MIT */
/* Window of CPU %, bounds and words of the peak, copies, the curve. */
#include "base/num.h"
#include "engine/at_peak.h"
#include "engine/copies.h"
#include "engine/cpu_window.h"
#include "engine/measure.h"
#include "engine/peak.h"
#include "engine/pss.h"
#include "model/run.h"
#include "unit.h"
#include "views/human.h"

#define MS(n) ((n)*NUM_NS_PER_MS)

static void
test_window(void **state)
{
    static struct cpu_window window;

    (void)state;
    cpu_window_init(&window, MS(10));
    assert_double_equal(cpu_window_push(&window, 0, 0), 0);
    /* From the start, until a row is 100 ms old. */
    assert_double_equal(cpu_window_push(&window, MS(10), MS(5)), 50);
    assert_double_equal(cpu_window_push(&window, MS(50), MS(50)), 100);
    assert_double_equal(cpu_window_push(&window, MS(100), MS(50)), 50);
    /* From the row at 10 ms, not from that at 50 ms. */
    assert_double_equal(cpu_window_push(&window, MS(110), MS(105)), 100);
    /* Rows farther apart: from the row before. */
    assert_double_equal(cpu_window_push(&window, MS(1110), MS(2105)), 200);
}

static void
test_window_dense(void **state)
{
    static struct cpu_window window;
    double percent = 0;

    (void)state;
    cpu_window_init(&window, MS(1));
    for (int i = 0; i <= 1000; i++)
        percent = cpu_window_push(&window, MS(i), MS(i) / 2);
    assert_near(percent, 50, 0.1);
}

/* Late rows 100 ms apart: rates times distances still add up. */
static void
test_window_jitter(void **state)
{
    static const int64_t at_ms[] = {0, 100, 221, 300, 480, 503, 600};
    static struct cpu_window window;
    double sum = 0;

    (void)state;
    cpu_window_init(&window, MS(100));
    cpu_window_push(&window, 0, 0);
    for (size_t i = 1; i < ARRAY_SIZE(at_ms); i++) {
        double percent =
            cpu_window_push(&window, MS(at_ms[i]), MS(at_ms[i] * at_ms[i]));

        if (at_ms[i] - at_ms[i - 1] > 75)
            sum += percent * (double)(at_ms[i] - at_ms[i - 1]) / 100;
        else
            sum += (double)(at_ms[i] * at_ms[i] - at_ms[i - 1] * at_ms[i - 1]);
    }
    assert_near(sum, 360000, 1);
}

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

/* The block has the last of equal rows, words and pictures the first. */
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
test_copies(void **state)
{
    static const struct {
        uint32_t flags;
        int64_t age_ms;
        char state;
        int64_t cpu_ms;
        bool left_out;
    } cases[] = {
        {0, 0, 'R', 0, false},      /* has exec'ed */
        {0x40, 100, 'S', 50, true}, /* too young */
        {0x40, 250, 'R', 1, true},  /* has done nothing yet */
        {0x40, 250, 'S', 0, false}, /* a sleeping worker */
        {0x40, 250, 'R', 5, false}, /* a working one */
        {0x40, 250, 'D', 0, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct member member = {.is_left_out = true,
                                .clock_ns = MS(cases[i].cpu_ms)};
        struct proc_stat stat = {.flags = cases[i].flags,
                                 .start_ticks = 1000,
                                 .state = cases[i].state};

        copies_update(&member, &stat, MS(10000 + cases[i].age_ms), 100);
        assert_int_equal(member.is_left_out, cases[i].left_out);
        assert_int_equal(member.is_copy, cases[i].flags != 0);
    }
}

static void
test_series(void **state)
{
    struct run run = {0};
    struct series series;
    double largest = 0;

    (void)state;
    series_init(&series, MS(100));
    for (int i = 0; i < 100000; i++) {
        struct row row = {.elapsed_ns = MS(100) * i, .rss_bytes = i % 777};

        if (i == 43210)
            row.rss_bytes = 1000000;
        assert_int_equal(series_push(&series, &row), 0);
    }
    assert_int_equal(series_take(&series, &run.series), 0);
    series_done(&series);
    assert_in_range(run.series.count, 129, 512);
    for (size_t i = 0; i < run.series.count; i++) {
        largest = num_max_double(largest, run.series.rss_bytes[i]);
        if (run.series.rss_bytes[i] > 999999)
            assert_int_equal(run.series.elapsed_ns[i], MS(100) * 43210);
    }
    assert_float_equal(largest, 1000000, 0);
    run_done(&run);
}

static void
test_command(void **state)
{
    static const struct {
        const char *cmdline;
        size_t size;
        bool whole;
        const char *want;
    } cases[] = {
        {"/usr/bin/python3\0-u\0train.py\0--key=secret\0", 44, false,
         "python3 train.py"},
        {"/usr/bin/python3\0-u\0train.py\0", 29, true,
         "/usr/bin/python3 -u train.py"},
        {"sh\0-c\0export KEY=secret; run\0", 30, false, "sh"},
        {"a\0", 2, false, "a"},
        {"a", 1, false, "a"},
        {"", 0, false, ""},
        {"\0", 1, false, ""},
        {"dir/\0-x\0", 8, false, "dir/"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char command[64];
        char cmdline[64] = {0};

        memcpy(cmdline, cases[i].cmdline, cases[i].size);
        at_peak_command(cmdline, cases[i].size, cases[i].whole, command,
                        sizeof(command));
        assert_string_equal(command, cases[i].want);
    }
}

/* A command longer than its room is cut, not written beyond. */
static void
test_command_cut(void **state)
{
    char cmdline[] = "/bin/abcdefghijkl\0x";
    char command[8];

    (void)state;
    at_peak_command(cmdline, sizeof(cmdline) - 1, false, command,
                    sizeof(command));
    assert_string_equal(command, "abcdefg");
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

/* RSS within the limit of 60; beyond it PSS; RSS where that is not known. */
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

/* What was exceeded stays so, whatever is read later. */
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

static void
test_human(void **state)
{
    static const struct {
        int64_t value;
        const char *bytes;
        const char *duration;
    } cases[] = {
        {0, "0 B", "0 s"},
        {999, "999 B", "999 ns"},
        {1024, "1.00 KiB", "1.0 \u00b5s"},
        {49940, "48.8 KiB", "49.9 \u00b5s"},
        {999400, "976 KiB", "999 \u00b5s"},
        {999600, "976 KiB", "1.0 ms"},
        {12300000, "11.7 MiB", "12 ms"},
        {99400000, "94.8 MiB", "99 ms"},
        {99600000, "95.0 MiB", "0.10 s"},
        {4200000, "4.01 MiB", "4.2 ms"},
        {530000000, "505 MiB", "0.53 s"},
        {12300000000, "11.5 GiB", "12.3 s"},
        {59960000000, "55.8 GiB", "1 min 0.0 s"},
        {123400000000, "115 GiB", "2 min 3.4 s"},
        {3723000000000, "3.39 TiB", "1 h 2 min 3 s"},
        {1073741824, "1.00 GiB", "1.1 s"},
        {1073000000, "1.00 GiB", "1.1 s"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO bytes = {0};
        STRBUF_AUTO duration = {0};

        human_bytes(&bytes, cases[i].value);
        human_duration(&duration, cases[i].value);
        assert_string_equal(strbuf_text(&bytes), cases[i].bytes);
        assert_string_equal(strbuf_text(&duration), cases[i].duration);
    }
}

/* What the child used before it entered its group is in all or in none. */
static void
test_cgroup_split(void **state)
{
    static struct measure measure = {.base_cpu_ns = MS(3)};
    struct cgroup_cpu cpu = {MS(100), MS(60), MS(40)};

    (void)state;
    measure_take_cgroup_cpu(&measure, &cpu);
    assert_int_equal(measure.outside.total_ns, MS(103));
    assert_int_equal(measure.outside.user_ns + measure.outside.system_ns,
                     measure.outside.total_ns);
    /* Version 1 has no split. */
    cpu = (struct cgroup_cpu){MS(100), NUM_UNKNOWN, NUM_UNKNOWN};
    measure_take_cgroup_cpu(&measure, &cpu);
    assert_int_equal(measure.outside.system_ns, NUM_UNKNOWN);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_window_dense),
        cmocka_unit_test(test_window_jitter),
        cmocka_unit_test(test_peak_sources),
        cmocka_unit_test(test_peak_inherited),
        cmocka_unit_test(test_peak_of_equals),
        cmocka_unit_test(test_peak_shared),
        cmocka_unit_test(test_slack),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_command),
        cmocka_unit_test(test_command_cut),
        cmocka_unit_test(test_pss_budget),
        cmocka_unit_test(test_memory_budget),
        cmocka_unit_test(test_memory_budget_stays),
        cmocka_unit_test(test_human),
        cmocka_unit_test(test_cgroup_split),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
