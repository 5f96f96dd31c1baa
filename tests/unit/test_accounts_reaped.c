/* SPDX-License-Identifier: MIT */
/* Recorded ticks: I/O, and the CPU time of what pmon reaps itself. */
#include "engine/accounts.h"
#include "stage.h"

/*
 * I/O of reaped children is in the parent's own figures: never counted twice.
 */
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

/* The time of processes that pmon reaps is exact, and replaces their clocks. */
static void
test_reaped_by_pmon(void **state)
{
    struct stage *stage = *state;
    struct rusage usage = {.ru_utime = {.tv_usec = 80000}};
    struct accounts_zombie zombie;

    begin(stage, "tick\n1 rss=0\n100 clock=10\n101 ppid=1 clock=50\n"
                 "tick\n101 gone\n");
    assert_int_equal(pass(stage).cpu_ns, MS(60));
    accounts_look_at_zombie(&stage->sampler, 101, &zombie);
    accounts_take_reaped(&stage->sampler, 101, &zombie, &usage);
    assert_int_equal(next(stage).cpu_ns, MS(90));
    assert_int_equal(stage->sampler.unsampled, 0);
    accounts_look_at_zombie(&stage->sampler, 555, &zombie);
    accounts_take_reaped(&stage->sampler, 555, &zombie, &usage);
    assert_int_equal(stage->sampler.unsampled, 1);
    assert_int_equal(pass(stage).cpu_ns, MS(170));
}

static void
reap(struct stage *stage, pid_t pid)
{
    struct rusage usage = {.ru_utime = {.tv_usec = 80000}};
    struct accounts_zombie zombie;

    accounts_look_at_zombie(&stage->sampler, pid, &zombie);
    assert_true(proc_recorded_next(&stage->recorded));
    accounts_take_reaped(&stage->sampler, pid, &zombie, &usage);
}

/* The I/O of a zombie may be hidden: wait4 adds it to pmon's own. */
static void
test_io_of_reaped(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n1 rss=0 read_bytes=10\n100 clock=10\n"
                 "tick\n101 ppid=1 state=Z hidden\n"
                 "tick\n101 gone\n1 read_bytes=60\n"
                 "tick\n555 ppid=1 state=Z hidden\n1 read_bytes=90\n"
                 "tick\n555 gone\n1 read_bytes=92\n");
    stage->sampler.records_io = true;
    stage->sampler.needs_io = true;
    pass(stage);
    next(stage);
    reap(stage, 101);
    assert_int_equal(pass(stage).io.value[PROC_IO_READ_BYTES], 50);
    next(stage);
    reap(stage, 555);
    assert_int_equal(pass(stage).io.value[PROC_IO_READ_BYTES], 52);
    assert_false(stage->sampler.lost_io);
}

/* If pmon's own is hidden, the zombie's is read; else it is unknown. */
static void
test_io_not_known(void **state)
{
    struct stage *stage = *state;

    begin(stage, "tick\n1 rss=0 hidden\n100 clock=10\n"
                 "101 ppid=1 state=Z read_bytes=7\n102 ppid=1 hidden\n"
                 "tick\n101 gone\n"
                 "tick\n102 gone\n");
    stage->sampler.needs_io = true;
    reap(stage, 101);
    assert_int_equal(stage->sampler.ended_io.value[PROC_IO_READ_BYTES], 7);
    assert_false(stage->sampler.lost_io);
    reap(stage, 102);
    assert_true(stage->sampler.lost_io);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        STAGED(test_io),
        STAGED(test_reaped_by_pmon),
        STAGED(test_io_of_reaped),
        STAGED(test_io_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
