/* SPDX-License-Identifier: MIT */
/* Recorded ticks through the shipped engine: the hard cases of a tree. */
#include <stdio.h>

#include "engine/pss.h"
#include "engine/survivors.h"
#include "stage.h"

/* The main thread has ended: a live thread's statm is read. */
static void
test_leader_gone(void **state)
{
    struct stage *stage = *state;
    struct sample sample;

    begin(stage, "tick\n100 clock=10 rss=50\n"
                 "tick\n100 clock=20 state=Z threads=2 live_rss=60\n"
                 "tick\n100 clock=30\n");
    pass(stage);
    sample = next(stage);
    assert_int_equal(sample.rss_bytes, PAGES(60));
    sample = next(stage);
    assert_int_equal(sample.rss_bytes, PAGES(60));
    assert_int_equal(sample.cpu_ns, MS(30));
    assert_int_equal(sample.processes, 1);
}

/* A zombie that is not reaped has no memory and keeps its time. */
static void
test_zombie(void **state)
{
    struct stage *stage = *state;
    struct sample sample;

    begin(stage, "tick\n100 clock=10 rss=50\n101 ppid=100 clock=5 rss=5\n"
                 "tick\n101 state=Z clock=6\n"
                 "tick\n100 clock=11\n");
    pass(stage);
    sample = next(stage);
    assert_int_equal(sample.rss_bytes, PAGES(50));
    assert_int_equal(sample.processes, 1);
    assert_int_equal(next(stage).cpu_ns, MS(17));
}

/* Between fork and exec a child shows its parent's pages. */
static void
test_copy(void **state)
{
    struct stage *stage = *state;
    struct sample sample;

    begin(stage, "tick\n100 clock=10 rss=500\n"
                 "101 ppid=100 rss=500 flags=0x40 start=10010 state=R\n"
                 "tick\n101 state=S\n"
                 "tick\n100 clock=11\n"
                 "tick\n101 flags=0 rss=3 clock=1\n");
    sample = pass(stage);
    assert_int_equal(sample.rss_bytes, PAGES(500));
    sample = next(stage); /* 100 ms old */
    assert_int_equal(sample.rss_bytes, PAGES(500));
    sample = next(stage); /* 200 ms old and asleep: a worker */
    assert_int_equal(sample.rss_bytes, PAGES(1000));
    assert_int_equal(sample.rss_unique_bytes, PAGES(500));
    sample = next(stage); /* it has exec'ed after all */
    assert_int_equal(sample.rss_bytes, PAGES(503));
    assert_int_equal(sample.rss_unique_bytes, PAGES(503));
}

/* A copy that is larger than its parent has pages of its own. */
static void
test_copy_grows(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10 rss=50\n"
                 "101 ppid=100 rss=50 flags=0x40 start=10010 state=R\n"
                 "tick\n101 rss=300 clock=1\n"
                 "tick\n101 rss=310\n");
    assert_int_equal(pass(stage).rss_bytes, PAGES(50));
    assert_int_equal(next(stage).rss_bytes, PAGES(50));
    assert_int_equal(next(stage).rss_bytes, PAGES(360));
}

/* Programs that map the same memory, and one that maps much only for itself. */
static void
test_shared(void **state)
{
    struct stage *stage = *state;
    struct sample sample;

    begin(stage, "tick\n100 clock=10 rss=400 shared=390\n"
                 "101 ppid=100 rss=10 shared=3\n"
                 "tick\n101 clock=5 rss=400 shared=380\n"
                 "102 ppid=100 rss=400 shared=390\n");
    sample = pass(stage);
    assert_int_equal(sample.repeated_bytes, PAGES(3));
    assert_int_equal(sample.summed, 2);
    sample = next(stage);
    assert_int_equal(sample.repeated_bytes, PAGES(390 + 380));
}

/* A copy may share the pages of its parent, and mapped memory. */
static void
test_shared_copy(void **state)
{
    struct stage *stage = *state;
    struct sample sample;

    begin(stage, "tick\n100 clock=10 rss=1000\n"
                 "101 ppid=100 rss=1000 flags=0x40 start=1\n"
                 "102 ppid=100 rss=3000 shared=2500 flags=0x40 start=1\n"
                 "103 ppid=100 rss=3000 shared=2500 flags=0x40 start=1\n");
    sample = pass(stage);
    assert_int_equal(sample.rss_bytes, PAGES(8000));
    assert_int_equal(sample.rss_unique_bytes, PAGES(7000));
    assert_int_equal(sample.repeated_bytes, PAGES(3 * 1000 + 1500));
}

/* One address space counts once, whichever of its processes is left. */
static void
check_one_memory(struct stage *stage, long comparisons)
{
    struct sample sample = pass(stage);

    assert_int_equal(sample.rss_bytes, PAGES(500));
    assert_int_equal(sample.rss_unique_bytes, PAGES(500));
    assert_int_equal(sample.vms_bytes, PAGES(1000));
    assert_int_equal(sample.repeated_bytes, 0);
    assert_int_equal(sample.processes, 3);
    assert_int_equal(sample.summed, 1);
    assert_int_equal(pass(stage).rss_bytes, PAGES(500));
    assert_int_equal(stage->recorded.comparisons, comparisons);
    /* They grow, and one of them execs. */
    sample = next(stage);
    assert_int_equal(sample.rss_bytes, PAGES(600));
    assert_int_equal(next(stage).rss_bytes, PAGES(605));
    /* The parent ends before its child. */
    assert_int_equal(next(stage).rss_bytes, PAGES(605));
    assert_int_equal(next(stage).rss_bytes, PAGES(5));
}

#define ONE_MEMORY                                                  \
    "tick\n100 mm=1 clock=10 rss=500\n"                             \
    "101 ppid=100 mm=1 rss=500 flags=0x40 start=1\n"                \
    "102 ppid=100 mm=1 rss=500 flags=0x40 start=1\n"                \
    "tick\n100 rss=600 size=1100 clock=11\n101 rss=600 size=1100\n" \
    "102 rss=600 size=1100\n"                                       \
    "tick\n102 mm=2 rss=5 size=90 flags=0 clock=1\n"                \
    "tick\n100 gone\n101 ppid=1\n102 ppid=1\n"                      \
    "tick\n101 gone\n"

static void
test_one_memory(void **state)
{
    begin(*state, ONE_MEMORY);
    check_one_memory(*state, 2);
}

/* If kcmp(2) is forbidden, by equal figures. */
static void
test_one_memory_alike(void **state)
{
    begin(*state, ONE_MEMORY);
    ((struct stage *)*state)->recorded.has_kcmp = false;
    check_one_memory(*state, 2);
}

/* A copy by fork(2) has its own memory, and is compared once. */
static void
test_own_memory(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 mm=1 clock=10 rss=500 shared=20\n"
                 "101 ppid=100 mm=2 rss=500 shared=19 flags=0x40 start=1\n");
    for (int i = 0; i < 3; i++)
        assert_int_equal(pass(stage).rss_bytes, PAGES(1000));
    assert_int_equal(stage->recorded.comparisons, 1);
    stage->recorded.has_kcmp = false;
    assert_int_equal(pass(stage).rss_bytes, PAGES(1000));
}

/* An unreadable process: its clock counts, and it is reported. */
static void
test_hidden(void **state)
{
    struct stage *stage = *state;
    struct sample sample;

    begin(stage, "tick\n100 clock=10 rss=50\n101 ppid=100 clock=5 hidden\n");
    sample = pass(stage);
    assert_int_equal(sample.cpu_ns, MS(15));
    assert_int_equal(sample.rss_bytes, PAGES(50));
    assert_int_equal(stage->sampler.tree.skipped, 1);
}

/* A process whose PSS could not be read is reported even long after its end. */
static void
test_pss_hidden(void **state)
{
    struct stage *stage = *state;
    struct pss pss;

    begin(stage, "tick\n100 clock=10 rss=50 pss=40\n"
                 "101 ppid=100 clock=5 hidden\n"
                 "tick\n101 gone\n100 clock=11 rss=60 pss=50\n");
    pss_init(&pss, true, NUM_UNKNOWN);
    pass(stage);
    pss_read(&pss, &stage->sampler);
    assert_int_equal(pss.unreadable, 1);
    next(stage);
    pss_read(&pss, &stage->sampler);
    assert_int_equal(pss.peak.pss_bytes, PAGES(50));
    assert_int_equal(pss.unreadable, 1);
}

/* A process that ends between its row and the read has hidden nothing. */
static void
test_pss_ended(void **state)
{
    struct stage *stage = *state;
    struct pss pss;

    begin(stage, "tick\n100 clock=10 rss=50 pss=40\n101 ppid=100 rss=5 pss=5\n"
                 "tick\n101 gone\n");
    pss_init(&pss, true, NUM_UNKNOWN);
    pass(stage);
    assert_true(proc_recorded_next(&stage->recorded));
    pss_read(&pss, &stage->sampler);
    assert_int_equal(pss.peak.pss_bytes, PAGES(40));
    assert_int_equal(pss.unreadable, 0);
}

/* Memory that is freed between the row and the read was not shared. */
static void
test_pss_freed(void **state)
{
    struct stage *stage = *state;
    struct pss pss;

    begin(stage, "tick\n100 clock=10 rss=50 pss=45\n"
                 "tick\n100 clock=11 rss=20 pss=15\n");
    pss_init(&pss, true, NUM_UNKNOWN);
    pass(stage);
    assert_true(proc_recorded_next(&stage->recorded));
    pss_read(&pss, &stage->sampler);
    assert_int_equal(pss.shared_bytes, PAGES(5));
}

/* Children that pmon had before are followed but never counted. */
static void
test_foreign(void **state)
{
    struct stage *stage = *state;
    struct sample sample;

    proc_recorded_init(&stage->recorded,
                       "tick\n1 rss=0\n50 ppid=1 clock=90 rss=900\n"
                       "tick\n100 ppid=1 clock=10 rss=5\n50 clock=99\n"
                       "51 ppid=50 rss=9\n"
                       "tick\n50 gone\n51 ppid=1\n100 clock=11\n");
    assert_int_equal(sampler_init(&stage->sampler, &stage->recorded.source, 1),
                     0);
    assert_true(proc_recorded_next(&stage->recorded));
    assert_int_equal(sampler_add_foreign(&stage->sampler), 0);
    assert_true(proc_recorded_next(&stage->recorded));
    assert_int_equal(sampler_set_root(&stage->sampler, 100), 0);
    sample = pass(stage);
    assert_int_equal(sample.processes, 1);
    assert_int_equal(sample.cpu_ns, MS(10));
    assert_int_equal(sample.rss_bytes, PAGES(5));
    sample = next(stage);
    assert_int_equal(sample.processes, 1);
    assert_int_equal(sample.cpu_ns, MS(11));
    assert_int_equal(stage->sampler.tree.seen, 1);
}

/* Above twenty, only those that ran are read. */
static void
test_many_idle(void **state)
{
    struct stage *stage = *state;
    char script[4096] = "tick\n100 clock=1\n";
    size_t size = strlen(script);

    for (int pid = 101; pid < 150; pid++)
        size += (size_t)snprintf(script + size, sizeof(script) - size,
                                 "%d ppid=100 clock=1 rss=2\n", pid);
    snprintf(script + size, sizeof(script) - size,
             "tick\n120 clock=2 rss=30\n");
    begin(stage, script);
    pass(stage);
    pass(stage);
    stage->recorded.statm_reads = 0;
    assert_int_equal(next(stage).rss_bytes, PAGES(1 + 48 * 2 + 30));
    assert_int_equal(stage->recorded.statm_reads, 1);
}

/* Memory of idle processes that was reclaimed is in no peak. */
static void
test_reclaimed(void **state)
{
    enum { RESTING = 40 };
    struct stage *stage = *state;
    STRBUF_AUTO script = {0};
    struct sample sample;

    strbuf_puts(&script, "tick\n100 clock=1 rss=10\n");
    for (int i = 1; i <= RESTING; i++)
        strbuf_printf(&script, "%d ppid=100 clock=1 rss=100\n", 100 + i);
    strbuf_puts(&script, "tick\ntick\n100 clock=9 rss=2000\n");
    for (int i = 1; i <= RESTING; i++)
        strbuf_printf(&script, "%d rss=50\n", 100 + i);
    begin(stage, strbuf_text(&script));
    pass(stage);
    sample = next(stage);
    assert_int_equal(sample.rss_bytes, PAGES(10 + RESTING * 100));
    sample = next(stage);
    assert_int_equal(sample.rss_bytes, PAGES(2000 + RESTING * 50));
}

/* In a large tree, a copy that execs is no longer a copy. */
static void
test_late_exec(void **state)
{
    enum { COPIES = 40 };
    struct stage *stage = *state;
    STRBUF_AUTO script = {0};
    struct sample sample;

    strbuf_puts(&script, "tick\n100 clock=1 rss=1000\n");
    for (int i = 1; i <= COPIES; i++)
        strbuf_printf(&script, "%d ppid=100 clock=1 flags=0x40 rss=900\n",
                      100 + i);
    strbuf_puts(&script, "tick\n105 clock=2\ntick\n105 clock=3\ntick\n"
                         "105 clock=4 flags=0 rss=800 size=5000\n");
    begin(stage, strbuf_text(&script));
    pass(stage);
    next(stage);
    sample = next(stage);
    assert_int_equal(sample.rss_bytes, PAGES(1000 + COPIES * 900));
    assert_int_equal(sample.rss_unique_bytes, PAGES(1000));
    sample = next(stage);
    assert_int_equal(sample.rss_unique_bytes, PAGES(1800));
}

/*
 * A process in exit(2) is not a survivor; a sleeping one, or one without
 * memory, is.
 */
static void
test_survivors(void **state)
{
    struct stage *stage = *state;
    struct survivors survivors;

    begin(stage, "tick\n100 clock=5\n101 ppid=100\n102 ppid=100\n"
                 "tick\n100 gone\n101 ppid=1\n102 ppid=1\n"
                 "tick\n101 size=0 rss=0 flags=0x4 state=R\n"
                 "tick\n101 gone\n"
                 "tick\n102 pending=0x100 state=R\n"
                 "tick\n102 state=Z\n");
    pass(stage);
    next(stage);
    assert_false(survivors_are_ending(&stage->sampler));
    assert_true(proc_recorded_next(&stage->recorded));
    assert_true(survivors_are_ending(&stage->sampler));
    next(stage);
    assert_false(survivors_are_ending(&stage->sampler));
    survivors_find(&stage->sampler, &survivors);
    assert_int_equal(survivors.count, 1);
    assert_true(proc_recorded_next(&stage->recorded));
    assert_true(survivors_are_ending(&stage->sampler));
    assert_true(proc_recorded_next(&stage->recorded));
    assert_false(survivors_are_ending(&stage->sampler));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        STAGED(test_survivors),        STAGED(test_reclaimed),
        STAGED(test_late_exec),        STAGED(test_leader_gone),
        STAGED(test_zombie),           STAGED(test_copy),
        STAGED(test_copy_grows),       STAGED(test_shared),
        STAGED(test_shared_copy),      STAGED(test_one_memory),
        STAGED(test_one_memory_alike), STAGED(test_own_memory),
        STAGED(test_hidden),           STAGED(test_pss_hidden),
        STAGED(test_pss_ended),        STAGED(test_foreign),
        STAGED(test_pss_freed),        STAGED(test_foreign),
        STAGED(test_many_idle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
