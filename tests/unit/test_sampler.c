/* SPDX-License-Identifier: MIT */
/* Recorded ticks through the shipped engine: the hard cases of a tree. */
#include <stdio.h>

#include "base/num.h"
#include "measure/accounts.h"
#include "measure/pss.h"
#include "measure/sampler.h"
#include "measure/survivors.h"
#include "proc/recorded.h"
#include "unit.h"

#define MS(n) ((n)*NUM_NS_PER_MS)
#define PAGES(n) ((n)*INT64_C(4096))

struct stage {
    struct proc_recorded recorded;
    struct sampler sampler;
    int64_t now_ns;
};

static int
setup(void **state)
{
    *state = calloc(1, sizeof(struct stage));
    return *state == NULL;
}

static int
teardown(void **state)
{
    struct stage *stage = *state;

    sampler_done(&stage->sampler);
    proc_recorded_done(&stage->recorded);
    free(stage);
    return 0;
}

static void
begin(struct stage *stage, const char *script)
{
    proc_recorded_init(&stage->recorded, script);
    assert_int_equal(sampler_init(&stage->sampler, &stage->recorded.source, 1),
                     0);
    stage->sampler.members.adopts = true;
    assert_true(proc_recorded_next(&stage->recorded));
    assert_int_equal(sampler_set_root(&stage->sampler, 100), 0);
}

static struct sample
pass(struct stage *stage)
{
    struct sample sample;

    stage->now_ns += MS(100);
    assert_int_equal(sampler_pass(&stage->sampler, stage->now_ns,
                                  MS(100000) + stage->now_ns, &sample),
                     0);
    return sample;
}

static struct sample
next(struct stage *stage)
{
    assert_true(proc_recorded_next(&stage->recorded));
    return pass(stage);
}

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
    assert_true(sample.rss_bytes == PAGES(10));
    sample = next(stage);
    assert_int_equal(sample.processes, 3);
    assert_true(sample.rss_bytes == PAGES(18));
}

/*
 * The clocks anew: of who lives, not of who has gone, nor of another process
 * that has come by its id.
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
    assert_true(sample.cpu_ns == MS(15));
    assert_true(proc_recorded_next(&stage->recorded));
    sampler_refresh_clocks(&stage->sampler, stage->now_ns + MS(10),
                           sample.cpu_ns, &sample);
    assert_true(sample.cpu_ns == MS(19));
    /* Again and again: from the pass on, not from the last time. */
    sampler_refresh_clocks(&stage->sampler, stage->now_ns + MS(20), MS(15),
                           &sample);
    assert_true(sample.cpu_ns == MS(19));
}

/* A parent that has not run has not forked: its children are not read. */
static void
test_idle_costs_nothing(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=1\n101 ppid=100\n"
                 "tick\n900 ppid=899\n"
                 "tick\n901 ppid=899\n");
    pass(stage);
    pass(stage);
    stage->recorded.children_reads = 0;
    next(stage);
    next(stage);
    assert_int_equal(stage->recorded.children_reads, 0);
}

/* A busy parent's children are not read while no task was made anywhere. */
static void
test_busy_without_births(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=1\ntick\n100 clock=90\n"
                 "tick\n100 clock=180\n");
    pass(stage);
    stage->recorded.children_reads = 0;
    next(stage);
    next(stage);
    assert_int_equal(stage->recorded.children_reads, 0);
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

/* The time of a child that was waited for stays, once. */
static void
test_waited_child(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=50\n"
                 "tick\n100 clock=20 cutime=6\n101 gone\n"
                 "tick\n100 clock=30\n");
    assert_true(pass(stage).cpu_ns == MS(60));
    assert_true(next(stage).cpu_ns == MS(80));
    assert_true(next(stage).cpu_ns == MS(90));
    assert_false(stage->sampler.unwaited);
}

/* cutime counts whole ticks: less than the clock said is not taken back. */
static void
test_never_falls(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=59\n"
                 "tick\n100 clock=10 cutime=5\n101 gone\n");
    assert_true(pass(stage).cpu_ns == MS(69));
    assert_true(next(stage).cpu_ns == MS(69));
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
        assert_true(pass(stage).cpu_ns == MS(90));
        first = next(stage).cpu_ns;
        assert_true(first == MS(100));
        assert_true(next(stage).cpu_ns == MS(110));
        assert_true(next(stage).cpu_ns == MS(120));
        sampler_done(&stage->sampler);
        proc_recorded_done(&stage->recorded);
    }
    begin(stage, "tick\n100 clock=1\n");
}

/* Time that reaches no parent is kept, and the total called a bound. */
static void
test_unwaited(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=50\n"
                 "tick\n100 clock=20\n101 gone\n");
    pass(stage);
    assert_true(next(stage).cpu_ns == MS(70));
    assert_true(stage->sampler.unwaited);
}

/* Too short to be missed by its clock: that no page fault came is enough. */
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
    assert_true(next(stage).cpu_ns == MS(21));
    assert_false(stage->sampler.unwaited);
}

/* What a subreaper has inherited and reaped left its old parent nothing. */
static void
test_waited_by_heir(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100\n102 ppid=101\n"
                 "103 ppid=102 clock=5\n104 ppid=103 clock=50\n"
                 "tick\n103 gone\n104 gone\n102 clock=1 cminflt=3\n"
                 "100 cminflt=3 cutime=5 clock=11\n");
    pass(stage);
    assert_true(next(stage).cpu_ns == MS(67));
    assert_false(stage->sampler.unwaited);
}

static void
test_inherited_from_zombie(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100\n102 ppid=101 clock=1\n"
                 "tick\n101 state=Z\n102 gone\n100 cminflt=3 clock=11\n");
    pass(stage);
    assert_true(next(stage).cpu_ns == MS(12));
    assert_false(stage->sampler.unwaited);
}

/* A member that vanishes with its children: all their time is kept. */
static void
test_whole_branch_vanishes(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10\n101 ppid=100 clock=20\n"
                 "102 ppid=101 clock=30\n103 ppid=102 clock=40\n"
                 "tick\n100 clock=20 cutime=9\n101 gone\n102 gone\n"
                 "103 gone\n");
    assert_true(pass(stage).cpu_ns == MS(100));
    assert_true(next(stage).cpu_ns == MS(110));
    assert_int_equal(stage->sampler.members.count, 1);
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
    assert_true(sample.rss_bytes == PAGES(26));
    assert_null(members_find(&stage->sampler.members, 102)->parent);
}

/* The same id is another process: the old one's time stays, once. */
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
    assert_true(sample.cpu_ns == MS(70) || sample.cpu_ns == MS(73));
    sample = next(stage);
    assert_true(sample.cpu_ns == MS(160));
    assert_int_equal(sample.processes, 2);
    assert_true(sample.rss_bytes == PAGES(3));
    assert_int_equal(stage->sampler.members.seen, 3);
}

/* An id that comes back with a larger clock is told by its start time. */
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
    assert_true(next(stage).cpu_ns == MS(150));
    assert_int_equal(stage->sampler.members.seen, 3);
}

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
    assert_true(sample.rss_bytes == PAGES(60));
    sample = next(stage);
    assert_true(sample.rss_bytes == PAGES(60));
    assert_true(sample.cpu_ns == MS(30));
    assert_int_equal(sample.processes, 1);
}

/* A zombie that nobody reaps has no memory and keeps its time. */
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
    assert_true(sample.rss_bytes == PAGES(50));
    assert_int_equal(sample.processes, 1);
    assert_true(next(stage).cpu_ns == MS(17));
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
    assert_true(sample.rss_bytes == PAGES(500));
    sample = next(stage); /* 100 ms old */
    assert_true(sample.rss_bytes == PAGES(500));
    sample = next(stage); /* 200 ms old and asleep: a worker */
    assert_true(sample.rss_bytes == PAGES(1000));
    assert_true(sample.rss_unique_bytes == PAGES(500));
    sample = next(stage); /* it has exec'ed after all */
    assert_true(sample.rss_bytes == PAGES(503));
    assert_true(sample.rss_unique_bytes == PAGES(503));
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
    assert_true(pass(stage).rss_bytes == PAGES(50));
    assert_true(next(stage).rss_bytes == PAGES(50));
    assert_true(next(stage).rss_bytes == PAGES(360));
}

/* An unreadable process: its clock counts, and it is said. */
static void
test_hidden(void **state)
{
    struct stage *stage = *state;
    struct sample sample;

    begin(stage, "tick\n100 clock=10 rss=50\n101 ppid=100 clock=5 hidden\n");
    sample = pass(stage);
    assert_true(sample.cpu_ns == MS(15));
    assert_true(sample.rss_bytes == PAGES(50));
    assert_int_equal(stage->sampler.members.skipped, 1);
}

/* Whose PSS could not be read is still said when it has long ended. */
static void
test_pss_hidden(void **state)
{
    struct stage *stage = *state;
    struct pss pss;

    begin(stage, "tick\n100 clock=10 rss=50 pss=40\n"
                 "101 ppid=100 clock=5 hidden\n"
                 "tick\n101 gone\n100 clock=11 rss=60 pss=50\n");
    pss_init(&pss, true);
    pass(stage);
    pss_read(&pss, &stage->sampler);
    assert_int_equal(pss.unreadable, 1);
    next(stage);
    pss_read(&pss, &stage->sampler);
    assert_true(pss.peak.pss_bytes == PAGES(50));
    assert_int_equal(pss.unreadable, 1);
}

/* One that ends between its row and the read has hidden nothing. */
static void
test_pss_ended(void **state)
{
    struct stage *stage = *state;
    struct pss pss;

    begin(stage, "tick\n100 clock=10 rss=50 pss=40\n101 ppid=100 rss=5 pss=5\n"
                 "tick\n101 gone\n");
    pss_init(&pss, true);
    pass(stage);
    assert_true(proc_recorded_next(&stage->recorded));
    pss_read(&pss, &stage->sampler);
    assert_true(pss.peak.pss_bytes == PAGES(40));
    assert_int_equal(pss.unreadable, 0);
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
    assert_true(sample.cpu_ns == MS(10));
    assert_true(sample.rss_bytes == PAGES(5));
    sample = next(stage);
    assert_int_equal(sample.processes, 1);
    assert_true(sample.cpu_ns == MS(11));
    assert_int_equal(stage->sampler.members.seen, 1);
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
    assert_true(next(stage).rss_bytes == PAGES(1 + 48 * 2 + 30));
    assert_int_equal(stage->recorded.statm_reads, 1);
}

/* I/O of waited children is in the parent's own figures: never twice. */
static void
test_io(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10 read_bytes=5\n"
                 "101 ppid=100 clock=50 read_bytes=70\n"
                 "tick\n100 clock=20 cutime=5 read_bytes=77\n101 gone\n"
                 "tick\n100 clock=30 read_bytes=80\n");
    stage->sampler.records_io = true;
    assert_int_equal(pass(stage).io.value[PROC_IO_READ_BYTES], 75);
    assert_int_equal(next(stage).io.value[PROC_IO_READ_BYTES], 77);
    assert_int_equal(next(stage).io.value[PROC_IO_READ_BYTES], 80);
}

/* What pmon reaps itself is exact, and takes the clocks' place. */
static void
test_reaped_by_pmon(void **state)
{
    struct stage *stage = *state;
    struct rusage usage = {.ru_utime = {.tv_usec = 80000}};
    struct accounts_zombie zombie;

    begin(stage, "tick\n1 rss=0\n100 clock=10\n101 ppid=1 clock=50\n"
                 "tick\n101 gone\n");
    assert_true(pass(stage).cpu_ns == MS(60));
    accounts_look_at_zombie(&stage->sampler, 101, &zombie);
    assert_true(zombie.was_sampled);
    accounts_take_reaped(&stage->sampler, 101, &zombie, &usage);
    assert_true(next(stage).cpu_ns == MS(90));
    accounts_look_at_zombie(&stage->sampler, 555, &zombie);
    assert_false(zombie.was_sampled);
    accounts_take_reaped(&stage->sampler, 555, &zombie, &usage);
    assert_int_equal(stage->sampler.unsampled, 1);
    assert_true(pass(stage).cpu_ns == MS(170));
}

/* Without task/TID/children the ids of all processes are looked at. */
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
    stage->recorded.newest = 900; /* ids have begun anew */
    assert_int_equal(next(stage).processes, 4);
}

/* In a large tree the few new ids are asked instead of all that ran. */
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
    /* Of 120, of pmon, and of the three new ones. */
    assert_int_equal(stage->recorded.children_reads, 5);
}

enum { WORKERS = 40 };

/* A tick in which a parent and all its workers have run. */
static void
play_workers(struct strbuf *script, int tick)
{
    strbuf_printf(script, "tick\n100 clock=%d\n", tick);
    for (int i = 1; i <= WORKERS; i++)
        strbuf_printf(script, "%d ppid=100 clock=%d\n", 100 + i, tick);
}

/* Where the ids were asked, no list is read when the next tick is quiet. */
static void
test_quiet_after_probe(void **state)
{
    struct stage *stage = *state;
    STRBUF_AUTO script = {0};

    for (int tick = 1; tick <= 5; tick++) {
        play_workers(&script, tick);
        if (tick == 3)
            strbuf_puts(&script, "199 ppid=77\n200 ppid=77\n");
    }
    begin(stage, strbuf_text(&script));
    pass(stage);
    stage->recorded.newest = 198;
    next(stage);
    stage->recorded.children_reads = 0;
    next(stage);
    stage->recorded.newest = 200;
    next(stage);
    next(stage);
    /* pmon's own alone, for orphans. */
    assert_int_equal(stage->recorded.children_reads, 1);
}

/* An id of which nothing can be seen yet is asked for again. */
static void
test_unborn(void **state)
{
    struct stage *stage = *state;
    STRBUF_AUTO script = {0};

    for (int tick = 1; tick <= 5; tick++) {
        play_workers(&script, tick);
        if (tick == 5)
            strbuf_printf(&script, "200 ppid=120 clock=%d\n", tick);
    }
    begin(stage, strbuf_text(&script));
    pass(stage);
    next(stage);
    stage->recorded.newest = 198;
    next(stage);
    stage->recorded.newest = 200;
    assert_int_equal(next(stage).processes, 1 + WORKERS);
    stage->recorded.newest = 202;
    assert_int_equal(next(stage).processes, 1 + WORKERS + 1);
}

/* What rests in a large tree and was reclaimed is in no peak. */
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
    assert_true(sample.rss_bytes == PAGES(10 + RESTING * 100));
    sample = next(stage);
    assert_true(sample.rss_bytes == PAGES(2000 + RESTING * 50));
}

/* A copy in a large tree that executes something is a copy no more. */
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
    assert_true(sample.rss_bytes == PAGES(1000 + COPIES * 900));
    assert_true(sample.rss_unique_bytes == PAGES(1000));
    sample = next(stage);
    assert_true(sample.rss_unique_bytes == PAGES(1800));
}

/* Who is in exit(2) is no survivor, who rests or has no memory to show is. */
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

#define STAGED(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        STAGED(test_births),
        STAGED(test_quiet_after_probe),
        STAGED(test_survivors),
        STAGED(test_reclaimed),
        STAGED(test_late_exec),
        STAGED(test_refresh),
        STAGED(test_idle_costs_nothing),
        STAGED(test_busy_without_births),
        STAGED(test_fork_posted_late),
        STAGED(test_waited_child),
        STAGED(test_never_falls),
        STAGED(test_dies_in_the_pass),
        STAGED(test_unwaited),
        STAGED(test_unwaited_short),
        STAGED(test_waited_short),
        STAGED(test_waited_by_heir),
        STAGED(test_inherited_from_zombie),
        STAGED(test_whole_branch_vanishes),
        STAGED(test_orphans),
        STAGED(test_id_comes_back),
        STAGED(test_id_comes_back_busier),
        STAGED(test_leader_gone),
        STAGED(test_zombie),
        STAGED(test_copy),
        STAGED(test_copy_grows),
        STAGED(test_hidden),
        STAGED(test_pss_hidden),
        STAGED(test_pss_ended),
        STAGED(test_foreign),
        STAGED(test_many_idle),
        STAGED(test_io),
        STAGED(test_reaped_by_pmon),
        STAGED(test_no_children_files),
        STAGED(test_probe),
        STAGED(test_unborn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
