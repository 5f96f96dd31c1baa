/* SPDX-License-Identifier: MIT */
/*
 * The pure parts of libpmon, and its clock against clocks that are played.
 */
#include <time.h>

static int played_clock_gettime(clockid_t clock, struct timespec *ret_now);

#define clock_gettime played_clock_gettime
#include "pmon.c"
#undef clock_gettime

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* What the clocks say; tick_after counts down readings to a tick. */
static struct {
    uint64_t mono, tick, offset;
    int readings, tick_after, step_after;
} played;

static int
played_clock_gettime(clockid_t clock, struct timespec *ret_now)
{
    uint64_t now = 0;

    played.readings++;
    if (played.tick_after > 0 && --played.tick_after == 0)
        played.tick += 4000000;
    if (played.step_after > 0 && --played.step_after == 0)
        played.offset += 1;
    switch (clock) {
    case CLOCK_MONOTONIC:
        now = played.mono;
        break;
    case CLOCK_REALTIME:
        now = played.mono + played.offset;
        break;
    case CLOCK_MONOTONIC_COARSE:
        now = played.tick;
        break;
    case CLOCK_REALTIME_COARSE:
        now = played.tick + played.offset;
        break;
    default:
        fail();
    }
    ret_now->tv_sec = (time_t)(now / NS_PER_S);
    ret_now->tv_nsec = (long)(now % NS_PER_S);
    return 0;
}

static void
clock_follows_every_step(void **state)
{
    (void)state;
    played.mono = 5000000000;
    played.tick = 4999000000;
    played.offset = 1796007179000000000;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(realtime_ns(played.mono), played.mono + played.offset);
        played.mono += 1234567;
        played.tick += 1000000;
        if (i % 7 == 0)
            played.offset += (uint64_t)(i % 2 ? 1 : -3);
    }
}

static void
clock_reads_no_counter_while_the_offset_holds(void **state)
{
    (void)state;
    realtime_ns(played.mono);
    played.readings = 0;
    realtime_ns(played.mono);
    assert_int_equal(played.readings, 2);
}

/* A tick or a step at any point within the reading. */
static void
clock_is_right_when_the_tick_falls_in_between(void **state)
{
    (void)state;
    for (int at = 1; at < 6; at++) {
        realtime_ns(played.mono);
        played.tick_after = at;
        assert_int_equal(realtime_ns(played.mono), played.mono + played.offset);
        played.tick_after = 0;
        for (int i = 0; i < 3; i++)
            assert_int_equal(realtime_ns(played.mono),
                             played.mono + played.offset);
    }
    for (int at = 1; at < 6; at++) {
        uint64_t before = played.mono + played.offset;
        uint64_t real;

        played.step_after = at;
        real = realtime_ns(played.mono);
        played.step_after = 0;
        assert_true(real == before || real == before + 1);
        for (int i = 0; i < 3; i++)
            assert_int_equal(realtime_ns(played.mono),
                             played.mono + played.offset);
    }
}

static void
check_row(bool seed, const char *name, uint64_t start, uint64_t duration,
          const char *wanted)
{
    char row[ROW_MAX + 1];
    size_t bytes =
        row_format(row, seed, name, name_length(name), start, duration);
    uint32_t rows;

    assert_in_range(bytes, 1, ROW_MAX);
    row[bytes] = '\0';
    assert_string_equal(row, wanted);
    assert_int_equal(rows_whole(row, bytes, &rows), bytes);
    assert_int_equal(rows, 1);
    for (size_t cut = 0; cut < bytes; cut++) {
        assert_int_equal(rows_whole(row, cut, &rows), 0);
        assert_int_equal(rows, 0);
    }
}

static void
rows_are_the_robots(void **state)
{
    (void)state;
    check_row(true, "ANALYZING_PROTOCOL", 1718739269730290312, 14028043893,
              "ANALYZING_PROTOCOL,1718739269730290312,14028043893\r\n");
    check_row(false, "ANALYZING_PROTOCOL", 1796007184668093002, 50306869,
              "\"ANALYZING_PROTOCOL\",\"1796007184668093002\",\"50306869\""
              "\r\n");
}

static void
hostile_names_are_quoted_as_csv_does(void **state)
{
    static const struct {
        const char *name, *quoted, *seed;
    } cases[] = {
        {"", "\"\"", ""},
        {"a b", "\"a b\"", "a b"},
        {"a,b", "\"a,b\"", "\"a,b\""},
        {"say \"x\"", "\"say \"\"x\"\"\"", "\"say \"\"x\"\"\""},
        {"\"", "\"\"\"\"", "\"\"\"\""},
        {"a\nb", "\"a\nb\"", "\"a\nb\""},
        {"a\r\nb", "\"a\r\nb\"", "\"a\r\nb\""},
        {"tab\t'=;", "\"tab\t'=;\"", "tab\t'=;"},
        {"\xff\xfe", "\"\xff\xfe\"", "\xff\xfe"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char wanted[64];

        snprintf(wanted, sizeof(wanted), "%s,\"1\",\"2\"\r\n", cases[i].quoted);
        check_row(false, cases[i].name, 1, 2, wanted);
        snprintf(wanted, sizeof(wanted), "%s,1,2\r\n", cases[i].seed);
        check_row(true, cases[i].name, 1, 2, wanted);
    }
}

static void
numbers_of_every_length(void **state)
{
    uint64_t value = 0;

    (void)state;
    for (int i = 0; i < 21; i++) {
        const uint64_t near[] = {value - 1, value, value + 1, value * 3};

        for (int k = 0; k < 4; k++) {
            char got[32], wanted[32];

            *put_number(got, near[k]) = '\0';
            snprintf(wanted, sizeof(wanted), "%llu",
                     (unsigned long long)near[k]);
            assert_string_equal(got, wanted);
        }
        value = value ? value * 10 : 1;
    }
}

static void
long_names_are_cut_between_characters(void **state)
{
    char name[600];
    char row[ROW_MAX];

    (void)state;
    memset(name, 'x', sizeof(name));
    name[255] = '\0';
    assert_int_equal(name_length(name), 255);
    name[255] = 'x';
    name[599] = '\0';
    assert_int_equal(name_length(name), 255);
    memcpy(name + 254, "\xc3\xa4", 2); /* 2 bytes, of which 1 has room */
    assert_int_equal(name_length(name), 254);
    memcpy(name + 253, "\xe2\x82\xac", 3);
    assert_int_equal(name_length(name), 253);
    memcpy(name + 252, "\xf0\x9f\xa4\x96", 4);
    assert_int_equal(name_length(name), 252);
    memcpy(name + 251, "\xf0\x9f\xa4\x96", 4); /* has room */
    assert_int_equal(name_length(name), 255);
    memset(name, '\x80', 599);
    assert_int_equal(name_length(name), 255);
    memset(name, '"', 599);
    assert_int_equal(row_format(row, false, name, 255, UINT64_MAX, UINT64_MAX),
                     ROW_MAX);
}

static void
a_torn_batch_keeps_its_whole_rows(void **state)
{
    static const char text[] = "\"a\r\nb\",\"1\",\"2\"\r\n"
                               "\"c\",\"3\",\"4\"\r\n";
    uint32_t rows;

    (void)state;
    assert_int_equal(rows_whole(text, sizeof(text) - 1, &rows), 29);
    assert_int_equal(rows, 2);
    assert_int_equal(rows_whole(text, sizeof(text) - 2, &rows), 16);
    assert_int_equal(rows, 1);
    assert_int_equal(rows_whole(text, 16, &rows), 16);
    assert_int_equal(rows_whole(text, 15, &rows), 0);
    assert_int_equal(rows, 0);
}

static void
names_that_are_no_file_are_refused(void **state)
{
    char name[260];

    (void)state;
    assert_false(name_is_file(""));
    assert_false(name_is_file("."));
    assert_false(name_is_file(".."));
    assert_false(name_is_file("a/b"));
    assert_true(name_is_file("..."));
    memset(name, 'x', sizeof(name));
    name[248] = '\0';
    assert_false(name_is_file(name));
    name[247] = '\0';
    assert_true(name_is_file(name));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_follows_every_step),
        cmocka_unit_test(clock_reads_no_counter_while_the_offset_holds),
        cmocka_unit_test(clock_is_right_when_the_tick_falls_in_between),
        cmocka_unit_test(rows_are_the_robots),
        cmocka_unit_test(hostile_names_are_quoted_as_csv_does),
        cmocka_unit_test(numbers_of_every_length),
        cmocka_unit_test(long_names_are_cut_between_characters),
        cmocka_unit_test(a_torn_batch_keeps_its_whole_rows),
        cmocka_unit_test(names_that_are_no_file_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
