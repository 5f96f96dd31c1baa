/* SPDX-License-Identifier: MIT */
/*
 * Processes whose parent changes: nested subreapers, daemons faster than a
 * tick, copies without a parent, zombies that nobody waits for, siblings, and
 * whole trees that fall at once.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#define MIB_MAX 65536
#define MS_MAX 3600000
#define COUNT_MAX 100000
/* Long enough for a few ticks of 100 ms. */
#define SEEN_MS 350

/* What processes that may not be waited for say of themselves. */
struct told {
    int64_t cpu_ns;
};

static int64_t
told_sum(const struct told *told, long count)
{
    int64_t sum_ns = 0;

    for (long i = 0; i < count; i++)
        sum_ns += told[i].cpu_ns;
    return sum_ns;
}

static struct told *
told_new(long count)
{
    return use_shared((size_t)(count + 1) * sizeof(struct told));
}

/* Waits until every copy of the writing end was closed. */
static void
hear_the_end(int pipe_ends[2])
{
    close(pipe_ends[1]);
    while (child_hear(pipe_ends[0]))
        continue;
    close(pipe_ends[0]);
}

/* The worker of a subreaper's grandchild, and who lies between. */
struct nest {
    long burn_ms;
    int burnt[2];
    int middle_gate[2];
    int middle_gone[2];
    int worker_gate[2];
    int keeper_gate[2];
};

_Noreturn static void
nest_middle(const struct nest *nest)
{
    if (child_fork(false) == 0) {
        use_burn_to_ns(nest->burn_ms * NS_PER_MS);
        child_tell(nest->burnt[1]);
        child_hear(nest->worker_gate[0]);
        _exit(0);
    }
    child_hear(nest->middle_gate[0]);
    _exit(0);
}

_Noreturn static void
nest_keeper(const struct nest *nest)
{
    pid_t middle = child_fork(false);

    if (middle == 0)
        nest_middle(nest);
    child_wait(middle, NULL);
    child_tell(nest->middle_gone[1]);
    child_hear(nest->keeper_gate[0]);
    _exit(0);
}

/*
 * Root (a subreaper), keeper, middle, worker.  The middle ends, is reaped by
 * the keeper, and the worker, which the root has inherited, ends within the
 * same millisecond: its time is the root's, the middle's the keeper's.
 */
static int
subreaper(int argc, char **argv)
{
    struct nest nest = {.burn_ms = arg_number(argc, argv, 1, 300, MS_MAX)};
    long rest_ms = arg_number(argc, argv, 2, 500, MS_MAX);
    pid_t keeper;

    if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
        arg_die("PR_SET_CHILD_SUBREAPER");
    child_pipe(nest.burnt);
    child_pipe(nest.middle_gate);
    child_pipe(nest.middle_gone);
    child_pipe(nest.worker_gate);
    child_pipe(nest.keeper_gate);
    keeper = child_fork(false);
    if (keeper == 0)
        nest_keeper(&nest);
    child_hear(nest.burnt[0]);
    use_sleep_ms(SEEN_MS);
    child_tell(nest.middle_gate[1]);
    child_hear(nest.middle_gone[0]);
    child_tell(nest.worker_gate[1]);
    child_wait(-1, NULL);
    truth_ready();
    use_sleep_ms(rest_ms);
    child_tell(nest.keeper_gate[1]);
    child_wait(keeper, NULL);
    truth_cpu("");
    return 0;
}

/* Forks twice; returns in the grandchild, whose parent has gone, only. */
static bool
became_orphan(void)
{
    pid_t middle = child_fork(false);

    if (middle == 0) {
        if (child_fork(false) == 0)
            return true;
        _exit(0);
    }
    child_wait(middle, NULL);
    return false;
}

/* T4 with copies that have lost their parent. */
static int
orphan_copies(int argc, char **argv)
{
    long mib = arg_number(argc, argv, 1, 501, MIB_MAX);
    long count = arg_number(argc, argv, 2, 5, COUNT_MAX);
    long ms = arg_number(argc, argv, 3, 1500, MS_MAX);
    void *memory = use_memory((size_t)mib * MIB, USE_SMALL_PAGES);
    int over[2];
    int gate[2];

    child_pipe(gate);
    child_pipe(over);
    for (long i = 0; i < count; i++) {
        if (became_orphan()) {
            close(gate[1]);
            child_hear(gate[0]);
            _exit(0);
        }
    }
    truth_int("touched_bytes", mib * (int64_t)MIB);
    truth_int("children", count);
    truth_int("all_begin_ns", use_elapsed_ns());
    truth_ready();
    use_sleep_ms(ms);
    truth_int("all_end_ns", use_elapsed_ns());
    close(gate[1]);
    hear_the_end(over);
    use_free(memory, (size_t)mib * MIB);
    truth_cpu("");
    return 0;
}

/* T12 with a fork and another before the exec, as daemons are started. */
static int
orphan_true(int argc, char **argv)
{
    long mib = arg_number(argc, argv, 1, 500, MIB_MAX);
    long times = arg_number(argc, argv, 2, 20, COUNT_MAX);
    long linger_ms = arg_number(argc, argv, 3, 50, MS_MAX);
    void *memory = use_memory((size_t)mib * MIB, USE_SMALL_PAGES);

    truth_int("touched_bytes", mib * (int64_t)MIB);
    truth_ready();
    for (long i = 0; i < times; i++) {
        int over[2];

        /* Not close-on-exec: its end tells that true has ended. */
        if (pipe(over) < 0)
            arg_die("pipe");
        if (became_orphan()) {
            use_sleep_ms(linger_ms);
            execlp("true", "true", (char *)NULL);
            _exit(127);
        }
        hear_the_end(over);
    }
    truth_int("children", times);
    use_free(memory, (size_t)mib * MIB);
    truth_cpu("");
    return 0;
}

static bool
became_child(void)
{
    return child_fork(false) == 0;
}

/* Processes that burn one after the other, and that nobody here waits for. */
static int
burn_unwaited(int argc, char **argv, long count, long burn_ms,
              bool (*became)(void))
{
    long rest_ms = arg_number(argc, argv, 3, 200, MS_MAX);
    struct told *told;

    count = arg_number(argc, argv, 1, count, COUNT_MAX);
    burn_ms = arg_number(argc, argv, 2, burn_ms, MS_MAX);
    told = told_new(count);
    truth_ready();
    for (long i = 0; i < count; i++) {
        int over[2];

        child_pipe(over);
        if (became()) {
            use_burn_to_ns(burn_ms * NS_PER_MS);
            told[i].cpu_ns = use_cpu_ns();
            _exit(0);
        }
        hear_the_end(over);
    }
    truth_int("children", count);
    truth_int("burnt_ns", told_sum(told, count));
    use_sleep_ms(rest_ms);
    truth_cpu("");
    return 0;
}

/* Each burns for less than a tick, and nobody in the step waits for it. */
static int
fast_daemons(int argc, char **argv)
{
    return burn_unwaited(argc, argv, 100, 5, became_orphan);
}

/* Zombies to the end: their time is nobody's until the parent has ended. */
static int
unreaped(int argc, char **argv)
{
    return burn_unwaited(argc, argv, 20, 50, became_child);
}

/* The same parents and children as idle, but the parent has gone. */
static int
orphaned(int argc, char **argv)
{
    long count = arg_number(argc, argv, 1, 200, COUNT_MAX);
    long ms = arg_number(argc, argv, 2, 1000, MS_MAX);
    int over[2];
    int gate[2];
    pid_t middle;

    child_pipe(gate);
    child_pipe(over);
    middle = child_fork(false);
    if (middle == 0) {
        for (long i = 0; i < count; i++) {
            if (child_fork(false) == 0) {
                close(gate[1]);
                child_hear(gate[0]);
                _exit(0);
            }
        }
        use_sleep_ms(SEEN_MS);
        _exit(0);
    }
    child_wait(middle, NULL);
    truth_int("processes", count + 1);
    truth_int("all_begin_ns", use_elapsed_ns());
    truth_ready();
    use_sleep_ms(ms);
    truth_int("all_end_ns", use_elapsed_ns());
    close(gate[1]);
    hear_the_end(over);
    truth_cpu("");
    return 0;
}

/* A child of whoever waits for the step: of the monitor. */
static int
sibling(int argc, char **argv)
{
    long mib = arg_number(argc, argv, 1, 200, MIB_MAX);
    long burn_ms = arg_number(argc, argv, 2, 300, MS_MAX);
    long rest_ms = arg_number(argc, argv, 3, 300, MS_MAX);
    int over[2];
    long pid;

    child_pipe(over);
    pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (pid < 0)
        arg_die("CLONE_PARENT");
    if (pid == 0) {
        child_deadline();
        use_work("sibling", mib, burn_ms, rest_ms, -1);
        _exit(0);
    }
    hear_the_end(over);
    truth_cpu("");
    return 0;
}

/* Who has burnt waits to be killed. */
_Noreturn static void
fall(int burnt, long burn_ms, struct told *told)
{
    use_burn_to_ns(burn_ms * NS_PER_MS);
    told->cpu_ns = use_cpu_ns();
    child_tell(burnt);
    for (;;)
        pause();
}

/* A parent and its children are killed in one call. */
static int
collapse(int argc, char **argv)
{
    long count = arg_number(argc, argv, 1, 10, COUNT_MAX);
    long burn_ms = arg_number(argc, argv, 2, 50, MS_MAX);
    long rest_ms = arg_number(argc, argv, 3, 300, MS_MAX);
    struct told *told = told_new(count);
    int burnt[2];
    pid_t middle;

    child_pipe(burnt);
    middle = child_fork(false);
    if (middle == 0) {
        setpgid(0, 0);
        for (long i = 0; i < count; i++)
            if (child_fork(false) == 0)
                fall(burnt[1], burn_ms, &told[i]);
        fall(burnt[1], burn_ms, &told[count]);
    }
    for (long i = 0; i <= count; i++)
        child_hear(burnt[0]);
    use_sleep_ms(SEEN_MS);
    kill(-middle, SIGKILL);
    child_wait(middle, NULL);
    hear_the_end(burnt);
    truth_int("children", count + 1);
    truth_int("burnt_ns", told_sum(told, count + 1));
    truth_ready();
    use_sleep_ms(rest_ms);
    truth_cpu("");
    return 0;
}

const struct workload reparent_workloads[] = {
    {"subreaper", "[BURN_MS [REST_MS]]",
     "T30: a subreaper in the step inherits a worker, both end (300 500)",
     subreaper, false},
    {"orphan-copies", "[MIB [CHILDREN [MS]]]",
     "T31: holds MIB, sleeping daemons forked from it share them (501 5 1500)",
     orphan_copies, false},
    {"orphan-true", "[MIB [TIMES [LINGER_MS]]]",
     "T32: holds MIB, starts true TIMES as a daemon is started (500 20 50)",
     orphan_true, false},
    {"fast-daemons", "[COUNT [BURN_MS [REST_MS]]]",
     "T33: daemons one after the other, shorter than a tick (100 5 200)",
     fast_daemons, false},
    {"unreaped", "[COUNT [BURN_MS [REST_MS]]]",
     "T34: children that stay zombies to the step's end (20 50 200)", unreaped,
     false},
    {"orphaned", "[COUNT [MS]]",
     "T35: COUNT idle processes whose parent has ended (200 1000)", orphaned,
     false},
    {"sibling", "[MIB [BURN_MS [REST_MS]]]",
     "T36: makes a sibling, not a child, that holds and burns (200 300 300)",
     sibling, false},
    {"collapse", "[COUNT [BURN_MS [REST_MS]]]",
     "T37: a parent and COUNT children are killed at once (10 50 300)",
     collapse, false},
    {NULL, NULL, NULL, NULL, false},
};
