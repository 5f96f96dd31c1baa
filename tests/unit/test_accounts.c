/* SPDX-License-Identifier: MIT */
/* Recorded ticks: which CPU time counts, and for which process. */
#include <stdio.h>

#include "stage.h"

/*
 * Reads clocks again: of live members, not of ended ones, nor of another
 * process that has got the id of one.
 */
static void
test_refresh(void **state)
{
    struct stage *stage = *state;
    struct sample sample;

    begin(stage, "tick\n100 clock=5 start=1\n101 ppid=100 clock=7 start=2\n"
                 "102 ppid=100 clock=3 start=3\n"
                 "tick\n100 clock=9\n101 gone\n102 gone\n"
                 "102 ppid=1 clock=9000 start=9\n");
    sample = pass(stage);
    assert_int_equal(sample.cpu_ns, MS(15));
    assert_true(proc_recorded_next(&stage->recorded));
    sampler_refresh_clocks(&stage->sampler, stage->now_ns + MS(10),
                           sample.cpu_ns, &sample);
    assert_int_equal(sample.cpu_ns, MS(19));
    /* Each time from the pass on, not from the last refresh. */
    sampler_refresh_clocks(&stage->sampler, stage->now_ns + MS(20), MS(15),
                           &sample);
    assert_int_equal(sample.cpu_ns, MS(19));
}

/* The time of a reaped child stays, and counts once. */
static void
test_waited_child(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=50\n"
                 "tick\n100 clock=20 cutime=6\n101 gone\n"
                 "tick\n100 clock=30\n");
    assert_int_equal(pass(stage).cpu_ns, MS(60));
    assert_int_equal(next(stage).cpu_ns, MS(80));
    assert_int_equal(next(stage).cpu_ns, MS(90));
    assert_false(stage->sampler.unwaited);
}

/*
 * cutime counts whole ticks: a lower value than the clock's takes nothing back.
 */
static void
test_never_falls(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=59\n"
                 "tick\n100 clock=10 cutime=5\n101 gone\n");
    assert_int_equal(pass(stage).cpu_ns, MS(69));
    assert_int_equal(next(stage).cpu_ns, MS(69));
    assert_false(stage->sampler.unwaited);
}

/* The child ends between its own clock and the parent's second reading. */
static void
test_dies_in_the_pass(void **state)
{
    struct stage *stage = *state;
    int64_t first;

    for (long after = 1; after <= 8; after++) {
        char script[256];

        snprintf(script, sizeof(script),
                 "tick\n100 clock=10\n101 ppid=100 clock=50\n"
                 "102 ppid=100 clock=30\n"
                 "tick\n100 clock=20 cutime=5\n101 gone\n"
                 "102 dies_after=%ld pays=3\n"
                 "tick\n100 clock=30\n"
                 "tick\n100 clock=40\n",
                 after);
        begin(stage, script);
        assert_int_equal(pass(stage).cpu_ns, MS(90));
        first = next(stage).cpu_ns;
        assert_int_equal(first, MS(100));
        assert_int_equal(next(stage).cpu_ns, MS(110));
        assert_int_equal(next(stage).cpu_ns, MS(120));
        sampler_done(&stage->sampler);
        proc_recorded_done(&stage->recorded);
    }
    begin(stage, "tick\n100 clock=1\n");
}

/* Time that reaches no parent is kept, and the total is a bound. */
static void
test_unwaited(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=50\n"
                 "tick\n100 clock=20\n101 gone\n");
    pass(stage);
    assert_int_equal(next(stage).cpu_ns, MS(70));
    assert_true(stage->sampler.unwaited);
}

/* Too short to be noticed by its clock: missing page faults are enough. */
static void
test_unwaited_short(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=1\n"
                 "tick\n100 clock=20\n101 gone\n");
    pass(stage);
    assert_false(stage->sampler.unwaited);
    next(stage);
    assert_true(stage->sampler.unwaited);
}

static void
test_waited_short(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=1\n"
                 "tick\n100 clock=20 cminflt=30\n101 gone\n");
    pass(stage);
    assert_int_equal(next(stage).cpu_ns, MS(21));
    assert_false(stage->sampler.unwaited);
}

/*
 * A parent that ignores SIGCHLD at first loses children that end before the
 * next read of its status.
 */
static void
test_unwaited_by_mask(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n"
                 "101 ppid=100 clock=1 cminflt=5 ignored=65536\n"
                 "tick\n101 clock=2\n102 ppid=101 clock=5\n"
                 "tick\n101 clock=3\n102 gone\n");
    stage->now_ns = MS(5000);
    pass(stage);
    next(stage);
    assert_false(stage->sampler.unwaited);
    next(stage);
    assert_true(stage->sampler.unwaited);
}

/*
 * The first process of a PID namespace ignores it as it ends, but waits all the
 * same.
 */
static void
test_waited_by_namespace(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n"
                 "101 ppid=100 clock=1 cminflt=5 ignored=65536 flags=4\n"
                 "102 ppid=101 clock=5\n"
                 "tick\n101 clock=2 cutime=1\n102 gone\n");
    stage->now_ns = MS(5000);
    pass(stage);
    next(stage);
    assert_false(stage->sampler.unwaited);
}

/*
 * 102 and its child 103 end at once.  Less than two ticks may be missing in the
 * cutime of 101.  If 100, a subreaper, shows them, then 100 has reaped 103, and
 * the time counts only there.
 */
static void
test_taken_back(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=1\n"
                 "102 ppid=101 clock=1\n103 ppid=102 clock=10\n"
                 "tick\n101 cminflt=1\n102 gone\n103 gone\n"
                 "tick\n100 clock=11 cminflt=1 cutime=1\n"
                 "tick\n100 clock=12\n101 clock=2 cminflt=2\n"
                 "tick\n100 cutime=2 clock=13\n");
    assert_int_equal(pass(stage).cpu_ns, MS(22));
    assert_int_equal(next(stage).cpu_ns, MS(22));
    assert_int_equal(next(stage).cpu_ns, MS(23));
    assert_int_equal(next(stage).cpu_ns, MS(25));
    /* Nothing is left to take back: what 100 reaps now is new. */
    assert_int_equal(next(stage).cpu_ns, MS(36));
    assert_false(stage->sampler.unwaited);
}

/* Time that a zombie seems to have reaped may also be its heir's. */
static void
test_taken_back_from_zombie(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=1\n"
                 "102 ppid=101 clock=10\n"
                 "tick\n101 state=Z cminflt=1 rss=0 size=0\n102 gone\n"
                 "tick\n100 clock=11 cminflt=1 cutime=1\n");
    assert_int_equal(pass(stage).cpu_ns, MS(21));
    assert_int_equal(next(stage).cpu_ns, MS(21));
    assert_int_equal(next(stage).cpu_ns, MS(22));
}

/*
 * The old parent has no time of children that a subreaper inherited and reaped.
 */
static void
test_waited_by_heir(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100\n102 ppid=101\n"
                 "103 ppid=102 clock=5\n104 ppid=103 clock=50\n"
                 "tick\n103 gone\n104 gone\n102 clock=1 cminflt=3\n"
                 "100 cminflt=3 cutime=5 clock=11\n");
    pass(stage);
    assert_int_equal(next(stage).cpu_ns, MS(67));
    assert_false(stage->sampler.unwaited);
}

static void
test_inherited_from_zombie(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100\n102 ppid=101 clock=1\n"
                 "tick\n101 state=Z\n102 gone\n100 cminflt=3 clock=11\n");
    pass(stage);
    assert_int_equal(next(stage).cpu_ns, MS(12));
    assert_false(stage->sampler.unwaited);
}

/* A member vanishes with its children: all their time is kept. */
static void
test_whole_branch_vanishes(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=20\n"
                 "102 ppid=101 clock=30\n103 ppid=102 clock=40\n"
                 "tick\n100 clock=20 cutime=9\n101 gone\n102 gone\n"
                 "103 gone\n");
    assert_int_equal(pass(stage).cpu_ns, MS(100));
    assert_int_equal(next(stage).cpu_ns, MS(110));
    assert_int_equal(stage->sampler.tree.count, 1);
}

/* An orphan that pmon adopts stays a member, and new ones are found. */
static void
test_orphans(void **state)
{
    struct stage *stage = *state;
    struct sample sample;

    begin(stage, "tick\n1 rss=0\n100 clock=1 rss=10\n101 ppid=100 clock=1\n"
                 "102 ppid=101 clock=1 rss=7\n"
                 "tick\n101 gone\n102 ppid=1\n100 clock=2\n"
                 "103 ppid=1 rss=9\n");
    pass(stage);
    sample = next(stage);
    assert_int_equal(sample.processes, 3);
    assert_int_equal(sample.rss_bytes, PAGES(26));
    assert_null(tree_find(&stage->sampler.tree, 102)->parent);
}

/*
 * The same id is another process: the time of the old one stays, and counts
 * once.
 */
static void
test_id_comes_back(void **state)
{
    struct stage *stage = *state;
    struct sample sample;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=50 start=5 rss=8\n"
                 "tick\n100 clock=20 cutime=5\n101 gone\n"
                 "101 ppid=100 clock=3 start=9 rss=2\n"
                 "tick\n100 clock=30\n101 clock=80\n");
    pass(stage);
    sample = next(stage);
    if (sample.cpu_ns != MS(73))
        assert_int_equal(sample.cpu_ns, MS(70));
    sample = next(stage);
    assert_int_equal(sample.cpu_ns, MS(160));
    assert_int_equal(sample.processes, 2);
    assert_int_equal(sample.rss_bytes, PAGES(3));
    assert_int_equal(stage->sampler.tree.seen, 3);
}

/* An id that comes back with a larger clock is recognised by its start time. */
static void
test_id_comes_back_busier(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=50 start=5\n"
                 "tick\n100 clock=20 cutime=5\n101 gone\n"
                 "101 ppid=100 clock=70 start=9\n"
                 "tick\n100 clock=30\n");
    pass(stage);
    next(stage);
    assert_int_equal(next(stage).cpu_ns, MS(150));
    assert_int_equal(stage->sampler.tree.seen, 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        STAGED(test_refresh),
        STAGED(test_waited_child),
        STAGED(test_never_falls),
        STAGED(test_dies_in_the_pass),
        STAGED(test_unwaited),
        STAGED(test_unwaited_short),
        STAGED(test_waited_short),
        STAGED(test_unwaited_by_mask),
        STAGED(test_waited_by_namespace),
        STAGED(test_taken_back),
        STAGED(test_taken_back_from_zombie),
        STAGED(test_waited_by_heir),
        STAGED(test_inherited_from_zombie),
        STAGED(test_whole_branch_vanishes),
        STAGED(test_orphans),
        STAGED(test_id_comes_back),
        STAGED(test_id_comes_back_busier),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
