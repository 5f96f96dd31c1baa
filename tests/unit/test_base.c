/* SPDX-License-Identifier: MIT */
/* Numbers, times, sizes, escapes and the growing string, as tables. */
#include <errno.h>
#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "unit.h"

static void
test_u64(void **state)
{
    static const struct {
        const char *text;
        int rc;
        uint64_t value;
    } cases[] = {
        {"0", 0, 0},
        {"18446744073709551615", 0, UINT64_MAX},
        {"18446744073709551616", -ERANGE, 0},
        {"99999999999999999999", -ERANGE, 0},
        {"", -EINVAL, 0},
        {"-1", -EINVAL, 0},
        {"+1", -EINVAL, 0},
        {" 1", -EINVAL, 0},
        {"1 ", -EINVAL, 0},
        {"1x", -EINVAL, 0},
        {"0x10", -EINVAL, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        uint64_t value = 0;

        assert_int_equal(num_parse_u64(cases[i].text, &value), cases[i].rc);
        if (cases[i].rc == 0)
            assert_int_equal(value, cases[i].value);
    }
}

static void
test_pid(void **state)
{
    int pid = 0;

    (void)state;
    assert_int_equal(num_parse_pid("1", &pid), 0);
    assert_int_equal(pid, 1);
    assert_int_equal(num_parse_pid("4194304", &pid), 0);
    assert_int_equal(num_parse_pid("4194305", &pid), -ERANGE);
    assert_int_equal(num_parse_pid("0", &pid), -ERANGE);
    assert_int_equal(num_parse_pid("12a", &pid), -EINVAL);
}

static void
test_time(void **state)
{
    static const struct {
        const char *text;
        int rc;
        int64_t ns;
    } cases[] = {
        {"0.1", 0, 100000000},
        {"100ms", 0, 100000000},
        {"100 ms", 0, 100000000},
        {"5", 0, 5000000000},
        {"5s", 0, 5000000000},
        {".5", 0, 500000000},
        {"5.", 0, 5000000000},
        {"2min", 0, 120000000000},
        {"1h", 0, 3600000000000},
        {"0.001", 0, 1000000},
        {"0", 0, 0},
        {"1m", -EINVAL, 0},
        {"1d", -EINVAL, 0},
        {"250us", -EINVAL, 0},
        {"", -EINVAL, 0},
        {".", -EINVAL, 0},
        {"s", -EINVAL, 0},
        {"-1", -EINVAL, 0},
        {"1,5", -EINVAL, 0},
        {"1e3", -EINVAL, 0},
        {"nan", -EINVAL, 0},
        {"inf", -EINVAL, 0},
        {"5 sec", -EINVAL, 0},
        {"1s ", -EINVAL, 0},
        {"99999999999999999999", -ERANGE, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        int64_t ns = -1;

        assert_int_equal(num_parse_time(cases[i].text, &ns), cases[i].rc);
        if (cases[i].rc == 0)
            assert_int_equal(ns, cases[i].ns);
    }
}

static void
test_decimal(void **state)
{
    static const struct {
        const char *text;
        int rc;
        double want;
    } cases[] = {
        {"0.05", 0, 0.05},    {"5", 0, 5},         {".5", 0, 0.5},
        {"5.", 0, 5},         {"007", 0, 7},       {"1e3", -EINVAL, 0},
        {"0x10", -EINVAL, 0}, {"inf", -EINVAL, 0}, {"nan", -EINVAL, 0},
        {"+1", -EINVAL, 0},   {"-1", -EINVAL, 0},  {" 1", -EINVAL, 0},
        {"1 ", -EINVAL, 0},   {"1,5", -EINVAL, 0}, {"1.5.2", -EINVAL, 0},
        {"", -EINVAL, 0},     {".", -EINVAL, 0},   {"1%", -EINVAL, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        double value = -1;

        assert_int_equal(num_parse_decimal(cases[i].text, &value), cases[i].rc);
        if (cases[i].rc == 0)
            assert_true(value >= cases[i].want && value <= cases[i].want);
    }
}

static void
test_size(void **state)
{
    static const struct {
        const char *text;
        int rc;
        int64_t bytes;
    } cases[] = {
        {"0", 0, 0},
        {"512", 0, 512},
        {"1K", 0, 1024},
        {"1k", 0, 1024},
        {"1KiB", 0, 1024},
        {"1kB", 0, 1000},
        {"1.5M", 0, 1572864},
        {"2MiB", 0, 2097152},
        {"2MB", 0, 2000000},
        {"4G", 0, INT64_C(4294967296)},
        {"4 GiB", 0, INT64_C(4294967296)},
        {"4GB", 0, INT64_C(4000000000)},
        {"1T", 0, INT64_C(1099511627776)},
        {"1TB", 0, INT64_C(1000000000000)},
        {"4gb", -EINVAL, 0},
        {"G", -EINVAL, 0},
        {"-1G", -EINVAL, 0},
        {"1GiBs", -EINVAL, 0},
        {"99999999999999T", -ERANGE, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        int64_t bytes = -1;

        assert_int_equal(num_parse_size(cases[i].text, &bytes), cases[i].rc);
        if (cases[i].rc == 0)
            assert_int_equal(bytes, cases[i].bytes);
    }
}

/* Numbers from files: no cast of them is undefined. */
static void
test_from_double(void **state)
{
    static const struct {
        double value;
        int64_t want;
        int most_10;
    } cases[] = {
        {0, 0, 0},
        {0.4, 0, 0},
        {1.5, 2, 1},
        {1e18, INT64_C(1000000000000000000), 10},
        {9.3e18, NUM_UNKNOWN, 10},
        {1e300, NUM_UNKNOWN, 10},
        {(double)INFINITY, NUM_UNKNOWN, 10},
        {(double)NAN, NUM_UNKNOWN, 0},
        {-0.6, NUM_UNKNOWN, 0},
        {-1e300, NUM_UNKNOWN, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        assert_int_equal(num_from_double(cases[i].value), cases[i].want);
        assert_int_equal(num_to_int(cases[i].value, 10), cases[i].most_10);
    }
}

static void
test_saturation(void **state)
{
    (void)state;
    assert_int_equal(num_add(INT64_MAX, 1), INT64_MAX);
    assert_int_equal(num_mul(INT64_MAX / 2, 3), INT64_MAX);
    assert_int_equal(num_add(2, 3), 5);
    assert_int_equal(num_mul(2, 3), 6);
}

static void
test_escape(void **state)
{
    static const struct {
        const char *text;
        const char *json;
        const char *terminal;
    } cases[] = {
        {"plain", "plain", "plain"},
        {"", "", ""},
        {"a\nb", "a\nb", "a?b"},
        {"\033[31mred", "\033[31mred", "?[31mred"},
        {"\xC3\xA9", "\xC3\xA9", "\xC3\xA9"},
        {"cut \xC3", "cut \xEF\xBF\xBD", "cut ?"},
        {"\xFF", "\xEF\xBF\xBD", "?"},
        {"\xC2\x9B"
         "1m",
         "\xC2\x9B"
         "1m",
         "?1m"},
        {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD", "??"},
        {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", "???"},
        {"\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD",
         "????"},
        {"\xE2\x80\xAE"
         "x",
         "\xE2\x80\xAE"
         "x",
         "?x"},
        {"\x7F", "\x7F", "?"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO json = {0};
        STRBUF_AUTO terminal = {0};
        size_t size = strlen(cases[i].text);

        escape_utf8(&json, cases[i].text, size);
        escape_terminal(&terminal, cases[i].text, size);
        assert_string_equal(strbuf_text(&json), cases[i].json);
        assert_string_equal(strbuf_text(&terminal), cases[i].terminal);
    }
}

static void
test_escape_shell(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } cases[] = {
        {"plain-1.txt", "plain-1.txt"}, {"", "''"},         {"a b", "'a b'"},
        {"it's", "'it'\\''s'"},         {"$(x)", "'$(x)'"}, {"*", "'*'"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO out = {0};

        escape_shell(&out, cases[i].text);
        assert_string_equal(strbuf_text(&out), cases[i].want);
    }
}

static void
test_strbuf(void **state)
{
    struct strbuf buf = {0};
    char *stolen;

    (void)state;
    assert_string_equal(strbuf_text(&buf), "");
    for (int i = 0; i < 1000; i++)
        strbuf_printf(&buf, "%d,", i);
    assert_false(buf.failed);
    assert_int_equal(buf.size, 3890);
    strbuf_reset(&buf);
    assert_string_equal(strbuf_text(&buf), "");
    strbuf_puts(&buf, "kept");
    stolen = strbuf_steal(&buf);
    assert_string_equal(stolen, "kept");
    assert_int_equal(buf.size, 0);
    free(stolen);
    assert_null(strbuf_reserve(&buf, SIZE_MAX - 1));
    assert_true(buf.failed);
    strbuf_done(&buf);
}

static void
test_error(void **state)
{
    struct error error;
    char text[2 * ERROR_TEXT_SIZE];

    (void)state;
    assert_int_equal(error_set(&error, -EINVAL, "bad \033 %s", "a\nb"),
                     -EINVAL);
    assert_string_equal(error.text, "bad ? a?b");
    assert_int_equal(error_prefix(&error, "rank 3"), -EINVAL);
    assert_string_equal(error.text, "rank 3: bad ? a?b");
    error_in_line(&error, -EBADMSG, "a.txt", 7, "not a row");
    assert_string_equal(error.text, "a.txt:7: not a row");
    assert_int_equal(error_unwritable(&error, -EROFS, "a.txt"), -EROFS);
    assert_string_equal(error.text,
                        "a.txt: cannot be written: Read-only file system");
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    error_set(&error, -EINVAL, "%s", text);
    assert_int_equal(strlen(error.text), ERROR_TEXT_SIZE - 1);
    assert_int_equal(error_set(NULL, -ENOMEM, "unused"), -ENOMEM);
    assert_string_equal(error_name(-ENOENT), "No such file or directory");
}

/* CLOCK_REALTIME is 1,000 s ahead; each read of a clock takes time. */
struct jumpy_clock {
    struct clock_source source;
    const int64_t *takes_us;
    int64_t now_ns;
};

static int64_t
jumpy_now(const struct clock_source *source, clockid_t id)
{
    struct jumpy_clock *clock = (struct jumpy_clock *)(uintptr_t)source;

    clock->now_ns += *clock->takes_us++ * 1000;
    return clock->now_ns + (id == CLOCK_REALTIME ? 1000 * NUM_NS_PER_S : 0);
}

/* pmon is preempted between two reads, once or always. */
static void
test_epoch(void **state)
{
    static const struct {
        int64_t takes_us[15];
        int64_t off_us;
    } cases[] = {
        {{0, 0, 0}, 0},
        {{1, 4, 4}, 0},
        {{1, 9000, 1, 1, 2, 2}, 0},
        {{1, 1, 9000, 1, 9000, 1, 1, 100, 300, 1, 1, 800, 1, 1, 900}, 100},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct jumpy_clock clock = {{jumpy_now}, cases[i].takes_us, 0};
        int64_t off_ns =
            1000 * NUM_NS_PER_S + 5000 - clock_epoch_of(&clock.source, 5000);

        assert_int_equal(off_ns / 1000, cases[i].off_us);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_u64),          cmocka_unit_test(test_pid),
        cmocka_unit_test(test_time),         cmocka_unit_test(test_decimal),
        cmocka_unit_test(test_size),         cmocka_unit_test(test_from_double),
        cmocka_unit_test(test_saturation),   cmocka_unit_test(test_escape),
        cmocka_unit_test(test_escape_shell), cmocka_unit_test(test_strbuf),
        cmocka_unit_test(test_error),        cmocka_unit_test(test_epoch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
