/* SPDX-License-Identifier: MIT */
/* What happens to a run: signals that pmon gets, and ends of its children. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/num.h"
#include "record/recorder_state.h"
#include "base/message.h"
#include "step/ancestry.h"
#include "step/wait.h"
#include "views/human.h"

/* What a step that is to be ended has for the signal that asked for it. */
static const int64_t grace_ns = NUM_NS_PER_S;

/* How much later than to pmon a signal to the whole group may come. */
static const int64_t group_wait_ns = 50 * NUM_NS_PER_MS;

/* Whether pid is the step or descends from it, known to the sampler or not. */
static bool
is_of_step(struct run *run, pid_t pid)
{
    return members_find(&run->measure.sampler.members, pid) != NULL ||
           ancestry_includes(&run->live.source, pid, run->root);
}

static void
pass_on(struct run *run, const struct signal_event *event)
{
    STRBUF_AUTO name = {0};

    if (run->has_ended)
        return;
    if (signals_pass(&run->signals, event, run->root, run_monotonic(run)) !=
        -EPERM)
        return;
    human_signal(&name, event->number);
    say("%s cannot be passed to %s (%d): %s", strbuf_text(&name),
        strbuf_text(&run->title), (int)run->root, error_name(EPERM));
}

/* Whether pid ignores a signal, as who sends it to its own group does. */
static bool
ignores(struct run *run, pid_t pid, int number)
{
    struct proc_source *source = &run->live.source;
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
release_held(struct run *run)
{
    if (run->held.number != 0)
        pass_on(run, &run->held);
    run->held.number = 0;
}

/*
 * timeout(1) signals pmon, and then the whole group, which it does not heed
 * itself, and continues both: the step has got the signal from there, and a
 * second one would come amid its clean-up.  So what may be followed by that is
 * passed a moment later.
 */
static bool
is_held(struct run *run, const struct signal_event *event)
{
    if (event->number == SIGCONT && run->held.number != 0 &&
        event->sender == run->held.sender &&
        ignores(run, event->sender, run->held.number))
        run->held.number = 0;
    if (!signals_may_be_for_group(event, run->root))
        return false;
    if (run->held.number == event->number)
        return true;
    release_held(run);
    run->held = *event;
    run->held_until_ns = run_monotonic(run) + group_wait_ns;
    return true;
}

/* One that was not the step's own goes on to it. */
static void
pass_signal(struct run *run, const struct signal_event *event)
{
    if (run->has_ended || run->child.pid <= 0)
        return;
    if (event->sender > 0 && is_of_step(run, event->sender))
        return;
    if (!is_held(run, event))
        pass_on(run, event);
}

static void
take_signal(struct run *run, const struct signal_event *event)
{
    if (event->number == SIGCHLD)
        return;
    if (event->number == SIGWINCH) {
        run_live_hide(run);
        return;
    }
    if (event->number == SIGCONT)
        stopped_continued(&run->stopped, run_monotonic(run));
    /* There is no step that would stop, and take pmon along. */
    if (event->number == SIGTSTP &&
        (run->options.attach_pid != 0 || run->has_ended)) {
        run_live_hide(run);
        signals_stop(SIGTSTP);
    }
    if (run->options.attach_pid != 0) {
        run->is_detached |= signals_ends(event->number);
        return;
    }
    pass_signal(run, event);
    if (run->options.ends_step && signals_asks_to_end(event->number))
        run_stop_begin(run, num_add(run_monotonic(run), grace_ns));
    run->gives_up |= run->is_waiting && signals_ends(event->number);
    /* KILL may follow, also where pmon itself has used up `ulimit -t`. */
    if ((signals_asks_to_end(event->number) || event->number == SIGXCPU) &&
        event->number != SIGQUIT && run->has_started)
        run_write_summary(run);
}

/* The root was stopped: so is pmon, when a shell is waiting for both. */
static void
follow_stop(struct run *run)
{
    int number;

    if (run->child.pid <= 0 || run->has_ended)
        return;
    number = stopped_is_due(&run->stopped, run->root, run_monotonic(run));
    if (number == 0)
        return;
    run_live_hide(run); /* the terminal is the shell's now */
    signals_stop(number);
    stopped_continued(&run->stopped, run_monotonic(run));
}

static void
reap(struct run *run, pid_t pid)
{
    struct accounts_zombie zombie;
    struct rusage usage;
    bool is_root = pid == run->child.pid;
    int status;

    /* Adopted, but not measured. */
    if (!is_root && run->options.root_only) {
        ending_reap(pid, &status, &usage);
        return;
    }
    measure_zombie(&run->measure, pid, &zombie);
    if (ending_reap(pid, &status, &usage) < 0)
        return;
    measure_reaped(&run->measure, pid, is_root, &zombie, &usage);
    run->child_has_ended = true;
    if (is_root) {
        run->has_ended = true;
        run->root_ended_ns = run_monotonic(run);
        run->status = status;
    }
}

void
run_reap_all(struct run *run)
{
    pid_t pid;

    while ((pid = ending_next_zombie()) > 0)
        reap(run, pid);
}

void
run_take_events(struct run *run)
{
    struct signal_event event;
    bool children = false;

    for (;;) {
        signals_next(&run->signals, &event);
        if (event.number == 0)
            break;
        children |= event.number == SIGCHLD;
        take_signal(run, &event);
    }
    if (run->held.number != 0 && run_monotonic(run) >= run->held_until_ns)
        release_held(run);
    if (!children && !run->stopped.is_pending)
        return;
    run_reap_all(run);
    follow_stop(run);
}
