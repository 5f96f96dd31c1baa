/* SPDX-License-Identifier: MIT */
/* Samples of pmon-watch from a fake /proc, to the byte. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "unit.h"
#include "watch/sampling.h"

/* Ids above any that a kernel gives. */
enum { FIRST = 4194301, SECOND = 4194302, THIRD = 4194303, CLOCK_MS = 7 };

struct fixture {
    char path[64];
    int fd;
    struct sampling sampling;
    struct filters filters;
    int64_t ticks_per_s;
};

static int64_t now_ms;

static int64_t
played_now(const struct clock_source *clock, clockid_t id)
{
    (void)clock;
    (void)id;
    return now_ms * NUM_NS_PER_MS;
}

static const struct clock_source clock_played = {played_now};

static void
put(const struct fixture *fixture, int pid, const char *name, const char *text,
    size_t size)
{
    char path[64];
    FD_AUTO fd = -1;

    snprintf(path, sizeof(path), "%d", pid);
    if (pid > 0)
        mkdirat(fixture->fd, path, 0777);
    snprintf(path, sizeof(path), "%d/%s", pid, name);
    fd = openat(fixture->fd, pid > 0 ? path : name,
                O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_at_least(fd, 0);
    assert_int_equal(write(fd, text, size), size);
}

/* A process with CPU times and a start in ticks, and its pages. */
static void
put_process(const struct fixture *fixture, int pid, const char *command,
            size_t size, int user, int start)
{
    static const char statm[] = "500 25 10 1 0 20 0\n";
    char text[512];

    put(fixture, pid, "cmdline", command, size);
    snprintf(text, sizeof(text),
             "%d (a) Z) S 1 1 1 0 -1 0 1 2 3 4 %d 50 7 8 20 0 3 0 %d 999 77 "
             "18446744073709551615 0 0 0 0 0\n",
             pid, user, start);
    put(fixture, pid, "stat", text, strlen(text));
    put(fixture, pid, "statm", statm, sizeof(statm) - 1);
}

static void
drop(const struct fixture *fixture, int pid, const char *name)
{
    char path[64];

    snprintf(path, sizeof(path), "%d/%s", pid, name);
    unlinkat(fixture->fd, path, 0);
}

static int
setup(void **state)
{
    static const char meminfo[] = "MemTotal:       1000 kB\nMemFree: 1 kB\n";
    static const char stat[] = "cpu  1 2\nctxt 5\nbtime 1796007000\n";
    struct fixture *fixture = calloc(1, sizeof(*fixture));

    if (fixture == NULL)
        return -1;
    *state = fixture;
    snprintf(fixture->path, sizeof(fixture->path), "watch-rows.XXXXXX");
    if (mkdtemp(fixture->path) == NULL)
        return -1;
    fixture->fd = open(fixture->path, O_RDONLY | O_DIRECTORY);
    put(fixture, 0, "meminfo", meminfo, sizeof(meminfo) - 1);
    put(fixture, 0, "stat", stat, sizeof(stat) - 1);
    fixture->ticks_per_s = sysconf(_SC_CLK_TCK);
    now_ms = CLOCK_MS;
    filters_add(&fixture->filters, "robot*");
    return sampling_init(&fixture->sampling, lists_scan_new(fixture->fd),
                         fixture->fd, &clock_played, NULL);
}

static int
teardown(void **state)
{
    struct fixture *fixture = *state;
    char command[96];

    sampling_done(&fixture->sampling);
    filters_done(&fixture->filters);
    close(fixture->fd);
    snprintf(command, sizeof(command), "rm -r %s", fixture->path);
    if (system(command) != 0)
        return -1;
    free(fixture);
    return 0;
}

static const char *
take(struct fixture *fixture, bool is_extended)
{
    const struct sampling_choice choice = {.filters = &fixture->filters,
                                           .is_extended = is_extended};

    assert_int_equal(sampling_take(&fixture->sampling, &choice, NULL), 0);
    return strbuf_text(&fixture->sampling.rows);
}

/*
 * The row of a process of 25 pages, started at 430 ticks, if a tick is 10 ms
 * and a page is 4 KiB, as almost everywhere.
 */
static void
test_rows(void **state)
{
    struct fixture *fixture = *state;

    if (fixture->ticks_per_s != 100 || sysconf(_SC_PAGESIZE) != 4096)
        SKIP_TEST("the clock does not have 100 ticks, or pages 4 KiB");
    put_process(fixture, FIRST, "robot\0 -x \0", 11, 125, 430);
    put_process(fixture, SECOND, "other\0", 6, 125, 430);
    assert_string_equal(take(fixture, false),
                        "\"7000000\",\"robot -x\",\"1796007004.3\",\"1.25\","
                        "\"0.5\",\"10.0\"\r\n");
    assert_int_equal(fixture->sampling.count, 1);
    assert_int_equal(fixture->sampling.processes, 2);
}

/* A zombie, a kernel thread, and a process that ends between two reads. */
static void
test_no_row(void **state)
{
    static const char *const files[] = {"cmdline", "stat", "statm"};
    struct fixture *fixture = *state;

    put_process(fixture, FIRST, "", 0, 1, 1);
    assert_string_equal(take(fixture, false), "");
    for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
        put_process(fixture, FIRST, "robot 1\0", 8, 1, 1);
        put_process(fixture, SECOND, "robot 2\0", 8, 1, 1);
        drop(fixture, FIRST, files[i]);
        assert_null(strstr(take(fixture, false), "robot 1"));
        assert_int_equal(fixture->sampling.count, 1);
    }
    put(fixture, FIRST, "cmdline", "robot 1", 8);
    put(fixture, FIRST, "stat", "4194301 (a", 10);
    take(fixture, false);
    assert_int_equal(fixture->sampling.count, 1);
}

/* Field number index of the first row. */
static void
assert_field(const char *rows, int index, const char *want)
{
    char text[512];
    char *at = text;
    char *field = NULL;

    snprintf(text, sizeof(text), "%s", rows);
    for (int i = 0; i <= index; i++)
        field = strsep(&at, ",");
    assert_non_null(field);
    field[strcspn(field, "\r")] = '\0';
    assert_string_equal(field, want);
}

static void
test_extended(void **state)
{
    enum { PID = 6, PPID, RSS, PSS, CPU, THREADS };
    static const char rollup[] =
        "0-1 ---p 00000000 00:00 0 [rollup]\nRss: 8 kB\nPss: 6 kB\n";
    struct fixture *fixture = *state;
    const char *rows;

    if (fixture->ticks_per_s != 100 || sysconf(_SC_PAGESIZE) != 4096)
        SKIP_TEST("the clock does not have 100 ticks, or pages 4 KiB");
    put_process(fixture, FIRST, "robot\0", 6, 100, 430);
    rows = take(fixture, true);
    assert_field(rows, PID, "\"4194301\"");
    assert_field(rows, PPID, "\"1\"");
    assert_field(rows, RSS, "\"102400\"");
    assert_field(rows, PSS, "\"\""); /* there is no smaps_rollup */
    assert_field(rows, CPU, "\"\"");
    assert_field(rows, THREADS, "\"3\"");
    sampling_commit(&fixture->sampling);

    put(fixture, FIRST, "smaps_rollup", rollup, sizeof(rollup) - 1);
    put_process(fixture, FIRST, "robot\0", 6, 130, 430);
    now_ms = CLOCK_MS + 1000;
    rows = take(fixture, true);
    assert_field(rows, PSS, "\"6144\"");
    assert_field(rows, CPU, "\"30.0\"");
    sampling_commit(&fixture->sampling);

    /* The id is used again. */
    put_process(fixture, FIRST, "robot\0", 6, 900, 431);
    now_ms = CLOCK_MS + 2000;
    assert_field(take(fixture, true), CPU, "\"\"");
}

/* A huge command line is complete, and its memory is freed. */
static void
test_huge_command(void **state)
{
    enum { SIZE = 1 << 20 };
    struct fixture *fixture = *state;
    char *command = malloc(SIZE);

    assert_non_null(command);
    memset(command, 'x', SIZE);
    memcpy(command, "robot", 5);
    command[SIZE - 1] = '\0';
    put_process(fixture, FIRST, command, SIZE, 1, 1);
    assert_int_equal(strspn(strstr(take(fixture, false), "robotx") + 5, "x"),
                     SIZE - 6);
    free(command);
    assert_at_most(fixture->sampling.raw.allocated, SIZE - 1);
    assert_at_most(fixture->sampling.line.allocated, SIZE - 1);
}

/* No descriptor is free: that is an error, no row is silently missing. */
static void
test_no_descriptor(void **state)
{
    struct fixture *fixture = *state;
    const struct sampling_choice choice = {.filters = &fixture->filters};
    struct error error = {0};
    struct rlimit before;
    struct rlimit none;
    int last = dup(fixture->fd);

    put_process(fixture, FIRST, "robot\0", 6, 1, 1);
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    for (int free_ones = 0; free_ones < 2; free_ones++) {
        none.rlim_cur = (rlim_t)(last + free_ones);
        setrlimit(RLIMIT_NOFILE, &none);
        if (free_ones == 0)
            close(last);
        assert_at_most(sampling_take(&fixture->sampling, &choice, &error), -1);
        assert_non_null(strstr(error.text, "read"));
    }
    setrlimit(RLIMIT_NOFILE, &before);
    assert_non_null(strstr(take(fixture, false), "robot"));
}

/* Without the boot time no row is right. */
static void
test_no_boot_time(void **state)
{
    struct fixture *fixture = *state;
    const struct sampling_choice choice = {.filters = &fixture->filters};
    struct error error = {0};

    put_process(fixture, FIRST, "robot\0", 6, 1, 1);
    unlinkat(fixture->fd, "stat", 0);
    assert_int_equal(sampling_take(&fixture->sampling, &choice, &error), -EIO);
    assert_non_null(strstr(error.text, "btime"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_row, setup, teardown),
        cmocka_unit_test_setup_teardown(test_extended, setup, teardown),
        cmocka_unit_test_setup_teardown(test_huge_command, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_descriptor, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_boot_time, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
