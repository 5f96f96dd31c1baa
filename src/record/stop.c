/* SPDX-License-Identifier: MIT */
/*
 * Ends the tree of a step: TERM, and KILL later, to all of it, even if only the
 * root is measured.
 */
#include <errno.h>
#include <signal.h>

#include "base/num.h"
#include "record/recorder_state.h"

/* No signal reports the end of a process that is not pmon's child. */
static const int64_t look_again_ns = 20 * NUM_NS_PER_MS;

void
recorder_stop_begin(struct recorder *recorder, int64_t at_ns,
                    enum stop_cause cause)
{
    if (!phase_runs(recorder->phase))
        return;
    recorder->stop_cause = cause;
    recorder_take(recorder, EVENT_STOP);
    terminate_begin(&recorder->stopping, at_ns,
                    recorder->options.kill_after_ns);
}

/* Signals all members; returns how many may not be signalled. */
static int64_t
signal_members(struct recorder *recorder, int number)
{
    const struct tree *tree = &recorder->measure.sampler.tree;
    int64_t refused = 0;

    for (size_t i = 0; i < tree->count; i++) {
        const struct member *member = tree->list[i];

        if (!member->is_foreign && !member->is_zombie && !member->is_gone)
            refused +=
                terminate_send(&recorder->live.source, member->handle.pid,
                               member->start_ticks, number) == -EPERM;
    }
    return refused;
}

/*
 * The same if only the root is a member: signals all its descendants, whose
 * number is *ret_count.
 */
static int64_t
signal_descendants(struct recorder *recorder, int number, int64_t *ret_count)
{
    const struct descendants *descendants = &recorder->descendants;
    int64_t refused = 0;

    *ret_count = 0;
    /* Ids of another PID namespace are those of other processes here. */
    if (!recorder->has_proc)
        return 0;
    if (descendants_find(
            &recorder->descendants, &recorder->live.source,
            recorder_root_has_ended(recorder) ? 0 : recorder->root) < 0)
        return 0;
    *ret_count = (int64_t)descendants->count;
    for (size_t i = 0; number != 0 && i < descendants->count; i++)
        refused +=
            terminate_send(&recorder->live.source, descendants->list[i].pid,
                           descendants->list[i].start_ticks, number) == -EPERM;
    return refused;
}

void
recorder_look(struct recorder *recorder)
{
    struct moment now = recorder_now(recorder);
    struct sample sample;

    if (recorder->has_proc)
        sampler_pass(&recorder->measure.sampler, now.monotonic_ns,
                     now.boottime_ns, &sample);
}

void
recorder_stop_go_on(struct recorder *recorder, int64_t now_ns)
{
    int64_t count = 0;
    int number;

    /*
     * recorder_stop_waits signals survivors; the root's id may be another
     * process's.
     */
    if (recorder_root_has_ended(recorder))
        return;
    number = terminate_signal(&recorder->stopping, now_ns);
    if (number == 0)
        return;
    recorder->root_signal = number;
    if (number == SIGTERM && kill(recorder->root, 0) < 0 && errno == EPERM)
        recorder_say(recorder, "%s (%d) cannot be ended: %s; pmon waits for it",
                     strbuf_text(&recorder->title), (int)recorder->root,
                     error_name(EPERM));
    if (!recorder->options.root_only) {
        recorder_look(recorder); /* also finds those born since the last tick */
        signal_members(recorder, number);
    } else {
        signal_descendants(recorder, number, &count);
    }
    if (recorder->options.root_only ? count == 0
                                    : recorder->measure.sampler.root == NULL)
        terminate_send_child(recorder->root, number); /* it was never seen */
}

/* Handles --survivors and --max-… of a tree whose members are known. */
static bool
waits_for_members(struct recorder *recorder, int64_t now_ns)
{
    const struct survivors *survivors = &recorder->survivors;
    int64_t refused = 0;
    int number;

    if (survivors->count == 0)
        return false;
    if (recorder->options.survivors == SURVIVORS_WAIT &&
        recorder->stop_cause == STOP_NONE)
        return survivors->stopped < survivors->count;
    if (recorder->options.survivors == SURVIVORS_LEAVE &&
        recorder->stop_cause == STOP_NONE)
        return false;
    terminate_begin(&recorder->stopping, now_ns,
                    recorder->options.kill_after_ns);
    number = terminate_signal(&recorder->stopping, now_ns);
    if (number != 0)
        refused = signal_members(recorder, number);
    return refused < survivors->count &&
           !terminate_has_failed(&recorder->stopping, now_ns);
}

static bool
waits_for_descendants(struct recorder *recorder, int64_t now_ns)
{
    int number = terminate_signal(&recorder->stopping, now_ns);
    int64_t count;
    int64_t refused = signal_descendants(recorder, number, &count);

    /* Rows are only of the root, and the last one was made. */
    if (recorder->phase == PHASE_WAITING)
        recorder->is_recording = false;
    if (recorder->stopping.next_ns > now_ns + look_again_ns)
        recorder->stopping.next_ns = now_ns + look_again_ns;
    return refused < count &&
           !terminate_has_failed(&recorder->stopping, now_ns);
}

bool
recorder_stop_waits(struct recorder *recorder, int64_t now_ns)
{
    if (recorder->look == LOOK_GIVE_UP)
        return false;
    if (recorder->stop_cause != STOP_NONE && recorder->options.root_only)
        return waits_for_descendants(recorder, now_ns);
    return waits_for_members(recorder, now_ns);
}
