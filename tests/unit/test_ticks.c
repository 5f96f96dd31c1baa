/* SPDX-License-Identifier: MIT */
/* Makes rows of recorded ticks, with a clock of the test. */
#include "base/num.h"
#include "engine/measure.h"
#include "lib/recorded.h"
#include "unit.h"

#define MS(n) ((n)*NUM_NS_PER_MS)
#define PAGES(n) ((n)*INT64_C(4096))

enum { LOOKS = 8 };

/* A clock whose reads take this long, and a run that uses it. */
struct stage {
    struct clock_source clock;
    int64_t now_ns;
    int64_t look_ns;
    const int64_t *waits_ms; /* of the first reads; then none */
    int looks;
    struct proc_recorded recorded;
    struct measure measure;
    struct moment now;
    struct row row;
};

static int64_t
slow_now(const struct clock_source *clock, clockid_t id)
{
    struct stage *stage = (struct stage *)(uintptr_t)clock;

    if (id == CLOCK_THREAD_CPUTIME_ID)
        return 0;
    stage->now_ns += stage->look_ns;
    /* The next tick is due while pmon waits. */
    if (stage->waits_ms != NULL && stage->looks < LOOKS &&
        stage->waits_ms[stage->looks++] > 0) {
        stage->now_ns += MS(stage->waits_ms[stage->looks - 1]);
        assert_true(proc_recorded_next(&stage->recorded));
    }
    return stage->now_ns;
}

static void
begin(struct stage *stage, const char *script)
{
    struct measure_options options = {.interval_ns = MS(100), .cores = 2};
    bool is_pending;

    *stage = (struct stage){.clock = {slow_now}};
    proc_recorded_init(&stage->recorded, script);
    assert_true(proc_recorded_next(&stage->recorded));
    assert_int_equal(
        measure_init(&stage->measure, &stage->recorded.source, 1, &options), 0);
    measure_hold(&stage->measure, 100, &stage->now);
    measure_start(&stage->measure, 100, &stage->now, &stage->row, &is_pending);
}

static void
tick(struct stage *stage)
{
    stage->now.monotonic_ns += MS(100);
    stage->now.boottime_ns += MS(100);
    stage->now_ns = stage->now.monotonic_ns;
    measure_tick(&stage->measure, &stage->clock, &stage->now, &stage->row);
}

static void
end(struct stage *stage)
{
    measure_done(&stage->measure);
    proc_recorded_done(&stage->recorded);
}

/* The time of a row is when its clocks were read, not when its pass began. */
static void
test_long_pass(void **state)
{
    static const struct {
        int64_t look_ms;
        int64_t want_ms;
    } cases[] = {{1, 100}, {40, 220}};

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct stage stage;

        begin(&stage, "tick\n100 clock=5 rss=3\n");
        stage.look_ns = MS(cases[i].look_ms);
        tick(&stage);
        assert_int_equal(stage.row.elapsed_ns / MS(1), cases[i].want_ms);
        assert_int_equal(stage.now.monotonic_ns, stage.row.elapsed_ns);
        end(&stage);
    }
}

/*
 * If pmon had to wait for long, the row has the processes that live at its
 * time.
 */
static void
test_interrupted_pass(void **state)
{
    static const struct {
        int64_t waits_ms[LOOKS];
        int64_t want_ms;
        int64_t processes;
        int64_t pages;
        int64_t cpu_ms;
    } cases[] = {
        {{4}, 100, 1, 3, 5},
        {{60}, 160, 2, 17, 16},
        {{60, 0, 0, 60}, 220, 3, 18, 18},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct stage stage;

        begin(&stage, "tick\n100 clock=5 rss=3\n"
                      "tick\n100 clock=9 rss=10\n101 ppid=100 clock=7 rss=7\n"
                      "tick\n101 clock=8\n102 ppid=101 clock=1 rss=1\n");
        stage.waits_ms = cases[i].waits_ms;
        tick(&stage);
        assert_int_equal(stage.row.elapsed_ns / MS(1), cases[i].want_ms);
        assert_int_equal(stage.row.processes, cases[i].processes);
        assert_int_equal(stage.row.rss_bytes, PAGES(cases[i].pages));
        assert_int_equal(stage.row.cpu_ns + stage.measure.base_cpu_ns,
                         MS(cases[i].cpu_ms));
        end(&stage);
    }
}

/* A row without processes is not at a time when one lived. */
static void
test_ends_in_the_pass(void **state)
{
    static const int64_t waits_ms[LOOKS] = {0};
    struct stage stage;

    (void)state;
    begin(&stage, "tick\n100 clock=5 rss=3\ntick\n100 gone\n");
    assert_true(proc_recorded_next(&stage.recorded));
    stage.waits_ms = waits_ms;
    stage.look_ns = MS(2);
    tick(&stage);
    assert_int_equal(stage.row.processes, 0);
    assert_int_equal(stage.row.elapsed_ns / MS(1), 102);
    end(&stage);
}

/* A row has at most the time of all processors, the next row has the rest. */
static void
test_most_of_a_row(void **state)
{
    static const int64_t want_percent[] = {200, 200, 100, 0};
    struct stage stage;

    (void)state;
    begin(&stage, "tick\n100 clock=0 rss=3\ntick\n100 clock=500\n"
                  "tick\ntick\ntick\n");
    for (size_t i = 0; i < ARRAY_SIZE(want_percent); i++) {
        assert_true(proc_recorded_next(&stage.recorded));
        tick(&stage);
        assert_double_equal(stage.row.cpu_percent, (double)want_percent[i]);
    }
    assert_int_equal(stage.row.cpu_ns, MS(500));
    end(&stage);
}

/* A step that ends before its first row has the RSS of ru_maxrss. */
static void
test_ended_at_once(void **state)
{
    static const struct {
        int64_t maxrss_kib;
        unsigned long cminflt;
        bool root_only;
        int64_t want_kib;
    } cases[] = {{1300, 0, false, 1300}, {1300, 9, false, 1300},
                 {560, 0, false, 4},     {1300, 0, true, 1300},
                 {1300, 9, true, 4},     {0, 0, false, 0}};

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct accounts_zombie zombie = {.has_stat = true,
                                         .stat = {.cminflt = cases[i].cminflt}};
        struct rusage usage = {.ru_maxrss = cases[i].maxrss_kib};
        struct run run;
        struct stage stage;

        begin(&stage, "tick\n100 state=Z\n");
        stage.measure.options.root_only = cases[i].root_only;
        measure_take_image(&stage.measure, INT64_C(768) * 1024);
        measure_reaped(&stage.measure, 100, true, &zombie, &usage);
        measure_first_row(&stage.measure, &stage.row);
        assert_int_equal(stage.row.rss_bytes / 1024, cases[i].want_kib);
        /* The peak, at an unknown time. */
        run_init(&run);
        measure_summarize(&stage.measure, &stage.now, &run);
        if (!cases[i].root_only)
            assert_int_equal(run.memory.peak_rss_bytes, stage.row.rss_bytes);
        assert_int_equal(run.memory.peak_rss_elapsed_ns, NUM_UNKNOWN);
        assert_int_equal(run.memory.sampled_peak_rss_bytes, NUM_UNKNOWN);
        assert_int_equal(run.memory.peak_rss_source,
                         cases[i].want_kib > 0 ? PEAK_RUSAGE : PEAK_SAMPLED);
        assert_int_equal(run.peak_row.rss_bytes, stage.row.rss_bytes);
        run_done(&run);
        end(&stage);
    }
}

/* CPU time that is in no row is in the mean, and so in the maximum. */
static void
test_mean_above_rows(void **state)
{
    struct accounts_zombie zombie = {.has_stat = true};
    struct rusage usage = {.ru_maxrss = 1300, .ru_utime = {.tv_usec = 65000}};
    struct run run;
    struct stage stage;

    (void)state;
    run_init(&run);
    begin(&stage, "tick\n100 state=Z\n");
    measure_reaped(&stage.measure, 100, true, &zombie, &usage);
    measure_first_row(&stage.measure, &stage.row);
    stage.now.monotonic_ns += MS(100);
    measure_finish(&stage.measure, &stage.clock, &stage.now, false, &stage.row);
    measure_summarize(&stage.measure, &stage.now, &run);
    assert_int_equal((int)(run.cpu.mean_percent + 0.5), 65);
    assert_at_least(run.cpu.max_percent, run.cpu.mean_percent);
    run_done(&run);
    end(&stage);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_pass),
        cmocka_unit_test(test_interrupted_pass),
        cmocka_unit_test(test_ends_in_the_pass),
        cmocka_unit_test(test_most_of_a_row),
        cmocka_unit_test(test_ended_at_once),
        cmocka_unit_test(test_mean_above_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
