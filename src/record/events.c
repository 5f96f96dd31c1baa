/* SPDX-License-Identifier: MIT */
/* Events of a run: signals that pmon gets, and ends of its children. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/num.h"
#include "record/recorder_state.h"
#include "step/descendants.h"
#include "step/wait.h"
#include "views/human.h"

/*
 * How long a step that is to end has to react to the signal that asked for it.
 */
static const int64_t grace_ns = NUM_NS_PER_S;

/* A signal to the whole group may come this much later than one to pmon. */
static const int64_t group_wait_ns = 50 * NUM_NS_PER_MS;

/*
 * Whether pid is the step or a descendant of it, even one that was never
 * sampled.
 */
static bool
is_of_step(struct recorder *recorder, pid_t pid)
{
    return tree_find(&recorder->measure.sampler.tree, pid) != NULL ||
           (recorder->has_proc &&
            descendants_include(&recorder->live.source, pid, recorder->root));
}

static void
pass_on(struct recorder *recorder, const struct signal_event *event)
{
    STRBUF_AUTO name = {0};

    if (recorder_root_has_ended(recorder))
        return;
    if (signals_pass(&recorder->signals, event, recorder->root,
                     recorder_monotonic(recorder)) != -EPERM)
        return;
    human_signal(&name, event->number);
    recorder_say(recorder, "%s cannot be passed to %s (%d): %s",
                 strbuf_text(&name), strbuf_text(&recorder->title),
                 (int)recorder->root, error_name(EPERM));
}

/*
 * Whether pid ignores a signal, as a process does that sends it to its own
 * group.
 */
static bool
ignores(struct recorder *recorder, pid_t pid, int number)
{
    struct proc_source *source = &recorder->live.source;
    struct proc_status status;
    struct proc_handle handle;
    char text[PROC_TEXT_SIZE];
    ssize_t got;

    proc_handle_init(&handle, pid);
    got = source->read(source, &handle, PROC_STATUS, text, sizeof(text));
    source->release(source, &handle);
    return got > 0 && proc_parse_status(text, &status) == 0 &&
           (status.ignored >> (number - 1) & 1) != 0;
}

static void
release_held(struct recorder *recorder)
{
    if (recorder->held.number != 0)
        pass_on(recorder, &recorder->held);
    recorder->held.number = 0;
}

/*
 * timeout(1) signals pmon, and then its whole group, in which it ignores the
 * signal itself, and continues both.  The step gets the signal as one of the
 * group, and a second one would disturb its clean-up.  So a signal that may be
 * followed by one to the group is passed a moment later.
 */
static bool
is_held(struct recorder *recorder, const struct signal_event *event)
{
    if (event->number == SIGCONT && recorder->held.number != 0 &&
        event->sender == recorder->held.sender &&
        ignores(recorder, event->sender, recorder->held.number))
        recorder->held.number = 0;
    if (!signals_may_be_for_group(event, recorder->root))
        return false;
    if (recorder->held.number == event->number)
        return true;
    release_held(recorder);
    recorder->held = *event;
    recorder->held_until_ns = recorder_monotonic(recorder) + group_wait_ns;
    return true;
}

/* Passes a signal to the step unless the step has got it already. */
static void
pass_signal(struct recorder *recorder, const struct signal_event *event)
{
    if (recorder_root_has_ended(recorder) || recorder->child.pid <= 0)
        return;
    if (event->sender > 0 && is_of_step(recorder, event->sender))
        return;
    if (!is_held(recorder, event))
        pass_on(recorder, event);
}

static void
take_signal(struct recorder *recorder, const struct signal_event *event)
{
    if (event->number == SIGCHLD)
        return;
    if (event->number == SIGWINCH) {
        recorder_live_hide(recorder);
        return;
    }
    if (event->number == SIGCONT)
        job_control_continued(&recorder->stopped, recorder_monotonic(recorder));
    /* No step is there that would stop first: stop at once. */
    if (event->number == SIGTSTP && (recorder->options.attach_pid != 0 ||
                                     recorder_root_has_ended(recorder))) {
        recorder_live_hide(recorder);
        signals_stop(SIGTSTP);
    }
    if (recorder->options.attach_pid != 0) {
        if (signals_ends(event->number))
            recorder_leave_process(recorder);
        return;
    }
    pass_signal(recorder, event);
    if (recorder->options.ends_step && signals_asks_to_end(event->number))
        recorder_stop_begin(recorder,
                            num_add(recorder_monotonic(recorder), grace_ns),
                            STOP_FOR_SIGNAL);
    if (recorder->phase == PHASE_WAITING && signals_ends(event->number))
        recorder->look = LOOK_GIVE_UP;
    /* KILL may follow, also if pmon itself has used up `ulimit -t`. */
    if ((signals_asks_to_end(event->number) || event->number == SIGXCPU) &&
        event->number != SIGQUIT && recorder->first_row == FIRST_GIVEN)
        recorder_write_summary(recorder);
}

/* If the root was stopped, stops pmon too, when a shell waits for both. */
static void
follow_stop(struct recorder *recorder)
{
    int number;

    if (recorder->child.pid <= 0 || recorder_root_has_ended(recorder))
        return;
    number = job_control_is_due(&recorder->stopped, recorder->root,
                                recorder_monotonic(recorder));
    if (number == 0)
        return;
    recorder_live_hide(recorder); /* the shell gets the terminal */
    signals_stop(number);
    job_control_continued(&recorder->stopped, recorder_monotonic(recorder));
}

static void
reap(struct recorder *recorder, pid_t pid)
{
    struct accounts_zombie zombie;
    struct rusage usage;
    bool is_root = pid == recorder->child.pid;
    int status;

    /* Adopted, but not measured. */
    if (!is_root && recorder->options.root_only) {
        wait_reap(pid, &status, &usage);
        return;
    }
    measure_zombie(&recorder->measure, pid, &zombie);
    if (wait_reap(pid, &status, &usage) < 0)
        return;
    measure_reaped(&recorder->measure, pid, is_root, &zombie, &usage);
    if (recorder->look < LOOK_ENDED)
        recorder->look = LOOK_ENDED;
    if (is_root) {
        recorder_take(recorder, EVENT_END);
        recorder->root_ended_ns = recorder_monotonic(recorder);
        recorder->wait_status = status;
    }
}

void
recorder_reap_all(struct recorder *recorder)
{
    pid_t pid;

    while ((pid = wait_next_zombie()) > 0)
        reap(recorder, pid);
}

void
recorder_take_events(struct recorder *recorder)
{
    struct signal_event event;
    bool children = false;

    for (;;) {
        signals_next(&recorder->signals, &event);
        if (event.number == 0)
            break;
        children |= event.number == SIGCHLD;
        take_signal(recorder, &event);
    }
    if (recorder->held.number != 0 &&
        recorder_monotonic(recorder) >= recorder->held_until_ns)
        release_held(recorder);
    if (!children && !recorder->stopped.is_pending)
        return;
    recorder_reap_all(recorder);
    follow_stop(recorder);
}
