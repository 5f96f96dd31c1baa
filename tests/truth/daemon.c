/* SPDX-License-Identifier: MIT */
/*
 * Processes that leave their parents: daemons that end before the step or
 * after it, and a stopped child.  Each ends by itself in the end.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#define MIB_MAX 65536
#define MS_MAX 3600000

/* What the daemon is to do, and the pipes by which its maker knows of it. */
struct orphan {
    long mib;
    long burn_ms;
    long rest_ms;
    bool stubborn;
    int ready[2];
    int over[2];
};

_Noreturn static void
orphan_live(const struct orphan *orphan)
{
    close(orphan->ready[0]);
    close(orphan->over[0]);
    if (orphan->stubborn)
        signal(SIGTERM, SIG_IGN);
    child_null_streams();
    truth_int("daemon.sid", getsid(0));
    use_work("daemon", orphan->mib, orphan->burn_ms, orphan->rest_ms,
             orphan->ready[1]);
    truth_int("daemon.end_ns", use_elapsed_ns());
    _exit(0);
}

/* Double fork and setsid; returns when the daemon holds its memory. */
static void
orphan_start(struct orphan *orphan)
{
    pid_t middle;

    child_pipe(orphan->ready);
    child_pipe(orphan->over);
    middle = child_fork(false);
    if (middle == 0) {
        if (setsid() < 0)
            arg_die("setsid");
        if (child_fork(false) == 0)
            orphan_live(orphan);
        _exit(0);
    }
    close(orphan->ready[1]);
    close(orphan->over[1]);
    if (child_wait(middle, NULL) != 0)
        arg_die("the process between");
    if (!child_hear(orphan->ready[0]))
        arg_die("the daemon ended too early");
}

static int
daemon_within(int argc, char **argv)
{
    struct orphan orphan = {
        .mib = arg_number(argc, argv, 1, 300, MIB_MAX),
        .burn_ms = arg_number(argc, argv, 2, 1000, MS_MAX),
    };
    long rest_ms = arg_number(argc, argv, 3, 500, MS_MAX);

    orphan_start(&orphan);
    truth_ready();
    child_hear(orphan.over[0]);
    use_sleep_ms(rest_ms);
    truth_cpu("");
    truth_int("end_ns", use_elapsed_ns());
    return 0;
}

static int
daemon_outlive(int argc, char **argv)
{
    static const char *const ways[] = {"plain", "stubborn", NULL};
    struct orphan orphan = {
        .mib = arg_number(argc, argv, 1, 300, MIB_MAX),
        .burn_ms = arg_number(argc, argv, 2, 1000, MS_MAX),
        .rest_ms = arg_number(argc, argv, 3, 1500, MS_MAX),
        .stubborn = arg_choice(argc, argv, 4, ways) == 1,
    };

    orphan_start(&orphan);
    truth_cpu("");
    truth_int("end_ns", use_elapsed_ns());
    truth_ready();
    return 0;
}

/* The checker must kill it; else the deadline does, stopped as it is. */
static int
stopped_child(int argc, char **argv)
{
    long mib = arg_number(argc, argv, 1, 50, MIB_MAX);
    pid_t child = child_fork(false);
    int status;

    if (child == 0) {
        child_null_streams();
        use_memory((size_t)mib * MIB, USE_SMALL_PAGES);
        raise(SIGSTOP);
        _exit(0);
    }
    if (waitpid(child, &status, WUNTRACED) != child || !WIFSTOPPED(status))
        arg_die("the child has not stopped");
    truth_int("stopped.pid", child);
    truth_int("stopped.touched_bytes", mib * (int64_t)MIB);
    truth_cpu("");
    truth_ready();
    return 0;
}

const struct workload daemon_workloads[] = {
    {"daemon", "[MIB [BURN_MS [REST_MS]]]",
     "T5: a daemon holds and burns; the step rests after it (300 1000 500)",
     daemon_within, false},
    {"daemon-outlive", "[MIB [BURN_MS [REST_MS [plain|stubborn]]]]",
     "T6: the step ends at once, the daemon burns, rests, ends (300 1000 1500)",
     daemon_outlive, false},
    {"stopped-child", "[MIB]",
     "T24: the step ends, its child is stopped for good (50)", stopped_child,
     false},
    {NULL, NULL, NULL, NULL, false},
};
