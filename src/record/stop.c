/* SPDX-License-Identifier: MIT */
/*
 * Ends the tree of a step: TERM, and KILL later, to all of it, also where the
 * root alone is measured.
 */
#include <errno.h>
#include <signal.h>

#include "base/num.h"
#include "record/recorder_state.h"
#include "base/message.h"

/* No signal tells of the end of who is not pmon's child. */
static const int64_t look_again_ns = 20 * NUM_NS_PER_MS;

void
run_stop_begin(struct run *run, int64_t at_ns)
{
    if (run->stopping.has_begun || run->has_ended)
        return;
    run->is_stopping = true;
    stopping_begin(&run->stopping, at_ns, run->options.kill_after_ns);
}

/* Signals all members; how many of them may not be signalled. */
static int64_t
signal_members(struct run *run, int number)
{
    const struct members *members = &run->measure.sampler.members;
    int64_t refused = 0;

    for (size_t i = 0; i < members->count; i++) {
        const struct member *member = members->list[i];

        if (!member->is_foreign && !member->is_zombie && !member->is_gone)
            refused += stopping_send(&run->live.source, member->handle.pid,
                                     member->start_ticks, number) == -EPERM;
    }
    return refused;
}

/* The same where members are the root alone; *ret_count is of all of them. */
static int64_t
signal_descendants(struct run *run, int number, int64_t *ret_count)
{
    const struct descendants *descendants = &run->descendants;
    int64_t refused = 0;

    *ret_count = 0;
    if (descendants_find(&run->descendants, &run->live.source,
                         run->has_ended ? 0 : run->root) < 0)
        return 0;
    *ret_count = (int64_t)descendants->count;
    for (size_t i = 0; number != 0 && i < descendants->count; i++)
        refused +=
            stopping_send(&run->live.source, descendants->list[i].pid,
                          descendants->list[i].start_ticks, number) == -EPERM;
    return refused;
}

/* Who was born since the last tick is to be signalled as well. */
static void
look_again(struct run *run)
{
    struct moment now = run_now(run);
    struct sample sample;

    if (run->has_proc)
        sampler_pass(&run->measure.sampler, now.monotonic_ns, now.boottime_ns,
                     &sample);
}

void
run_stop_go_on(struct run *run, int64_t now_ns)
{
    int64_t count = 0;
    int number;

    /* Survivors are run_stop_waits' own; the root's id may be another's. */
    if (run->has_ended)
        return;
    number = stopping_signal(&run->stopping, now_ns);
    if (number == 0)
        return;
    run->has_stopped_root = true;
    if (number == SIGTERM && kill(run->root, 0) < 0 && errno == EPERM)
        say("%s (%d) cannot be ended: %s; pmon waits for it",
            strbuf_text(&run->title), (int)run->root, error_name(EPERM));
    if (!run->options.root_only) {
        look_again(run);
        signal_members(run, number);
    } else {
        signal_descendants(run, number, &count);
    }
    if (run->options.root_only ? count == 0 : run->measure.sampler.root == NULL)
        stopping_send_child(run->root, number); /* it was never seen */
}

/* --survivors and --max-… of a tree whose members are known. */
static bool
waits_for_members(struct run *run, int64_t now_ns)
{
    const struct survivors *survivors = &run->survivors;
    int64_t refused = 0;
    int number;

    if (survivors->count == 0)
        return false;
    if (run->options.survivors == SURVIVORS_WAIT && !run->is_stopping)
        return survivors->stopped < survivors->count;
    if (run->options.survivors == SURVIVORS_LEAVE && !run->is_stopping)
        return false;
    stopping_begin(&run->stopping, now_ns, run->options.kill_after_ns);
    number = stopping_signal(&run->stopping, now_ns);
    if (number != 0)
        refused = signal_members(run, number);
    return refused < survivors->count &&
           !stopping_has_failed(&run->stopping, now_ns);
}

static bool
waits_for_descendants(struct run *run, int64_t now_ns)
{
    int number = stopping_signal(&run->stopping, now_ns);
    int64_t count;
    int64_t refused = signal_descendants(run, number, &count);

    /* The root, of which the rows are, has given its last one. */
    if (run->is_waiting)
        run->is_recording = false;
    if (run->stopping.next_ns > now_ns + look_again_ns)
        run->stopping.next_ns = now_ns + look_again_ns;
    return refused < count && !stopping_has_failed(&run->stopping, now_ns);
}

bool
run_stop_waits(struct run *run, int64_t now_ns)
{
    if (run->gives_up)
        return false;
    if (run->is_stopping && run->options.root_only)
        return waits_for_descendants(run, now_ns);
    return waits_for_members(run, now_ns);
}
