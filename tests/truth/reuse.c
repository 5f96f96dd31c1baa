/* SPDX-License-Identifier: MIT */
/*
 * Process ids that come back between two ticks, by clone3(2) with set_tid,
 * which needs CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/syscalls.h"
#include "workload.h"

#define MIB_MAX 65536
#define MS_MAX 3600000
#define FIRST_BURN_MS 40

/* As fork(2), with a given id; EXIT_CANNOT where that is not allowed. */
static pid_t
fork_as(pid_t pid)
{
    struct clone3_args args;
    long made;

    memset(&args, 0, sizeof(args));
    args.exit_signal = SIGCHLD;
    args.set_tid = (uint64_t)(uintptr_t)&pid;
    args.set_tid_size = 1;
    made = syscall(SYS_clone3, &args, sizeof(args));
    if (made < 0 && errno != EAGAIN && errno != ENOMEM)
        _exit(EXIT_CANNOT); /* no right, no such call, or the id is taken */
    if (made < 0)
        arg_die("clone3");
    if (made == 0)
        child_deadline();
    return (pid_t)made;
}

static int64_t
at_tick(long tick_ms, int percent)
{
    return tick_ms * NS_PER_MS / 100 * percent;
}

enum {
    WAS_ZOMBIE,
    WAS_ALIVE,
    BY_STRANGER,
    BY_STRANGER_WAS_ZOMBIE,
};

static const char *const ways[] = {
    "zombie", "alive", "stranger", "stranger-zombie", NULL,
};

/* A child that was seen at two ticks and is gone before the third. */
static pid_t
be_seen_and_end(int way, long tick_ms)
{
    pid_t first = child_fork(true);

    if (first == 0) {
        use_burn_to_ns(FIRST_BURN_MS * NS_PER_MS);
        if (way == WAS_ALIVE || way == BY_STRANGER)
            use_sleep_until_ns(at_tick(tick_ms, 210));
        _exit(0);
    }
    use_sleep_until_ns(at_tick(tick_ms, 210));
    child_wait(first, NULL);
    return first;
}

static int
reuse(int argc, char **argv)
{
    int way = arg_choice(argc, argv, 1, ways);
    long mib = arg_number(argc, argv, 2, 200, MIB_MAX);
    long burn_ms = arg_number(argc, argv, 3, 200, MS_MAX);
    long tick_ms = arg_number(argc, argv, 4, 500, MS_MAX);
    pid_t first = be_seen_and_end(way, tick_ms);
    pid_t second;

    truth_int("reused.pid", first);
    truth_ready();
    if (way == BY_STRANGER || way == BY_STRANGER_WAS_ZOMBIE) {
        use_sleep_until_ns(at_tick(tick_ms, 560));
        truth_cpu("");
        return 0;
    }
    second = fork_as(first);
    if (second == 0) {
        use_work("second", mib, burn_ms, 2 * tick_ms, -1);
        _exit(0);
    }
    child_wait(second, NULL);
    truth_cpu("");
    return 0;
}

/* A stranger to the step that has got the id of one of its processes. */
static int
take_pid(int argc, char **argv)
{
    long pid = arg_number(argc, argv, 1, 0, INT32_MAX);
    long mib = arg_number(argc, argv, 2, 200, MIB_MAX);
    long burn_ms = arg_number(argc, argv, 3, 200, MS_MAX);
    long rest_ms = arg_number(argc, argv, 4, 1000, MS_MAX);
    pid_t child = fork_as((pid_t)pid);

    if (child == 0) {
        use_work("stranger", mib, burn_ms, rest_ms, -1);
        _exit(0);
    }
    return child_exit_status(child_wait(child, NULL));
}

/* A child under an id far from the last one given out. */
static int
chosen_id(int argc, char **argv)
{
    long mib = arg_number(argc, argv, 1, 200, MIB_MAX);
    long rest_ms = arg_number(argc, argv, 2, 1000, MS_MAX);
    pid_t child;

    use_sleep_ms(150);
    child = fork_as(getpid() + 1000);
    if (child == 0) {
        use_work("chosen", mib, 0, rest_ms, -1);
        _exit(0);
    }
    child_wait(child, NULL);
    truth_cpu("");
    return 0;
}

const struct workload reuse_workloads[] = {
    {"reuse",
     "[zombie|alive|stranger|stranger-zombie [MIB [BURN_MS [TICK_MS]]]]",
     "T42: a child's id is another one's before the next tick (200 200 500)",
     reuse, false},
    {"take-pid", "PID [MIB [BURN_MS [REST_MS]]]",
     "T42: a process with that id which holds and burns (200 200 1000)",
     take_pid, false},
    {"chosen-id", "[MIB [REST_MS]]",
     "T51: a child under a chosen id, as when it is restored (200 1000)",
     chosen_id, false},
    {NULL, NULL, NULL, NULL, false},
};
