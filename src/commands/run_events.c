/* SPDX-License-Identifier: MIT */
/* What happens to a run: signals that pmon gets, and ends of its children. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/num.h"
#include "commands/run_state.h"
#include "commands/say.h"
#include "step/ancestry.h"
#include "step/ending.h"
#include "views/human.h"

/* What a step that is to be ended has for the signal that asked for it. */
static const int64_t grace_ns = NUM_NS_PER_S;

/* Whether pid is the step or descends from it, known to the sampler or not. */
static bool
is_of_step(struct run *run, pid_t pid)
{
    return members_find(&run->measure.sampler.members, pid) != NULL ||
           ancestry_includes(&run->live.source, pid, run->root);
}

/* One that was not the step's own goes on to it. */
static void
pass_signal(struct run *run, const struct signal_event *event)
{
    STRBUF_AUTO name = {0};

    if (run->has_ended || run->child.pid <= 0)
        return;
    if (event->sender > 0 && is_of_step(run, event->sender))
        return;
    if (signals_pass(&run->signals, event, run->root, run_monotonic(run)) !=
        -EPERM)
        return;
    human_signal(&name, event->number);
    say("%s cannot be passed to %s (%d): %s", strbuf_text(&name),
        strbuf_text(&run->title), (int)run->root, error_name(EPERM));
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
        signals_stop();
    }
    if (run->options.attach_pid != 0) {
        run->is_detached |= signals_asks_to_end(event->number);
        return;
    }
    pass_signal(run, event);
    if (run->options.ends_step && signals_asks_to_end(event->number))
        run_stop_begin(run, num_add(run_monotonic(run), grace_ns));
    run->gives_up |= run->is_waiting && signals_asks_to_end(event->number);
    if (signals_asks_to_end(event->number) && event->number != SIGQUIT &&
        run->has_started)
        run_write_summary(run);
}

/* The root was stopped: so is pmon, when a shell is waiting for both. */
static void
follow_stop(struct run *run)
{
    if (run->child.pid <= 0 || run->has_ended)
        return;
    if (!stopped_is_due(&run->stopped, run->root, run_monotonic(run)))
        return;
    run_live_hide(run); /* the terminal is the shell's now */
    raise(SIGSTOP);
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
    if (!children && !run->stopped.is_pending)
        return;
    run_reap_all(run);
    follow_stop(run);
}
