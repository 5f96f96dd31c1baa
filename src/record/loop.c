/* SPDX-License-Identifier: MIT */
/*
 * The loop of a run.  The only file that waits: one poll over signals, the
 * watched process and the next tick.
 */
#include <poll.h>
#include <sys/wait.h>
#include <time.h>

#include "base/num.h"
#include "record/recorder_state.h"
#include "step/wait.h"
#include "views/human.h"

static const int64_t memory_every_ns = NUM_NS_PER_S;

/* Without /proc there is nothing to sample between start and end. */
static bool
ticks_are_due(const struct recorder *recorder)
{
    return recorder->has_proc &&
           (recorder->is_recording || recorder->phase == PHASE_WAITING ||
            recorder->phase == PHASE_STOPPING);
}

static int64_t
deadline_of(const struct recorder *recorder)
{
    int64_t deadline_ns = recorder_budgets_deadline(recorder);
    int64_t end_ns;

    if (ticks_are_due(recorder)) {
        if (recorder->next_ns < deadline_ns)
            deadline_ns = recorder->next_ns;
        if (recorder->is_recording &&
            recorder->options.duration_ns != NUM_UNKNOWN) {
            end_ns = recorder->start_ns + recorder->options.duration_ns;
            if (end_ns < deadline_ns)
                deadline_ns = end_ns;
        }
    }
    if (recorder->outputs.summary_path != NULL &&
        recorder->summary_at_ns < deadline_ns)
        deadline_ns = recorder->summary_at_ns;
    if (recorder->stopping.has_begun &&
        recorder->stopping.next_ns < deadline_ns)
        deadline_ns = recorder->stopping.next_ns;
    if (recorder->held.number != 0 && recorder->held_until_ns < deadline_ns)
        deadline_ns = recorder->held_until_ns;
    if (recorder->stopped.is_pending &&
        recorder->stopped.continued_at_ns + JOB_CONTROL_RECHECK_NS <
            deadline_ns)
        deadline_ns =
            recorder->stopped.continued_at_ns + JOB_CONTROL_RECHECK_NS;
    return deadline_ns;
}

/* Waits for a signal, the end of an attached process, or the deadline. */
static void
wait_for_event(struct recorder *recorder)
{
    struct pollfd fds[] = {{.fd = recorder->signals.fd, .events = POLLIN},
                           {.fd = recorder->watched.pidfd, .events = POLLIN}};
    int64_t deadline_ns = deadline_of(recorder);
    int64_t left_ns =
        deadline_ns == INT64_MAX
            ? INT64_MAX
            : num_max(0, deadline_ns - recorder_monotonic(recorder));
    struct timespec timeout;
    bool asks = attach_is_asked_for(&recorder->watched);
    int count;

    if (asks && left_ns > ATTACH_ASK_NS)
        left_ns = ATTACH_ASK_NS;
    timeout = (struct timespec){.tv_sec = (time_t)(left_ns / NUM_NS_PER_S),
                                .tv_nsec = (long)(left_ns % NUM_NS_PER_S)};
    count = ppoll(fds, 2, left_ns == INT64_MAX ? NULL : &timeout, NULL);
    if ((count > 0 && (fds[1].revents & POLLIN) != 0) ||
        (asks && attach_has_ended(&recorder->watched, &recorder->live.source)))
        recorder_take(recorder, EVENT_END);
    if ((count > 0 && (fds[0].revents & POLLIN) != 0) ||
        recorder->stopped.is_pending || recorder->held.number != 0)
        recorder_take_events(recorder);
}

int64_t
recorder_missed(const struct recorder *recorder, int64_t now_ns)
{
    int64_t interval_ns = recorder->options.interval_ns;

    if (interval_ns == NUM_UNKNOWN || now_ns < recorder->next_ns)
        return 0;
    return (now_ns - recorder->next_ns) / interval_ns;
}

int64_t
recorder_schedule(struct recorder *recorder, int64_t now_ns)
{
    int64_t interval_ns = recorder->options.interval_ns;
    int64_t elapsed_ns = now_ns - recorder->start_ns;
    int64_t missed = recorder_missed(recorder, now_ns);

    /* A row at the end of a process does not move the next tick. */
    if (now_ns < recorder->next_ns)
        return 0;
    if (interval_ns == NUM_UNKNOWN) {
        interval_ns = elapsed_ns / 100;
        if (interval_ns < 20 * NUM_NS_PER_MS)
            interval_ns = 20 * NUM_NS_PER_MS;
        if (interval_ns > NUM_NS_PER_S)
            interval_ns = NUM_NS_PER_S;
        recorder->next_ns = now_ns + interval_ns;
        return 0;
    }
    recorder->next_ns =
        recorder->start_ns + (elapsed_ns / interval_ns + 1) * interval_ns;
    /* After a late tick the next one may be too close: skip it. */
    if (recorder->next_ns - now_ns < interval_ns / 2) {
        recorder->next_ns += interval_ns;
        missed++;
    }
    return missed;
}

static void
tick(struct recorder *recorder, struct row *ret_row)
{
    struct moment now = recorder_now(recorder);

    recorder_exact_take(recorder, now.monotonic_ns);
    measure_tick(&recorder->measure, recorder->context->clock, &now, ret_row);
    measure_miss(&recorder->measure,
                 recorder_schedule(recorder, now.monotonic_ns));
    if (measure_pss_is_due(&recorder->measure))
        measure_read_pss(&recorder->measure, recorder->context->clock, ret_row);
    if (recorder->outputs.summary_path != NULL &&
        now.monotonic_ns - recorder->memory_at_ns >= memory_every_ns) {
        recorder->memory_at_ns = now.monotonic_ns;
        host_watch_memory(&recorder->host);
    }
}

void
recorder_leave_process(struct recorder *recorder)
{
    recorder_take(recorder, EVENT_LEAVE);
    if (recorder->phase == PHASE_LEFT)
        recorder->run.outcome.reason = REASON_DETACHED;
}

/* --duration has passed: leaves an attached process; a step goes on. */
static void
end_recording(struct recorder *recorder)
{
    STRBUF_AUTO text = {0};

    recorder->is_recording = false;
    recorder_take(recorder, EVENT_DURATION);
    if (recorder->options.attach_pid != 0) {
        recorder_leave_process(recorder);
        return;
    }
    recorder_live_hide(recorder);
    if (recorder->options.ends_step) {
        recorder_stop_begin(recorder, recorder_monotonic(recorder),
                            STOP_FOR_DURATION);
        return;
    }
    human_duration(&text, recorder->options.duration_ns);
    if (recorder->options.is_quiet)
        return;
    if (recorder->phase == PHASE_WAITING)
        recorder_say(recorder,
                     "recording ended after %s; waiting for processes that "
                     "outlive the step",
                     strbuf_text(&text));
    else
        recorder_say(recorder,
                     "recording ended after %s; the step goes on; --max-time "
                     "would stop it",
                     strbuf_text(&text));
}

static bool
duration_has_passed(const struct recorder *recorder, int64_t now_ns)
{
    return recorder->is_recording &&
           recorder->options.duration_ns != NUM_UNKNOWN &&
           now_ns - recorder->start_ns >= recorder->options.duration_ns;
}

/* Whether the root or a survivor has ended, and that is to be handled. */
static bool
has_come_to_an_end(const struct recorder *recorder)
{
    if (recorder->phase == PHASE_WAITING)
        return recorder->look != LOOK_NONE;
    return recorder->phase == PHASE_ENDED || recorder->phase == PHASE_LEFT;
}

static int
give_first(struct recorder *recorder, struct row *ret_row)
{
    recorder->first_row = FIRST_GIVEN;
    *ret_row = recorder->first;
    return 0;
}

/* Whether a tick, the end of --duration, or a signal to survivors is due. */
static bool
tick_is_due(const struct recorder *recorder, int64_t now_ns)
{
    return (ticks_are_due(recorder) && now_ns >= recorder->next_ns) ||
           (recorder->phase == PHASE_WAITING && recorder->stopping.has_begun &&
            now_ns >= recorder->stopping.next_ns) ||
           duration_has_passed(recorder, now_ns);
}

/* While pmon waits for survivors, a tick looks for those that are left. */
static void
look_at_survivors(struct recorder *recorder, int64_t now_ns)
{
    bool is_tick = now_ns >= recorder->next_ns;
    int64_t missed;

    missed = recorder_schedule(recorder, now_ns);
    if (recorder->is_recording)
        measure_miss(&recorder->measure, missed);
    if (recorder->look < LOOK_TICK)
        recorder->look = is_tick ? LOOK_TICK : LOOK_ENDED;
}

/* Does what is due now; 0 if that made a row. */
static int
take_tick(struct recorder *recorder, int64_t now_ns, struct row *ret_row)
{
    bool was_recording = recorder->is_recording;

    if (duration_has_passed(recorder, now_ns)) {
        tick(recorder, ret_row);
        end_recording(recorder);
        return 0;
    }
    if (recorder->phase == PHASE_WAITING) {
        look_at_survivors(recorder, now_ns);
        return 1;
    }
    tick(recorder, ret_row);
    return was_recording ? 0 : 1;
}

/* The root has ended or is left; 0 if that made a row. */
static int
take_end(struct recorder *recorder, struct row *ret_row)
{
    if (recorder->first_row != FIRST_PENDING)
        return recorder_finish(recorder, ret_row);
    measure_first_row(&recorder->measure, &recorder->first);
    return give_first(recorder, ret_row);
}

/*
 * Events come before ticks: if a row takes longer than the interval, a tick is
 * always due, and the end of the step must not wait for that.
 */
int
recorder_next(struct recorder *recorder, struct row *ret_row)
{
    if (recorder->first_row == FIRST_READY)
        return give_first(recorder, ret_row);
    while (recorder->phase != PHASE_DONE) {
        int64_t now_ns;

        if (has_come_to_an_end(recorder)) {
            if (take_end(recorder, ret_row) == 0)
                return 0;
            continue;
        }
        now_ns = recorder_monotonic(recorder);
        if (recorder->first_row == FIRST_PENDING &&
            tick_is_due(recorder, now_ns))
            return give_first(recorder, ret_row);
        recorder_budgets_time(recorder, now_ns);
        recorder_stop_go_on(recorder, now_ns);
        if (recorder->summary_at_ns <= now_ns)
            recorder_write_summary(recorder);
        if (!recorder->has_taken_events || !tick_is_due(recorder, now_ns)) {
            wait_for_event(recorder);
            recorder->has_taken_events = true;
            continue;
        }
        recorder->has_taken_events = false;
        if (take_tick(recorder, now_ns, ret_row) == 0)
            return 0;
    }
    return 1;
}
