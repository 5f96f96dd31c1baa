/* SPDX-License-Identifier: MIT */
/*
 * --processes: which rows recorded ticks make, their bytes, and how they are
 * read back.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/num.h"
#include "base/strbuf.h"
#include "engine/measure.h"
#include "formats/process_rows.h"
#include "lib/recorded.h"
#include "unit.h"

#define MS(n) ((n)*NUM_NS_PER_MS)
#define HEAD "elapsed_time,pid,ppid,command,cpu,mem_real,mem_shared\n"

/* ---- bytes ---- */

static void
test_bytes(void **state)
{
    static const struct {
        struct process_row row;
        const char *want;
    } cases[] = {
        {{MS(1500), 12, 1, "cc1 a.c", 99.9994, 3 * NUM_MIB / 2, 4096},
         "1.500000,12,1,cc1 a.c,99.999,1.500000,0.003906\n"},
        {{0, 12, NUM_UNKNOWN, "a", -1, NUM_UNKNOWN, NUM_UNKNOWN},
         "0.000000,12,,a,,,\n"},
        {{999999600, 12, 0, "", 0, 0, 0},
         "1.000000,12,0,\"\",0.000,0.000000,0.000000\n"},
        {{0, 1, 1, "a,b\"c", 0, 0, 0},
         "0.000000,1,1,\"a,b\"\"c\",0.000,0.000000,0.000000\n"},
        {{0, 1, 1, "a\nb\r\x1b[31m\xff", 0, 0, 0},
         "0.000000,1,1,a?b??[31m?,0.000,0.000000,0.000000\n"},
        {{0, 1, 1, "=HYPERLINK(1)", 0, 0, 0},
         "0.000000,1,1,'=HYPERLINK(1),0.000,0.000000,0.000000\n"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO out = {0};

        process_row_append(&out, &cases[i].row);
        assert_string_equal(strbuf_text(&out), cases[i].want);
    }
}

static int said;

static void
count_said(const char *line)
{
    assert_non_null(strstr(line, "skipped"));
    said++;
}

/* Writes text to a file without a name that lasts, and opens it. */
static int
open_text(struct process_reader *reader, struct bad_rows *bad, char *path,
          const char *text, struct error *error)
{
    FILE *file;
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    file = fdopen(fd, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    said = 0;
    return process_reader_open(reader, path, bad, error);
}

/* How many good rows a text has, and that so many lines are bad. */
static void
check_reading(const char *text, int want_rows, int want_said, int want_rc)
{
    char path[] = "test_processes.XXXXXX";
    struct bad_rows bad = {.say = count_said};
    struct process_reader reader;
    struct process_row row;
    struct error error;
    int rows = 0;
    int rc = open_text(&reader, &bad, path, text, &error);

    assert_int_equal(rc, 0);
    while ((rc = process_reader_next(&reader, &row, &error)) == 0)
        rows++;
    process_reader_close(&reader);
    unlink(path);
    assert_int_equal(rc, want_rc);
    assert_int_equal(rows, want_rows);
    assert_int_equal(said, want_said);
}

static void
test_reading(void **state)
{
    (void)state;
    check_reading(HEAD "0.1,2,1,a,0,1,1\n0.1,3,,\"b,\"\"c\",,,\n", 2, 0, 1);
    check_reading(HEAD "0.1,2,1,a,0,1,1\r\n\n0.2,2,1,a,0,1,1\n", 2, 0, 1);
    check_reading(HEAD "0.1,2,1,a,0,1,1\n0.2,2,1,a,0,1", 1, 1, 1);
    check_reading(HEAD "0.1,2,1,a,0,1\n0.2,2,1,a,0,1,1,1\n", 0, 2, 1);
    check_reading(HEAD "x,2,1,a,0,1,1\n-1,2,1,a,0,1,1\n,2,1,a,0,1,1\n", 0, 3,
                  1);
    check_reading(HEAD "0.1,,1,a,0,1,1\n0.1,2,1,a,nan,1,1\n", 0, 2, 1);
    check_reading(HEAD "0.1,2,1,a,0,1e99,1\n0.1,2,1,\"a,0,1,1\n", 0, 2, 1);
    check_reading(HEAD "0.2,2,1,a,0,1,1\n0.1,2,1,a,0,1,1\n", 1, 1, 1);
    check_reading(HEAD "0.2,2,1,a,0,1,1\n" HEAD "0.1,2,1,a,0,1,1\n", 2, 0, 1);
    check_reading("elapsed_time,nproc,cpu,mem_real,mem_virtual\n", 0, 0,
                  -EINVAL);
    check_reading("", 0, 0, 1);
}

/* ---- which rows ---- */

/* A run of recorded ticks, 100 ms apart unless said. */
struct stage {
    struct proc_recorded recorded;
    struct clock_source clock;
    struct measure measure;
    struct moment now;
    struct row row;
    struct strbuf text; /* rows of all ticks so far */
};

static int64_t
still(const struct clock_source *clock, clockid_t id)
{
    const struct stage *stage =
        (const void *)((const char *)clock - offsetof(struct stage, clock));

    return id == CLOCK_THREAD_CPUTIME_ID ? 0 : stage->now.monotonic_ns;
}

static void
keep_rows(struct stage *stage)
{
    struct tracks *tracks = &stage->measure.tracks;

    for (size_t i = 0; i < tracks->count; i++)
        process_row_append(&stage->text, &tracks->rows[i]);
}

static void
begin(struct stage *stage, const char *script)
{
    struct measure_options options = {.interval_ns = MS(100),
                                      .cores = 4,
                                      .tracks = true,
                                      .command = "root a"};
    bool is_pending;

    *stage = (struct stage){.clock = {still}};
    proc_recorded_init(&stage->recorded, script);
    assert_true(proc_recorded_next(&stage->recorded));
    assert_int_equal(
        measure_init(&stage->measure, &stage->recorded.source, 1, &options), 0);
    measure_hold(&stage->measure, 100, &stage->now);
    measure_start(&stage->measure, 100, &stage->now, &stage->row, &is_pending);
    assert_false(is_pending);
    keep_rows(stage);
}

static void
tick(struct stage *stage, int64_t ms)
{
    stage->now.monotonic_ns += MS(ms);
    stage->now.boottime_ns += MS(ms);
    proc_recorded_next(&stage->recorded);
    measure_tick(&stage->measure, &stage->clock, &stage->now, &stage->row);
    keep_rows(stage);
}

/* Ends the run: the rows of it are those. */
static void
expect_rows(struct stage *stage, const char *want)
{
    measure_done(&stage->measure);
    proc_recorded_done(&stage->recorded);
    assert_string_equal(strbuf_text(&stage->text), want);
    strbuf_done(&stage->text);
}

#define MIB_1 "256" /* pages */

/* A steady process has one row; what it used while idle is nobody's. */
static void
test_changed_only(void **state)
{
    struct stage stage;

    (void)state;
    begin(&stage, "tick\n100 clock=5 rss=" MIB_1 " name=a\n"
                  "tick\ntick\ntick\n100 clock=55\n"
                  "tick\n100 rss=512 shared=256\ntick\n");
    for (int i = 0; i < 5; i++)
        tick(&stage, 100);
    expect_rows(&stage, "0.000000,100,1,a,0.000,1.000000,0.000000\n"
                        "0.200000,100,1,a,0.000,1.000000,0.000000\n"
                        "0.300000,100,1,a,50.000,1.000000,0.000000\n"
                        "0.400000,100,1,a,0.000,2.000000,1.000000\n");
}

/* A child: its first row, an exec, its end; its id comes back at once. */
static void
test_birth_and_death(void **state)
{
    struct stage stage;

    (void)state;
    begin(&stage, "tick\n100 clock=0 rss=" MIB_1 " name=sh\n"
                  "tick\n100 clock=1\n101 ppid=100 clock=20 rss=" MIB_1
                  " name=cc start=7\n"
                  "tick\n101 clock=30 code=9 name=as\n"
                  "tick\n100 clock=2\n101 gone\n"
                  "101 ppid=100 clock=10 rss=512 name=ld start=9\n"
                  "tick\ntick\n101 state=Z rss=0 size=0 clock=15\n"
                  "tick\n101 gone\n");
    for (int i = 0; i < 6; i++)
        tick(&stage, 100);
    expect_rows(&stage, "0.000000,100,1,sh,0.000,1.000000,0.000000\n"
                        "0.100000,100,1,sh,1.000,1.000000,0.000000\n"
                        "0.100000,101,100,cc,20.000,1.000000,0.000000\n"
                        "0.200000,101,100,as,10.000,1.000000,0.000000\n"
                        "0.200000,100,1,sh,0.000,1.000000,0.000000\n"
                        "0.300000,101,100,as,0.000,0.000000,0.000000\n"
                        "0.300000,100,1,sh,1.000,1.000000,0.000000\n"
                        "0.400000,101,100,ld,10.000,2.000000,0.000000\n"
                        "0.500000,101,100,ld,5.000,0.000000,0.000000\n");
}

/* Below 75 ms a row for memory leaves CPU to a later one; no time is lost. */
static void
test_dense(void **state)
{
    struct stage stage;

    (void)state;
    begin(&stage, "tick\n100 clock=0 rss=" MIB_1 " name=a\n"
                  "tick\n100 clock=8\ntick\n100 rss=512\n"
                  "tick\n100 clock=24\ntick\n100 clock=32\n");
    for (int i = 0; i < 4; i++)
        tick(&stage, 20);
    expect_rows(&stage, "0.000000,100,1,a,0.000,1.000000,0.000000\n"
                        "0.040000,100,1,a,,2.000000,0.000000\n"
                        "0.080000,100,1,a,40.000,2.000000,0.000000\n");
}

/* What is not a process's own is an empty field, not 0. */
static void
test_unknown(void **state)
{
    struct stage stage;

    (void)state;
    begin(&stage, "tick\n100 clock=1 rss=" MIB_1 " name=a\n"
                  "101 ppid=100 clock=1 hidden\n"
                  "tick\n100 clock=2\n102 ppid=100 clock=1 rss=" MIB_1
                  " flags=0x40 name=a\n");
    tick(&stage, 100);
    expect_rows(&stage, "0.000000,100,1,a,0.000,1.000000,0.000000\n"
                        "0.000000,101,100,\"\",0.000,,\n"
                        "0.100000,100,1,a,1.000,1.000000,0.000000\n"
                        "0.100000,101,100,\"\",1.000,,\n"
                        "0.100000,102,100,a,1.000,,\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_changed_only),
        cmocka_unit_test(test_birth_and_death),
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
