/* SPDX-License-Identifier: MIT */
/*
 * The end of the root, and of the processes that outlive it: who is a survivor,
 * and which rows are due.
 */
#include <poll.h>

#include "base/num.h"
#include "engine/survivors.h"
#include "record/recorder_state.h"

/* How long who ends with the root may take, with some GB to give back. */
static const int64_t ending_wait_ns = NUM_NS_PER_S;

/* How much later than the root a helper of its own may see that it has ended.
 */
static const int64_t grace_ns = 100 * NUM_NS_PER_MS;

/* Takes what comes within wait_ms, the end of an orphan above all. */
static void
wait_a_moment(struct recorder *recorder, int wait_ms)
{
    struct pollfd fd = {.fd = recorder->signals.fd, .events = POLLIN};

    if (poll(&fd, 1, wait_ms) > 0)
        recorder_take_events(recorder);
    recorder_reap_all(recorder);
}

/*
 * Whoever ended with the root may be a moment behind it, and is no survivor.
 */
static void
let_end(struct recorder *recorder)
{
    enum { STEP_MS = 2 };
    int64_t until_ns = recorder_monotonic(recorder) + ending_wait_ns;

    while (survivors_are_ending(&recorder->measure.sampler) &&
           recorder_monotonic(recorder) < until_ns)
        wait_a_moment(recorder, STEP_MS);
    recorder_reap_all(recorder);
}

/* Who outlives the root now; no row. */
static void
look_at_survivors(struct recorder *recorder)
{
    recorder_look(recorder);
    if (!recorder->options.root_only)
        survivors_find(&recorder->measure.sampler, &recorder->survivors);
}

/*
 * The resource tracker of Python's multiprocessing and its like end by
 * themselves, some 30 ms after the root: a step with one leaves nothing behind.
 */
static void
give_grace(struct recorder *recorder)
{
    enum { STEP_MS = 20 };
    int64_t until_ns = recorder_monotonic(recorder) + grace_ns;

    while (recorder->survivors.count > recorder->survivors.stopped &&
           recorder_monotonic(recorder) < until_ns) {
        wait_a_moment(recorder, STEP_MS);
        look_at_survivors(recorder);
        recorder->measure.used_until_ns = recorder_monotonic(recorder);
    }
}

/* Survivors that are waited for, or stopped, need no grace. */
static bool
grace_is_due(const struct recorder *recorder)
{
    return recorder->child.pid > 0 && !recorder->options.root_only &&
           recorder->stop_cause == STOP_NONE &&
           recorder->options.survivors != SURVIVORS_WAIT;
}

/* The row at the end of the root, and whether there will be more. */
static void
take_row(struct recorder *recorder, struct moment *now, struct row *ret_row)
{
    recorder->exact.members_at_ns = 0;
    recorder_exact_take(recorder, now->monotonic_ns);
    measure_finish(&recorder->measure, recorder->context->clock, now,
                   recorder->is_recording, ret_row);
    if (recorder->options.attach_pid == 0 && !recorder->options.root_only)
        survivors_find(&recorder->measure.sampler, &recorder->survivors);
}

/* At the end there is no next tick that could be too close. */
static void
count_missed(struct recorder *recorder, int64_t now_ns)
{
    if (recorder->is_recording && recorder->has_proc)
        measure_miss(&recorder->measure,
                     recorder->phase == PHASE_WAITING
                         ? recorder_schedule(recorder, now_ns)
                         : recorder_missed(recorder, now_ns));
}

static int
finish_root(struct recorder *recorder, struct row *ret_row)
{
    struct moment now = recorder_now(recorder);

    if (recorder->child.pid > 0)
        recorder_reap_all(recorder);
    if (recorder->child.pid > 0 && recorder_root_has_ended(recorder) &&
        !recorder->options.root_only)
        let_end(recorder);
    recorder->look = LOOK_NONE;
    take_row(recorder, &now, ret_row);
    if (grace_is_due(recorder))
        give_grace(recorder);
    recorder->first_survivors = recorder->survivors;
    recorder_take(recorder,
                  recorder_stop_waits(recorder, recorder_monotonic(recorder))
                      ? EVENT_WAIT
                      : EVENT_FINISH);
    count_missed(recorder, now.monotonic_ns);
    return recorder->is_recording ? 0 : 1;
}

/* The end of one of many is no row of its own; a tick, and the last end, are.
 */
static int
finish_survivor(struct recorder *recorder, struct row *ret_row)
{
    struct moment now = recorder_now(recorder);
    bool is_due = recorder->look == LOOK_TICK;

    recorder_reap_all(recorder);
    if (recorder->look != LOOK_GIVE_UP)
        recorder->look = LOOK_NONE;
    if (!is_due) {
        look_at_survivors(recorder);
        if (recorder_stop_waits(recorder, now.monotonic_ns))
            return 1;
    }
    take_row(recorder, &now, ret_row);
    if (!is_due || !recorder_stop_waits(recorder, now.monotonic_ns))
        recorder_take(recorder, EVENT_FINISH);
    count_missed(recorder, now.monotonic_ns);
    return recorder->is_recording ? 0 : 1;
}

int
recorder_finish(struct recorder *recorder, struct row *ret_row)
{
    return recorder->phase == PHASE_WAITING ? finish_survivor(recorder, ret_row)
                                            : finish_root(recorder, ret_row);
}
