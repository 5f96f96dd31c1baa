/* SPDX-License-Identifier: MIT */
/* The parsers of /proc on real lines and on hostile ones. */
#include <errno.h>
#include <stdio.h>

#include "base/num.h"
#include "proc/parse.h"
#include "unit.h"

static const char rest[] = "S 7 42 42 34816 42 4194304 109 11 3 2 15 25 35 45 "
                           "20 0 3 0 8214 2703360 344 18446744073709551615 1";

static void
test_stat_names(void **state)
{
    static const struct {
        const char *name;
        const char *want;
    } cases[] = {
        {"sh", "sh"},
        {"a b) R 1 2", "a b) R 1 2"},
        {"x)y", "x)y"},
        {"(", "("},
        {")", ")"},
        {"", ""},
        {"a\nb", "a\nb"},
        {"%s%n", "%s%n"},
        {"\033[2J", "\033[2J"},
        {"\xC3\xA9t\xC3", "\xC3\xA9t\xC3"},
        {"\xFF", "\xFF"},
        {"123456789012345", "123456789012345"},
        {"kworker/u8:2-events_unbound", "kworker/u8:2-ev"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct proc_stat stat;
        char text[256];

        snprintf(text, sizeof(text), "42 (%s) %s", cases[i].name, rest);
        assert_int_equal(proc_parse_stat(text, &stat), 0);
        assert_string_equal(stat.name, cases[i].want);
        assert_int_equal(stat.pid, 42);
        assert_int_equal(stat.state, 'S');
        assert_int_equal(stat.ppid, 7);
        assert_int_equal(stat.flags, 4194304);
        assert_int_equal(stat.minflt, 109);
        assert_int_equal(stat.cminflt, 11);
        assert_int_equal(stat.majflt, 3);
        assert_int_equal(stat.cmajflt, 2);
        assert_int_equal(stat.utime_ticks, 15);
        assert_int_equal(stat.stime_ticks, 25);
        assert_int_equal(stat.cutime_ticks, 35);
        assert_int_equal(stat.cstime_ticks, 45);
        assert_int_equal(stat.num_threads, 3);
        assert_int_equal(stat.start_ticks, 8214);
    }
}

static void
test_stat_bad(void **state)
{
    static const char *const cases[] = {
        "",
        "42",
        "42 (sh",
        "42 sh) S 1",
        "42 (sh)",
        "42 (sh) ",
        "42 (sh) S",
        "x (sh) S 1 1 1 1 1 1",
        "42 (sh) S 7 42 42 34816 42 4194304 109 11 3 2 15 25 35 45 20 0 3 0",
        "99999999999999999999 (sh) S 1",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct proc_stat stat = {.pid = -7};

        assert_int_equal(proc_parse_stat(cases[i], &stat), -EINVAL);
        assert_int_equal(stat.pid, -7);
    }
}

static void
test_statm(void **state)
{
    struct proc_statm statm;

    (void)state;
    assert_int_equal(proc_parse_statm("8306 1404 1116 221 0 350 0\n", &statm),
                     0);
    assert_int_equal(statm.size_pages, 8306);
    assert_int_equal(statm.resident_pages, 1404);
    assert_int_equal(statm.shared_pages, 1116);
    assert_int_equal(proc_parse_statm("0 0 0 0 0 0 0\n", &statm), 0);
    assert_int_equal(statm.size_pages, 0);
    assert_int_equal(proc_parse_statm("", &statm), -EINVAL);
    assert_int_equal(proc_parse_statm("12", &statm), -EINVAL);
    assert_int_equal(proc_parse_statm("12 3", &statm), -EINVAL);
    assert_int_equal(proc_parse_statm("1 -2 1", &statm), -EINVAL);
    assert_int_equal(proc_parse_statm("2 1 -1", &statm), -EINVAL);
    assert_int_equal(proc_parse_statm("a b", &statm), -EINVAL);
}

static void
test_status(void **state)
{
    static const char live[] = "Name:\tVmHWM: 9 kB\nUmask:\t0022\n"
                               "VmPeak:\t   1 kB\nVmHWM:\t    5616 kB\n"
                               "VmSwap:\t       8 kB\nSigBlk:\t0\n"
                               "SigIgn:\t0000000000011000\n";
    static const char zombie[] = "Name:\tx\nState:\tZ (zombie)\n"
                                 "SigIgn:\tffffffffffffffff\n";
    struct proc_status status;

    (void)state;
    assert_int_equal(proc_parse_status(live, &status), 0);
    assert_int_equal(status.hwm_bytes, 5616 * 1024);
    assert_int_equal(status.swap_bytes, 8 * 1024);
    assert_int_equal(status.ignored, 0x11000);
    assert_int_equal(proc_parse_status(zombie, &status), 0);
    assert_int_equal(status.hwm_bytes, NUM_UNKNOWN);
    assert_int_equal(status.swap_bytes, NUM_UNKNOWN);
    assert_int_equal(status.ignored, UINT64_MAX);
    assert_int_equal(proc_parse_status("Name:\tx\n", &status), -EINVAL);
    assert_int_equal(proc_parse_status("SigIgn:\tzz\n", &status), -EINVAL);
}

static void
test_io(void **state)
{
    static const char text[] = "rchar: 10\nwchar: 20\nsyscr: 30\nsyscw: 40\n"
                               "read_bytes: 50\nwrite_bytes: 60\n"
                               "cancelled_write_bytes: 70\n";
    struct proc_io io;

    (void)state;
    assert_int_equal(proc_parse_io(text, &io), 0);
    assert_int_equal(io.value[PROC_IO_READ_CALLS], 30);
    assert_int_equal(io.value[PROC_IO_WRITE_CALLS], 40);
    assert_int_equal(io.value[PROC_IO_READ_BYTES], 50);
    assert_int_equal(io.value[PROC_IO_WRITE_BYTES], 60);
    assert_int_equal(proc_parse_io("syscr: 1\n", &io), -EINVAL);
    assert_int_equal(proc_parse_io("", &io), -EINVAL);
}

static void
test_children(void **state)
{
    const char *text = "12 345  6 \n7";
    const char *bad = "12 x";
    pid_t pid;

    (void)state;
    assert_int_equal(proc_parse_next_pid(&text, &pid), 0);
    assert_int_equal(pid, 12);
    assert_int_equal(proc_parse_next_pid(&text, &pid), 0);
    assert_int_equal(pid, 345);
    assert_int_equal(proc_parse_next_pid(&text, &pid), 0);
    assert_int_equal(pid, 6);
    assert_int_equal(proc_parse_next_pid(&text, &pid), 0);
    assert_int_equal(pid, 7);
    assert_int_equal(proc_parse_next_pid(&text, &pid), 1);
    assert_int_equal(proc_parse_next_pid(&bad, &pid), 0);
    assert_int_equal(proc_parse_next_pid(&bad, &pid), -EINVAL);
}

static void
test_loadavg(void **state)
{
    pid_t pid;

    (void)state;
    assert_int_equal(proc_parse_loadavg("0.20 0.18 0.12 1/80 11206\n", &pid),
                     0);
    assert_int_equal(pid, 11206);
    assert_int_equal(proc_parse_loadavg("0.00 0.00 0.00 0/0 0\n", &pid),
                     -EINVAL);
    assert_int_equal(proc_parse_loadavg("", &pid), -EINVAL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stat_names), cmocka_unit_test(test_stat_bad),
        cmocka_unit_test(test_statm),      cmocka_unit_test(test_status),
        cmocka_unit_test(test_io),         cmocka_unit_test(test_children),
        cmocka_unit_test(test_loadavg),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
