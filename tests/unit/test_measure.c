/* SPDX-License-Identifier: MIT */
/* The window of CPU %, copies, the curve, the commands at the peak. */
#include "base/num.h"
#include "engine/at_peak.h"
#include "engine/copies.h"
#include "engine/cpu_window.h"
#include "engine/measure.h"
#include "model/run.h"
#include "unit.h"

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

/* A string, and its size without the zero that C adds. */
#define TEXT(text) text, sizeof(text) - 1

static void
test_command(void **state)
{
    static const struct {
        const char *cmdline;
        size_t size;
        bool whole;
        const char *want;
    } cases[] = {
        {TEXT("/usr/bin/python3\0-u\0train.py\0--key=secret\0"), false,
         "python3 train.py"},
        {TEXT("/usr/bin/python3\0-u\0train.py\0"), true,
         "/usr/bin/python3 -u train.py"},
        {TEXT("sh\0-c\0export KEY=secret; run\0"), false, "sh"},
        {TEXT("a\0"), false, "a"},
        {TEXT("a"), false, "a"},
        {TEXT(""), false, ""},
        {TEXT("\0"), false, ""},
        {TEXT("dir/\0-x\0"), false, "dir/"},
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

/* A command that is too long is cut, not written beyond its end. */
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

/*
 * CPU that the child used before it entered its group is in all figures or in
 * none.
 */
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
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_command),
        cmocka_unit_test(test_command_cut),
        cmocka_unit_test(test_cgroup_split),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
