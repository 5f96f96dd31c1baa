/* SPDX-License-Identifier: MIT */
/*
 * T18: trees of many processes: idle, busy, growing, deep, beside a step that
 * they are no part of, and many that live for a moment.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#define COUNT_MAX 100000
#define MS_MAX 3600000

/* Children that wait until the gate is closed. */
struct crowd {
    long count;
    int gate[2];
};

static void
crowd_init(struct crowd *crowd)
{
    crowd->count = 0;
    child_pipe(crowd->gate);
}

static void
crowd_add(struct crowd *crowd, long count)
{
    for (long i = 0; i < count; i++) {
        if (child_fork(true) == 0) {
            close(crowd->gate[1]);
            child_hear(crowd->gate[0]);
            _exit(0);
        }
    }
    crowd->count += count;
}

static void
crowd_end(struct crowd *crowd)
{
    close(crowd->gate[1]);
    close(crowd->gate[0]);
    while (crowd->count > 0) {
        child_wait(-1, NULL);
        crowd->count--;
    }
}

static int
idle(int argc, char **argv)
{
    long count = arg_number(argc, argv, 1, 500, COUNT_MAX);
    long ms = arg_number(argc, argv, 2, 2000, MS_MAX);
    struct crowd crowd;

    crowd_init(&crowd);
    crowd_add(&crowd, count);
    truth_int("processes", count + 1);
    truth_int("all_begin_ns", use_elapsed_ns());
    truth_ready();
    use_sleep_ms(ms);
    truth_int("all_end_ns", use_elapsed_ns());
    crowd_end(&crowd);
    truth_cpu("");
    return 0;
}

static int
busy(int argc, char **argv)
{
    long count = arg_number(argc, argv, 1, 500, COUNT_MAX);
    long ms = arg_number(argc, argv, 2, 2000, MS_MAX);
    int64_t *until_ns = use_shared(sizeof(*until_ns));
    int gate[2];

    child_pipe(gate);
    for (long i = 0; i < count; i++) {
        if (child_fork(true) == 0) {
            close(gate[1]);
            child_hear(gate[0]);
            use_burn_until_ns(*until_ns);
            _exit(0);
        }
    }
    truth_int("processes", count + 1);
    truth_int("all_begin_ns", use_elapsed_ns());
    *until_ns = use_elapsed_ns() + ms * NS_PER_MS;
    truth_int("all_end_ns", *until_ns);
    truth_ready();
    close(gate[1]);
    for (long i = 0; i < count; i++)
        child_wait(-1, NULL);
    truth_cpu("");
    return 0;
}

/* Each process makes the next; the last one rests. */
static int
chain(int argc, char **argv)
{
    long depth = arg_number(argc, argv, 1, 200, 10000);
    long ms = arg_number(argc, argv, 2, 1000, MS_MAX);
    pid_t child = 0;

    truth_int("processes", depth + 1);
    for (long level = 0; level < depth && child == 0; level++) {
        child = child_fork(true);
        if (child != 0) {
            int status = child_wait(child, NULL);

            if (level > 0)
                _exit(child_exit_status(status));
            truth_cpu("");
            return child_exit_status(status);
        }
    }
    truth_int("all_begin_ns", use_elapsed_ns());
    truth_ready();
    use_sleep_ms(ms);
    truth_int("all_end_ns", use_elapsed_ns());
    _exit(0);
}

static int
grow(int argc, char **argv)
{
    long step = arg_number(argc, argv, 1, 100, COUNT_MAX);
    long tick_ms = arg_number(argc, argv, 2, 100, MS_MAX);
    long ticks = arg_number(argc, argv, 3, 20, COUNT_MAX);
    struct crowd crowd;
    char text[64];

    crowd_init(&crowd);
    for (long tick = 1; tick <= ticks; tick++) {
        crowd_add(&crowd, step);
        snprintf(text, sizeof(text), "%lld,%ld", (long long)use_elapsed_ns(),
                 crowd.count + 1);
        truth_text("grown", text);
        use_sleep_until_ns(tick * tick_ms * NS_PER_MS);
    }
    truth_int("processes", crowd.count + 1);
    truth_ready();
    crowd_end(&crowd);
    truth_cpu("");
    return 0;
}

static pid_t
start_short(int way)
{
    pid_t pid = way == 1 ? vfork() : fork();

    if (pid < 0)
        arg_die("fork");
    if (pid == 0) {
        if (way == 2)
            execlp("true", "true", (char *)NULL);
        _exit(way == 2 ? 127 : 0);
    }
    return pid;
}

static int
short_lived(int argc, char **argv)
{
    static const char *const ways[] = {"fork", "vfork", "exec", NULL};
    long count = arg_number(argc, argv, 1, 100000, 10000000);
    int way = arg_choice(argc, argv, 2, ways);
    int failed = 0;

    truth_ready();
    for (long i = 0; i < count; i++)
        failed |= child_wait(start_short(way), NULL);
    truth_int("children", count);
    truth_int("end_ns", use_elapsed_ns());
    truth_cpu("");
    return failed ? EXIT_HARNESS : 0;
}

#define QUIET_TICKS 40

/*
 * Runs a little in each tick for a while, without a child; then one in each,
 * from the tick's 15th to about its 75th percent.
 */
_Noreturn static void
burn_between(long tick_ms, long ticks, int64_t *burnt_ns)
{
    for (long tick = 1; tick <= QUIET_TICKS; tick++) {
        use_sleep_until_ns(tick * tick_ms * NS_PER_MS);
        use_burn_ms(1);
    }
    for (long tick = QUIET_TICKS + 1; tick <= QUIET_TICKS + ticks; tick++) {
        pid_t child;

        use_sleep_until_ns((tick * 100 + 15) * tick_ms * (NS_PER_MS / 100));
        child = child_fork(true);
        if (child == 0) {
            use_burn_to_ns(tick_ms * (NS_PER_MS / 10) * 6);
            __atomic_add_fetch(burnt_ns, use_cpu_ns(), __ATOMIC_RELAXED);
            _exit(0);
        }
        child_wait(child, NULL);
    }
    _exit(0);
}

/* Beside COUNT idle processes: who reaps much that no tick has seen. */
static int
between_ticks(int argc, char **argv)
{
    long count = arg_number(argc, argv, 1, 30, COUNT_MAX);
    long tick_ms = arg_number(argc, argv, 2, 100, MS_MAX);
    long ticks = arg_number(argc, argv, 3, 40, COUNT_MAX);
    int64_t *burnt_ns = use_shared(sizeof(*burnt_ns));
    struct crowd crowd;
    pid_t reaper;

    crowd_init(&crowd);
    crowd_add(&crowd, count);
    reaper = child_fork(true);
    if (reaper == 0)
        burn_between(tick_ms, ticks, burnt_ns);
    truth_ready();
    /* Others are born all the time. */
    while (waitpid(reaper, NULL, WNOHANG) == 0) {
        child_wait(start_short(0), NULL);
        use_sleep_ms(tick_ms / 4);
    }
    truth_int("burnt_ns", *burnt_ns);
    crowd_end(&crowd);
    truth_cpu("");
    return 0;
}

/* Idle processes beside a command, which ends them. */
static int
beside(int argc, char **argv)
{
    char **command = arg_command(argc, argv);
    long count = arg_number(argc, argv, 1, 2000, COUNT_MAX);
    struct crowd crowd;
    pid_t pid;
    int status;

    crowd_init(&crowd);
    crowd_add(&crowd, count);
    truth_int("unrelated", count);
    pid = fork();
    if (pid == 0) {
        execvp(command[0], command);
        arg_die(command[0]);
    }
    if (pid < 0)
        arg_die("fork");
    status = child_wait(pid, NULL);
    crowd_end(&crowd);
    return child_exit_status(status);
}

const struct workload tree_workloads[] = {
    {"idle", "[COUNT [MS]]",
     "T18: a parent with COUNT idle children (500 2000)", idle, false},
    {"busy", "[COUNT [MS]]", "T18: a parent with COUNT running children", busy,
     false},
    {"chain", "[DEPTH [MS]]", "each process the child of the one before (200)",
     chain, false},
    {"grow", "[STEP [TICK_MS [TICKS]]]",
     "T18: STEP children more in each tick (100 100 20)", grow, false},
    {"short", "[COUNT [fork|vfork|exec]]",
     "T18: COUNT children that end at once, one after the other (100000)",
     short_lived, false},
    {"between-ticks", "[COUNT [TICK_MS [TICKS]]]",
     "T52: beside COUNT idle ones, a child burns between each two ticks (30)",
     between_ticks, false},
    {"beside", "[COUNT] -- COMMAND...",
     "T18: runs COMMAND, no part of it COUNT idle processes (2000)", beside,
     true},
    {NULL, NULL, NULL, NULL, false},
};
