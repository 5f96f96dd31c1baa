/* SPDX-License-Identifier: MIT */
/*
 * The end of the root and of the processes that outlive it: finds survivors,
 * and makes the last rows.
 */
#include <poll.h>

#include "base/num.h"
#include "engine/survivors.h"
#include "record/recorder_state.h"

/*
 * Children that exit together with the root get this long; freeing some GB
 * takes time.
 */
static const int64_t ending_wait_ns = NUM_NS_PER_S;

/* A helper of the root may notice this much later that the root has ended. */
static const int64_t grace_ns = 100 * NUM_NS_PER_MS;

/* Takes events for up to wait_ms, above all ends of orphans. */
static void
wait_a_moment(struct recorder *recorder, int wait_ms)
{
    struct pollfd fd = {.fd = recorder->signals.fd, .events = POLLIN};

    if (poll(&fd, 1, wait_ms) > 0)
        recorder_take_events(recorder);
    recorder_reap_all(recorder);
}

/*
 * A process that ends together with the root may take a moment longer, and is
 * not a survivor.
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

/* Finds the processes that outlive the root now; makes no row. */
static void
look_at_survivors(struct recorder *recorder)
{
    recorder_look(recorder);
    if (!recorder->options.root_only)
        survivors_find(&recorder->measure.sampler, &recorder->survivors);
}

/*
 * Helpers such as the resource tracker of Python's multiprocessing end by
 * themselves, some 30 ms after the root, and are not survivors.
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

/* No grace if pmon waits for survivors or ends them anyway. */
static bool
grace_is_due(const struct recorder *recorder)
{
    return recorder->child.pid > 0 && !recorder->options.root_only &&
           recorder->stop_cause == STOP_NONE &&
           recorder->options.survivors != SURVIVORS_WAIT;
}

/* Makes the row at the end of the root, and finds survivors. */
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

/* Counts missed ticks.  At the end no next tick can be too close. */
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

/* Only a tick, or the end of the last survivor, makes a row. */
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
