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
#include "base/message.h"
#include "step/wait.h"
#include "views/human.h"

/* How long who ends with the root may take, with some GB to give back. */
static const int64_t ending_wait_ns = NUM_NS_PER_S;
static const int64_t memory_every_ns = NUM_NS_PER_S;

/* Without /proc there is nothing to sample between start and end. */
static bool
ticks_are_due(const struct run *run)
{
    return run->has_proc &&
           (run->is_recording || run->is_waiting || run->is_stopping);
}

static int64_t
deadline_of(const struct run *run)
{
    int64_t deadline_ns = run_budgets_deadline(run);
    int64_t end_ns;

    if (ticks_are_due(run)) {
        if (run->next_ns < deadline_ns)
            deadline_ns = run->next_ns;
        if (run->is_recording && run->options.duration_ns != NUM_UNKNOWN) {
            end_ns = run->start_ns + run->options.duration_ns;
            if (end_ns < deadline_ns)
                deadline_ns = end_ns;
        }
    }
    if (run->outputs.summary_path != NULL && run->summary_at_ns < deadline_ns)
        deadline_ns = run->summary_at_ns;
    if (run->stopping.has_begun && run->stopping.next_ns < deadline_ns)
        deadline_ns = run->stopping.next_ns;
    if (run->held.number != 0 && run->held_until_ns < deadline_ns)
        deadline_ns = run->held_until_ns;
    if (run->stopped.is_pending &&
        run->stopped.continued_at_ns + STOPPED_RECHECK_NS < deadline_ns)
        deadline_ns = run->stopped.continued_at_ns + STOPPED_RECHECK_NS;
    return deadline_ns;
}

/* Waits for a signal, the end of an attached process, or the deadline. */
static void
wait_for_event(struct run *run)
{
    struct pollfd fds[] = {{.fd = run->signals.fd, .events = POLLIN},
                           {.fd = run->watched.pidfd, .events = POLLIN}};
    int64_t deadline_ns = deadline_of(run);
    int64_t left_ns = deadline_ns == INT64_MAX
                          ? INT64_MAX
                          : num_max(0, deadline_ns - run_monotonic(run));
    struct timespec timeout;
    bool asks = watched_is_asked_for(&run->watched);
    int count;

    if (asks && left_ns > WATCHED_ASK_NS)
        left_ns = WATCHED_ASK_NS;
    timeout = (struct timespec){.tv_sec = (time_t)(left_ns / NUM_NS_PER_S),
                                .tv_nsec = (long)(left_ns % NUM_NS_PER_S)};
    count = ppoll(fds, 2, left_ns == INT64_MAX ? NULL : &timeout, NULL);
    if ((count > 0 && (fds[1].revents & POLLIN) != 0) ||
        (asks && watched_has_ended(&run->watched, &run->live.source)))
        run->has_ended = true;
    if ((count > 0 && (fds[0].revents & POLLIN) != 0) ||
        run->stopped.is_pending || run->held.number != 0)
        run_take_events(run);
}

/* Ticks that were due before this one, which takes the place of the last. */
static int64_t
missed_until(const struct run *run, int64_t now_ns)
{
    int64_t interval_ns = run->options.interval_ns;

    if (interval_ns == NUM_UNKNOWN || now_ns < run->next_ns)
        return 0;
    return (now_ns - run->next_ns) / interval_ns;
}

int64_t
run_schedule(struct run *run, int64_t now_ns)
{
    int64_t interval_ns = run->options.interval_ns;
    int64_t elapsed_ns = now_ns - run->start_ns;
    int64_t missed = missed_until(run, now_ns);

    /* A row that some end has asked for moves no tick. */
    if (now_ns < run->next_ns)
        return 0;
    if (interval_ns == NUM_UNKNOWN) {
        interval_ns = elapsed_ns / 100;
        if (interval_ns < 20 * NUM_NS_PER_MS)
            interval_ns = 20 * NUM_NS_PER_MS;
        if (interval_ns > NUM_NS_PER_S)
            interval_ns = NUM_NS_PER_S;
        run->next_ns = now_ns + interval_ns;
        return 0;
    }
    run->next_ns = run->start_ns + (elapsed_ns / interval_ns + 1) * interval_ns;
    /* After a late tick the next one may be too close: never bunched. */
    if (run->next_ns - now_ns < interval_ns / 2) {
        run->next_ns += interval_ns;
        missed++;
    }
    return missed;
}

static void
tick(struct run *run, struct row *ret_row)
{
    struct moment now = run_now(run);

    run_exact_take(run, now.monotonic_ns);
    measure_tick(&run->measure, run->context->clock, &now, ret_row);
    measure_miss(&run->measure, run_schedule(run, now.monotonic_ns));
    if (measure_pss_is_due(&run->measure))
        measure_read_pss(&run->measure, run->context->clock, ret_row);
    if (run->outputs.summary_path != NULL &&
        now.monotonic_ns - run->memory_at_ns >= memory_every_ns) {
        run->memory_at_ns = now.monotonic_ns;
        host_watch_memory(&run->host);
    }
}

/* --duration has passed: an attached process is left, a step goes on. */
static void
end_recording(struct run *run)
{
    STRBUF_AUTO text = {0};

    run->is_recording = false;
    if (run->options.attach_pid != 0) {
        run->is_detached = true;
        return;
    }
    run_live_hide(run);
    if (run->options.ends_step) {
        run->is_stopped_as_asked = !run->stopping.has_begun;
        run_stop_begin(run, run_monotonic(run));
        return;
    }
    human_duration(&text, run->options.duration_ns);
    if (run->options.is_quiet)
        return;
    if (run->is_waiting)
        say("recording ends after %s, what outlives the step is waited for",
            strbuf_text(&text));
    else
        say("recording ends after %s, the step goes on; --max-time stops it",
            strbuf_text(&text));
}

static bool
duration_has_passed(const struct run *run, int64_t now_ns)
{
    return run->is_recording && run->options.duration_ns != NUM_UNKNOWN &&
           now_ns - run->start_ns >= run->options.duration_ns;
}

/*
 * Whoever ended with the root may be a moment behind it, and is no survivor.
 */
static void
let_end(struct run *run)
{
    enum { STEP_MS = 2 };
    int64_t until_ns = run_monotonic(run) + ending_wait_ns;
    struct pollfd fd = {.fd = run->signals.fd, .events = POLLIN};

    while (survivors_are_ending(&run->measure.sampler) &&
           run_monotonic(run) < until_ns) {
        if (poll(&fd, 1, STEP_MS) > 0)
            run_take_events(run);
        run_reap_all(run);
    }
    run_reap_all(run);
}

/*
 * The root has ended or is left: who survives, and the row at this moment,
 * the last one unless survivors are waited for.
 */
static int
finish(struct run *run, struct row *ret_row)
{
    struct moment now = run_now(run);

    if (run->child.pid > 0)
        run_reap_all(run);
    /* While survivors are waited for, their end is another look. */
    if (run->child.pid > 0 && run->has_ended && !run->is_waiting &&
        !run->options.root_only)
        let_end(run);
    run->child_has_ended = false;
    run->members_at_ns = 0;
    run_exact_take(run, now.monotonic_ns);
    measure_finish(&run->measure, run->context->clock, &now, run->is_recording,
                   ret_row);
    if (run->options.attach_pid == 0 && !run->options.root_only)
        survivors_find(&run->measure.sampler, &run->survivors);
    if (!run->is_waiting)
        run->first_survivors = run->survivors;
    run->is_waiting = run_stop_waits(run, now.monotonic_ns);
    /* At the end there is no next tick that could be too close. */
    if (run->is_recording && run->has_proc)
        measure_miss(&run->measure, run->is_waiting
                                        ? run_schedule(run, now.monotonic_ns)
                                        : missed_until(run, now.monotonic_ns));
    run->is_finished = !run->is_waiting;
    return run->is_recording ? 0 : 1;
}

/* Whether the end, or the end of a survivor, is to be looked at. */
static bool
has_come_to_an_end(const struct run *run)
{
    if (run->is_waiting)
        return run->child_has_ended || run->gives_up;
    return run->has_ended || run->is_detached;
}

static int
give_first(struct run *run, struct row *ret_row)
{
    run->first_is_pending = false;
    run->has_started = true;
    *ret_row = run->first;
    return 0;
}

/* A tick, the end of --duration, or a signal to survivors is due. */
static bool
tick_is_due(const struct run *run, int64_t now_ns)
{
    return (ticks_are_due(run) && now_ns >= run->next_ns) ||
           (run->is_waiting && run->stopping.has_begun &&
            now_ns >= run->stopping.next_ns) ||
           duration_has_passed(run, now_ns);
}

/* While survivors are waited for, a tick is a look at who is left. */
static void
look_at_survivors(struct run *run, int64_t now_ns)
{
    int64_t missed = run_schedule(run, now_ns);

    if (run->is_recording)
        measure_miss(&run->measure, missed);
    run->child_has_ended = true;
}

/* What is due now; 0 when that gave a row. */
static int
take_tick(struct run *run, int64_t now_ns, struct row *ret_row)
{
    bool was_recording = run->is_recording;

    if (duration_has_passed(run, now_ns)) {
        tick(run, ret_row);
        end_recording(run);
        return 0;
    }
    if (run->is_waiting) {
        look_at_survivors(run, now_ns);
        return 1;
    }
    tick(run, ret_row);
    return was_recording ? 0 : 1;
}

/* The root has ended or is left; 0 when that gave a row. */
static int
take_end(struct run *run, struct row *ret_row)
{
    if (!run->first_is_pending)
        return finish(run, ret_row);
    measure_first_row(&run->measure, &run->first);
    return give_first(run, ret_row);
}

/*
 * Events come before ticks: where a row takes longer than the interval, a
 * tick is due at any time, and the end of the step must not wait for one that
 * is not.
 */
int
run_next(struct run *run, struct row *ret_row)
{
    if (!run->has_started && !run->first_is_pending)
        return give_first(run, ret_row);
    while (!run->is_finished) {
        int64_t now_ns;

        if (has_come_to_an_end(run)) {
            if (take_end(run, ret_row) == 0)
                return 0;
            continue;
        }
        now_ns = run_monotonic(run);
        if (run->first_is_pending && tick_is_due(run, now_ns))
            return give_first(run, ret_row);
        run_budgets_time(run, now_ns);
        run_stop_go_on(run, now_ns);
        if (run->summary_at_ns <= now_ns)
            run_write_summary(run);
        if (!run->has_taken_events || !tick_is_due(run, now_ns)) {
            wait_for_event(run);
            run->has_taken_events = true;
            continue;
        }
        run->has_taken_events = false;
        if (take_tick(run, now_ns, ret_row) == 0)
            return 0;
    }
    return 1;
}
