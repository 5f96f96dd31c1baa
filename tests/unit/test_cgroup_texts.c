/* SPDX-License-Identifier: MIT */
/* Control groups in /proc/PID/cgroup and mountinfo, and keyed files. */
#include "base/num.h"
#include "host/cgroup.h"
#include "host/cgroup_file.h"
#include "unit.h"

static void
test_unified(void **state)
{
    static const char self[] = "0::/user.slice/user-1000.slice/s.scope\n";
    static const char mounts[] =
        "24 31 0:22 / /proc rw,nosuid shared:5 - proc proc rw\n"
        "35 25 0:30 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw,x\n";
    struct cgroup_place place;

    (void)state;
    assert_int_equal(cgroup_place_parse(&place, self, mounts), 0);
    assert_string_equal(place.unified,
                        "/sys/fs/cgroup/user.slice/user-1000.slice/s.scope");
    assert_string_equal(place.unified_mount, "/sys/fs/cgroup");
    assert_null(place.memory);
    assert_null(place.cpuacct);
    cgroup_place_done(&place);
}

static void
test_old(void **state)
{
    static const char self[] = "9:memory:/docker/ab\n4:cpu,cpuacct:/x\n"
                               "1:name=systemd:/\n0::/\n";
    static const char mounts[] =
        "40 30 0:35 /docker/ab /sys/fs/cgroup/memory ro - cgroup c rw,memory\n"
        "41 30 0:36 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup c "
        "rw,cpu,cpuacct\n";
    struct cgroup_place place;

    (void)state;
    assert_int_equal(cgroup_place_parse(&place, self, mounts), 0);
    assert_null(place.unified);
    assert_string_equal(place.memory, "/sys/fs/cgroup/memory");
    assert_string_equal(place.cpuacct, "/sys/fs/cgroup/cpu,cpuacct/x");
    assert_true(place.cpuacct_with_cpu);
    cgroup_place_done(&place);
}

static void
test_odd_texts(void **state)
{
    static const char *const selves[] = {"", "0", "0::", ":::\n", "x\n\n"};
    static const char *const mounts[] = {"", "1\n", "1 2 3 / /m - cgroup2\n",
                                         "a b c d e - cgroup2 x rw\n",
                                         "1 2 3 /other /m rw - cgroup2 c rw\n"};

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(selves); i++)
        for (size_t k = 0; k < ARRAY_SIZE(mounts); k++) {
            struct cgroup_place place;

            assert_int_equal(cgroup_place_parse(&place, selves[i], mounts[k]),
                             0);
            assert_null(place.memory);
            cgroup_place_done(&place);
        }
}

static void
test_keyed(void **state)
{
    static const char events[] = "low 0\nhigh 0\nmax 12\noom 1\noom_kill 3\n"
                                 "oom_group_kill 0\n";

    (void)state;
    assert_int_equal(cgroup_file_parse_keyed(events, "oom_kill"), 3);
    assert_int_equal(cgroup_file_parse_keyed(events, "oom"), 1);
    assert_int_equal(cgroup_file_parse_keyed(events, "kill"), NUM_UNKNOWN);
    assert_int_equal(cgroup_file_parse_keyed("usage_usec 5", "usage_usec"), 5);
    assert_int_equal(cgroup_file_parse_keyed("x y\n", "x"), NUM_UNKNOWN);
    assert_int_equal(cgroup_file_parse_keyed("", "x"), NUM_UNKNOWN);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unified),
        cmocka_unit_test(test_old),
        cmocka_unit_test(test_odd_texts),
        cmocka_unit_test(test_keyed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
