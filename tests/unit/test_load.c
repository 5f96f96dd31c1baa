/* SPDX-License-Identifier: MIT */
/* Quota, throttling, pressure and steal, as recorded on other machines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"
#include "base/strbuf.h"
#include "host/load.h"
#include "model/run.h"
#include "unit.h"
#include "views/closing_parts.h"
#include "views/closing_words.h"

static void
test_cpu_max(void **state)
{
    static const struct {
        const char *text;
        double want; /* 0: none */
    } cases[] = {
        {"50000 100000\n", 0.5},
        {"250000 100000\n", 2.5},
        {"max 100000\n", 0},
        {"50000 0\n", 0},
        {"50000\n", 0},
        {"50000x 100000\n", 0},
        {"-1 100000\n", 0},
        {"99999999999999999999999999 1\n", 0},
        {"", 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        double got = load_parse_cpu_max(cases[i].text);

        if (cases[i].want > 0)
            assert_double_equal(got, cases[i].want);
        else
            assert_true(isnan(got));
    }
}

static void
test_cpu_stat(void **state)
{
    static const struct {
        const char *text;
        int64_t ns;
        int64_t periods;
    } cases[] = {
        /* version 1 */
        {"nr_periods 60\nnr_throttled 58\nthrottled_time 2914356123\n"
         "nr_bursts 0\nburst_time 0\n",
         2914356123, 58},
        /* version 2, Linux 6.1 */
        {"usage_usec 3012345\nuser_usec 3000000\nsystem_usec 12345\n"
         "nr_periods 60\nnr_throttled 58\nthrottled_usec 2914356\n"
         "nr_bursts 0\nburst_usec 0\n",
         2914356000, 58},
        /* version 2, without the controller */
        {"usage_usec 3012345\nuser_usec 3000000\nsystem_usec 12345\n",
         NUM_UNKNOWN, NUM_UNKNOWN},
        {"", NUM_UNKNOWN, NUM_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct load_counters got;

        load_parse_cpu_stat(cases[i].text, &got);
        assert_int_equal(got.throttled_ns, cases[i].ns);
        assert_int_equal(got.throttled_periods, cases[i].periods);
    }
}

static void
test_pressure(void **state)
{
    static const struct {
        const char *text;
        int64_t want;
    } cases[] = {
        {"some avg10=76.81 avg60=61.15 avg300=43.68 total=3471600329\n"
         "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n",
         3471600329000},
        {"full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n", NUM_UNKNOWN},
        {"some avg10=0.00\nfull avg10=0.00 total=7\n", NUM_UNKNOWN},
        {"some avg10=0.00 total=\n", NUM_UNKNOWN},
        {"some avg10=0.00 total=12x\n", NUM_UNKNOWN},
        {"", NUM_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        assert_int_equal(load_parse_pressure(cases[i].text), cases[i].want);
}

static void
test_steal(void **state)
{
    (void)state;
    assert_int_equal(load_parse_steal("cpu  1 2 3 4 5 6 7 150 9 10\n"
                                      "cpu0 1 2 3 4 5 6 7 8 9 10\n",
                                      100),
                     1500 * NUM_NS_PER_MS);
    /* Linux 2.6.10 and before */
    assert_int_equal(load_parse_steal("cpu  1 2 3 4 5 6 7\ncpu0 1 2\n", 100),
                     NUM_UNKNOWN);
    assert_int_equal(load_parse_steal("cpu0 1 2 3 4 5 6 7 8\n", 100),
                     NUM_UNKNOWN);
    assert_int_equal(load_parse_steal("", 100), NUM_UNKNOWN);
}

struct tree {
    char top[64];
    char own[96];
    char proc[96];
};

static void
put(const char *folder, const char *name, const char *text)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int
setup(void **state)
{
    struct tree *tree = calloc(1, sizeof(*tree));

    if (tree == NULL)
        return -1;
    *state = tree;
    strcpy(tree->top, "/tmp/pmon-load.XXXXXX");
    if (mkdtemp(tree->top) == NULL)
        return -1;
    snprintf(tree->own, sizeof(tree->own), "%s/own", tree->top);
    snprintf(tree->proc, sizeof(tree->proc), "%s/proc", tree->top);
    if (mkdir(tree->own, 0755) != 0)
        return -1;
    return mkdir(tree->proc, 0755);
}

static int
teardown(void **state)
{
    struct tree *tree = *state;
    char command[96];

    snprintf(command, sizeof(command), "rm -r '%s'", tree->top);
    free(tree);
    return system(command) != 0;
}

/* Version 2: the smallest quota is in a group above, and its file counts. */
static void
test_unified(void **state)
{
    struct tree *tree = *state;
    struct cgroup_place place = {.unified = tree->own,
                                 .unified_mount = tree->top};
    struct load_counters now;
    struct load load;

    put(tree->top, "cpu.max", "5000 100000\n");
    put(tree->top, "cpu.stat", "nr_throttled 3\nthrottled_usec 40\n");
    put(tree->own, "cpu.max", "max 100000\n");
    put(tree->own, "cpu.stat", "nr_throttled 0\nthrottled_usec 0\n");
    put(tree->own, "cgroup.type", "domain\n");
    put(tree->own, "cpu.pressure", "some avg10=0.00 total=5\n");
    put(tree->own, "io.pressure", "some avg10=0.00 total=6\n");
    assert_int_equal(load_init(&load, &place, 0, tree->proc), 0);
    assert_double_equal(load.quota_cores, 0.05);
    assert_double_equal(load.cpus_allowed, 0.05);
    assert_string_equal(load.throttled, tree->top);
    assert_string_equal(load.pressure, tree->own);
    put(tree->top, "cpu.stat", "nr_throttled 9\nthrottled_usec 100\n");
    load_read(&load, &now);
    assert_int_equal(now.throttled_periods - load.start.throttled_periods, 6);
    assert_int_equal(now.throttled_ns - load.start.throttled_ns, 60000);
    assert_int_equal(now.pressure_ns[LOAD_PRESSURE_CPU], 5000);
    assert_int_equal(now.pressure_ns[LOAD_PRESSURE_MEMORY], NUM_UNKNOWN);
    assert_int_equal(now.pressure_ns[LOAD_PRESSURE_IO], 6000);
    load_done(&load);
}

/* Without a quota, the own group counts; without a group, nothing is known. */
static void
test_no_quota(void **state)
{
    struct tree *tree = *state;
    struct cgroup_place old = {.cpu = tree->own, .cpu_mount = tree->own};
    struct cgroup_place none = {0};
    struct load load;

    put(tree->own, "cpu.cfs_quota_us", "-1\n");
    put(tree->own, "cpu.cfs_period_us", "100000\n");
    put(tree->own, "cpu.stat", "nr_throttled 0\nthrottled_time 0\n");
    assert_int_equal(load_init(&load, &old, 0, tree->proc), 0);
    assert_true(isnan(load.quota_cores));
    assert_true(load.cpus_allowed >= 1);
    assert_int_equal(load.start.throttled_ns, 0);
    load_done(&load);
    assert_int_equal(load_init(&load, &none, 0, tree->proc), 0);
    assert_true(isnan(load.quota_cores));
    assert_int_equal(load.start.throttled_ns, NUM_UNKNOWN);
    load_done(&load);
}

/* A kernel without PSI, or one that has it without the pressure of groups. */
static void
test_host(void **state)
{
    struct tree *tree = *state;
    struct cgroup_place place = {.unified = tree->own,
                                 .unified_mount = tree->top};
    char folder[128];
    struct load load;

    put(tree->own, "cgroup.type", "domain\n");
    assert_int_equal(load_init(&load, &place, 0, tree->proc), 0);
    assert_null(load.pressure);
    for (int i = 0; i < LOAD_PRESSURES; i++)
        assert_int_equal(load.start.pressure_ns[i], NUM_UNKNOWN);
    assert_int_equal(load.start.steal_ns, NUM_UNKNOWN);
    load_done(&load);
    snprintf(folder, sizeof(folder), "%s/pressure", tree->proc);
    assert_int_equal(mkdir(folder, 0755), 0);
    put(folder, "cpu", "some avg10=1.00 avg60=0.00 avg300=0.00 total=70\n");
    put(tree->proc, "stat", "cpu  1 2 3 4 5 6 7 200 9 10\n");
    assert_int_equal(load_init(&load, &place, 0, tree->proc), 0);
    assert_null(load.pressure);
    assert_int_equal(load.start.pressure_ns[LOAD_PRESSURE_CPU], 70000);
    assert_int_equal(load.start.pressure_ns[LOAD_PRESSURE_IO], NUM_UNKNOWN);
    assert_true(load.start.steal_ns > 0);
    load_done(&load);
}

static int
count_lines(const struct strbuf *text)
{
    int lines = 0;

    for (size_t i = 0; i < text->size; i++)
        lines += strbuf_text(text)[i] == '\n';
    return lines;
}

/* The line about a run of 20 s on 4 cores. */
static void
test_slowed(void **state)
{
    static const struct {
        double quota;
        double throttled_s;
        double cpu_s;
        double memory_s;
        double io_s;
        double steal_s;
        const char *want;
    } cases[] = {
        {0.5, 1, 2, 1, 4, 4, ""},
        {0.5, -1, -1, -1, -1, -1, ""},
        {0.5, 12, 0, 0, 0, 0,
         "CPU quota of 0.5 cores held it back for 12.0 s of 20.0 s"},
        {2, 60, 0, 0, 0, 0,
         "CPU quota of 2 cores held it back for 1 min 0.0 s, summed over "
         "processors, in 20.0 s"},
        {1, 12, 0, 0, 0, 0,
         "CPU quota of 1 core held it back for 12.0 s of 20.0 s"},
        /* A thread that the quota holds back waits for a processor too. */
        {0.5, 12, 13, 0, 0, 0,
         "CPU quota of 0.5 cores held it back for 12.0 s of 20.0 s"},
        {0.5, 2, 18, 0, 0, 0,
         "CPU quota of 0.5 cores held it back for 2.0 s of 20.0 s; threads of "
         "the host waited for a processor for 18.0 s of 20.0 s"},
        {0.5, 0.5, 18, 0, 0, 0,
         "threads of the host waited for a processor for 18.0 s of 20.0 s"},
        {0, 0, 3, 0, 0, 0,
         "threads of the host waited for a processor for 3.0 s of 20.0 s"},
        {0, 0, 20.1, 0, 5, 0,
         "threads of the host waited for a processor for 20.0 s of 20.0 s; "
         "threads of the host waited for I/O for 5.0 s of 20.0 s"},
        {0, 0, 0, 2, 0, 0,
         "threads of the host waited for memory for 2.0 s of 20.0 s"},
        {0, 0, 0, 0, 0, 5,
         "the hypervisor took 5.0 s, summed over 4 processors, in 20.0 s"},
    };
    const double s = (double)NUM_NS_PER_S;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO got = {0};
        struct run run;

        run_init(&run);
        run.time.wall_ns = 20 * NUM_NS_PER_S;
        run.host.cores = 4;
        run.load.cpu_quota_cores =
            cases[i].quota > 0 ? cases[i].quota : (double)NAN;
        run.load.throttled_ns = num_from_double(cases[i].throttled_s * s);
        run.load.pressure_cpu_ns = num_from_double(cases[i].cpu_s * s);
        run.load.pressure_memory_ns = num_from_double(cases[i].memory_s * s);
        run.load.pressure_io_ns = num_from_double(cases[i].io_s * s);
        run.load.pressure_source = PRESSURE_OF_HOST;
        run.load.steal_ns = num_from_double(cases[i].steal_s * s);
        closing_slowed(&got, &run);
        assert_string_equal(strbuf_text(&got), cases[i].want);
        run_done(&run);
    }
}

/* If all other lines are there, it ends the line about CPU. */
static void
test_crowded(void **state)
{
    STRBUF_AUTO got = {0};
    struct survivors left = {.count = 1};
    struct closing_facts facts = {.name = "step",
                                  .is_verbose = true,
                                  .survivors = &left,
                                  .mem_total_bytes = NUM_UNKNOWN};
    struct run run;

    (void)state;
    run_init(&run);
    run.time.wall_ns = 20 * NUM_NS_PER_S;
    run.load.pressure_io_ns = 5 * NUM_NS_PER_S;
    run.regions = calloc(1, sizeof(*run.regions));
    run.budgets.list[BUDGET_TIME].limit = 30 * NUM_NS_PER_S;
    budgets_take(&run.budgets, BUDGET_TIME, run.time.wall_ns);
    closing_words(&got, &run, &facts);
    assert_int_equal(count_lines(&got), 8);
    assert_non_null(strstr(strbuf_text(&got), "; slowed: threads of the host "
                                              "waited for I/O for 5.0 s"));
    left.count = 0;
    strbuf_reset(&got);
    closing_words(&got, &run, &facts);
    assert_int_equal(count_lines(&got), 8);
    assert_non_null(strstr(strbuf_text(&got), "\npmon: slowed   threads of "));
    run_done(&run);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpu_max),
        cmocka_unit_test(test_cpu_stat),
        cmocka_unit_test(test_pressure),
        cmocka_unit_test(test_steal),
        cmocka_unit_test_setup_teardown(test_unified, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_quota, setup, teardown),
        cmocka_unit_test_setup_teardown(test_host, setup, teardown),
        cmocka_unit_test(test_slowed),
        cmocka_unit_test(test_crowded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
