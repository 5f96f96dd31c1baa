/* SPDX-License-Identifier: MIT */
/*
 * Recorded ticks: which processes belong to a tree, and the cost of finding
 * them.
 */
#include <stdio.h>

#include "stage.h"

/* Children and grandchildren are found in the pass in which they are new. */
static void
test_births(void **state)
{
    struct stage *stage = *state;
    struct sample sample;

    begin(stage, "tick\n100 clock=1 rss=10\n"
                 "tick\n100 clock=2\n101 ppid=100 rss=5\n"
                 "102 ppid=101 rss=3\n");
    sample = pass(stage);
    assert_int_equal(sample.processes, 1);
    assert_int_equal(sample.rss_bytes, PAGES(10));
    sample = next(stage);
    assert_int_equal(sample.processes, 3);
    assert_int_equal(sample.rss_bytes, PAGES(18));
}

/* How many lists of children the passes of the next two ticks read. */
static long
reads_in_two(struct stage *stage)
{
    stage->recorded.children_reads = 0;
    next(stage);
    next(stage);
    return stage->recorded.children_reads;
}

/* A parent that has not run cannot have forked: its children are not read. */
static void
test_idle_costs_nothing(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=1\n101 ppid=100\n"
                 "tick\n900 ppid=899\n"
                 "tick\n901 ppid=899\n");
    pass(stage);
    pass(stage);
    assert_int_equal(reads_in_two(stage), 0);
}

/* A busy parent's children are not read while no task was made anywhere. */
static void
test_busy_without_births(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=1\ntick\n100 clock=90\n"
                 "tick\n100 clock=180\n");
    pass(stage);
    assert_int_equal(reads_in_two(stage), 0);
}

/*
 * A fork whose parent's clock the kernel had not yet posted is found once the
 * clock has moved, though no other task was made meanwhile.
 */
static void
test_fork_posted_late(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=1\n"
                 "tick\n101 ppid=100\n900 ppid=899 clock=1\n"
                 "tick\n100 clock=2\n");
    pass(stage);
    assert_int_equal(next(stage).processes, 1);
    assert_int_equal(next(stage).processes, 2);
}

/* Without task/TID/children the ids of all processes are checked. */
static void
test_no_children_files(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\nno children files\n100 clock=1 rss=10\n"
                 "900 ppid=899\n"
                 "tick\n100 clock=2\n103 ppid=100 clock=1 rss=2\n"
                 "104 ppid=103 rss=3\n901 ppid=900\n"
                 "tick\n100 clock=3\n900 gone\n900 ppid=104 start=7\n");
    stage->recorded.newest = 950;
    assert_int_equal(pass(stage).processes, 1);
    stage->recorded.newest = 951;
    assert_int_equal(next(stage).processes, 3);
    assert_int_equal(pass(stage).rss_bytes, PAGES(15));
    stage->recorded.newest = 900; /* ids have wrapped around */
    assert_int_equal(next(stage).processes, 4);
}

/* In a large tree the few new ids are checked, not all members that ran. */
static void
test_probe(void **state)
{
    struct stage *stage = *state;
    char script[8192] = "tick\n100 clock=1\n";
    size_t size = strlen(script);

    for (int tick = 1; tick <= 4; tick++) {
        if (tick > 1)
            size += (size_t)snprintf(script + size, sizeof(script) - size,
                                     "tick\n");
        for (int pid = 101; pid < 140; pid++)
            size += (size_t)snprintf(script + size, sizeof(script) - size,
                                     "%d ppid=100 clock=%d\n", pid, tick);
    }
    snprintf(script + size, sizeof(script) - size,
             "200 ppid=120 clock=1\n201 ppid=200 clock=1\n"
             "203 ppid=1 clock=1\n204 ppid=77 clock=1\n"
             "1 rss=0\ntick\n300 ppid=110 clock=1\n");
    begin(stage, script);
    pass(stage);
    next(stage);
    stage->recorded.newest = 198;
    next(stage);
    stage->recorded.newest = 204;
    stage->recorded.children_reads = 0;
    assert_int_equal(next(stage).processes, 43);
    /* Lists of 120, of pmon, and of the three new ones. */
    assert_int_equal(stage->recorded.children_reads, 5);
}

enum { WORKERS = 40 };

/*
 * Five ticks, in each of which a parent and all its workers run; the tick
 * number more_tick also has the lines of more.  The caller owns script.
 */
static void
begin_workers(struct stage *stage, struct strbuf *script, int more_tick,
              const char *more)
{
    for (int tick = 1; tick <= 5; tick++) {
        strbuf_printf(script, "tick\n100 clock=%d\n", tick);
        for (int i = 1; i <= WORKERS; i++)
            strbuf_printf(script, "%d ppid=100 clock=%d\n", 100 + i, tick);
        if (tick == more_tick)
            strbuf_puts(script, more);
    }
    begin(stage, strbuf_text(script));
    pass(stage);
}

/* After ids were checked, a quiet tick reads no list. */
static void
test_quiet_after_probe(void **state)
{
    struct stage *stage = *state;
    STRBUF_AUTO script = {0};

    begin_workers(stage, &script, 3, "199 ppid=77\n200 ppid=77\n");
    stage->recorded.newest = 198;
    next(stage);
    stage->recorded.children_reads = 0;
    next(stage);
    stage->recorded.newest = 200;
    next(stage);
    next(stage);
    /* Only pmon's own, for orphans. */
    assert_int_equal(stage->recorded.children_reads, 1);
}

/* An id that shows nothing yet is checked again. */
static void
test_unborn(void **state)
{
    struct stage *stage = *state;
    STRBUF_AUTO script = {0};

    begin_workers(stage, &script, 5, "200 ppid=120 clock=5\n");
    next(stage);
    stage->recorded.newest = 198;
    next(stage);
    stage->recorded.newest = 200;
    assert_int_equal(next(stage).processes, 1 + WORKERS);
    stage->recorded.newest = 202;
    assert_int_equal(next(stage).processes, 1 + WORKERS + 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        STAGED(test_births),
        STAGED(test_quiet_after_probe),
        STAGED(test_idle_costs_nothing),
        STAGED(test_busy_without_births),
        STAGED(test_fork_posted_late),
        STAGED(test_no_children_files),
        STAGED(test_probe),
        STAGED(test_unborn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
