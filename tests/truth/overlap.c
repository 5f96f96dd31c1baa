/* SPDX-License-Identifier: MIT */
/*
 * T23: processes which hold memory at the same time, or just not, between two
 * ticks of a monitor that began when the workload did.  The times at which it
 * happened are written, so that a run on a slow machine can be set aside.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "workload.h"

#define MIB_MAX 65536
#define TICK_MS_MAX 600000
#define TOGETHER_MS 5

/* A child that holds memory until it is let go. */
struct holder {
    pid_t pid;
    int ready;
    int gate;
};

static struct holder
holder_start(long mib)
{
    int ready[2];
    int gate[2];
    struct holder holder;

    child_pipe(ready);
    child_pipe(gate);
    holder.pid = child_fork(true);
    if (holder.pid == 0) {
        use_memory((size_t)mib * MIB, USE_SMALL_PAGES);
        child_tell(ready[1]);
        child_hear(gate[0]);
        _exit(0);
    }
    close(ready[1]);
    close(gate[0]);
    holder.ready = ready[0];
    holder.gate = gate[1];
    return holder;
}

static void
holder_ready(const struct holder *holder)
{
    if (!child_hear(holder->ready))
        arg_die("a child ended too early");
}

/*
 * Lets it end, by a byte: others have inherited the gate.  That it has ended
 * shows on the other pipe, reaped or not.
 */
static void
holder_end(const struct holder *holder, enum child_reaping reaping)
{
    child_tell(holder->gate);
    close(holder->gate);
    if (reaping == CHILD_WAITED)
        child_wait(holder->pid, NULL);
    else
        child_hear(holder->ready);
    close(holder->ready);
}

/* A part of a tick as a time since the start. */
static int64_t
at_tick(long tick_ms, int percent)
{
    return tick_ms * NS_PER_MS / 100 * percent;
}

static void
tell_span(int64_t begin_ns, int64_t end_ns, int64_t gone_ns, long tick_ms)
{
    bool between =
        begin_ns > at_tick(tick_ms, 100) && gone_ns < at_tick(tick_ms, 200);

    truth_int("both_begin_ns", begin_ns);
    truth_int("both_end_ns", end_ns);
    truth_int("gone_ns", gone_ns);
    truth_int("tick_ns", tick_ms * NS_PER_MS);
    truth_int("between_ticks", between);
}

static int
overlap(int argc, char **argv)
{
    long mib = arg_number(argc, argv, 1, 200, MIB_MAX);
    long tick_ms = arg_number(argc, argv, 2, 1000, TICK_MS_MAX);
    struct holder first = holder_start(mib);
    struct holder second;
    int64_t begin_ns;
    int64_t end_ns;

    holder_ready(&first);
    truth_int("first_held_ns", use_elapsed_ns());
    use_sleep_until_ns(at_tick(tick_ms, 110));
    second = holder_start(mib);
    holder_ready(&second);
    begin_ns = use_elapsed_ns();
    use_sleep_ms(TOGETHER_MS);
    end_ns = use_elapsed_ns();
    holder_end(&first, CHILD_WAITED);
    tell_span(begin_ns, end_ns, use_elapsed_ns(), tick_ms);
    truth_ready();
    use_sleep_until_ns(at_tick(tick_ms, 230));
    holder_end(&second, CHILD_WAITED);
    truth_int("first_pid", first.pid);
    truth_int("second_pid", second.pid);
    truth_int("touched_bytes", mib * (int64_t)MIB);
    truth_int("peak_bytes", 2 * mib * (int64_t)MIB);
    use_sleep_until_ns(at_tick(tick_ms, 250));
    truth_cpu("");
    return 0;
}

static int
unseen(int argc, char **argv)
{
    static const char *const ways[] = {"wait", "ignore", "nocldwait", NULL};
    long mib = arg_number(argc, argv, 1, 200, MIB_MAX);
    long tick_ms = arg_number(argc, argv, 2, 1000, TICK_MS_MAX);
    enum child_reaping reaping =
        (enum child_reaping)arg_choice(argc, argv, 3, ways);
    struct holder child;
    void *memory;
    int64_t begin_ns;
    int64_t end_ns;

    child_set_reaping(reaping);
    memory = use_memory((size_t)mib * MIB, USE_SMALL_PAGES);
    /* Else the child would have it too, and hold three times MIB in sum. */
    madvise(memory, (size_t)mib * MIB, MADV_DONTFORK);
    truth_int("first_held_ns", use_elapsed_ns());
    use_sleep_until_ns(at_tick(tick_ms, 110));
    child = holder_start(0);
    holder_end(&child, reaping);
    /* That was one without memory; this one doubles it. */
    child = holder_start(mib);
    holder_ready(&child);
    begin_ns = use_elapsed_ns();
    use_sleep_ms(TOGETHER_MS);
    end_ns = use_elapsed_ns();
    holder_end(&child, reaping);
    tell_span(begin_ns, end_ns, use_elapsed_ns(), tick_ms);
    truth_ready();
    truth_int("child_pid", child.pid);
    truth_int("touched_bytes", mib * (int64_t)MIB);
    truth_int("peak_bytes", 2 * mib * (int64_t)MIB);
    use_sleep_until_ns(at_tick(tick_ms, 230));
    use_free(memory, (size_t)mib * MIB);
    truth_cpu("");
    return 0;
}

/* Never two at a time: the sum of all would be above the truth. */
static int
in_turn(int argc, char **argv)
{
    long mib = arg_number(argc, argv, 1, 200, MIB_MAX);
    long times = arg_number(argc, argv, 2, 2, 1000);
    long rest_ms = arg_number(argc, argv, 3, 500, TICK_MS_MAX);

    for (long i = 0; i < times; i++) {
        struct holder child = holder_start(mib);

        holder_ready(&child);
        holder_end(&child, CHILD_WAITED);
    }
    truth_int("touched_bytes", mib * (int64_t)MIB);
    truth_int("peak_bytes", mib * (int64_t)MIB);
    truth_int("children", times);
    truth_ready();
    use_sleep_ms(rest_ms);
    truth_cpu("");
    return 0;
}

const struct workload overlap_workloads[] = {
    {"overlap", "[MIB [TICK_MS]]",
     "T23: two children of MIB, both held only between two ticks (200 1000)",
     overlap, false},
    {"unseen", "[MIB [TICK_MS [wait|ignore|nocldwait]]]",
     "T23: holds MIB, a child of MIB comes and goes between two ticks", unseen,
     false},
    {"in-turn", "[MIB [TIMES [REST_MS]]]",
     "children of MIB one after the other, never two (200 2 500)", in_turn,
     false},
    {NULL, NULL, NULL, NULL, false},
};
