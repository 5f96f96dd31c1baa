/* SPDX-License-Identifier: MIT */
/*
 * Starts a run: forks a step, opens files, executes it; or attaches to a
 * process.  If that fails, no file was changed and no step was started.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/num.h"
#include "base/syscalls.h"
#include "proc/source.h"
#include "record/recorder_state.h"
#include "step/executable.h"

enum {
    /* Descriptors that are held for members, and those left for all else. */
    HELD_MOST = 1000,
    HELD_SPARED = 40,
};

static const int64_t summary_every_ns = 60 * NUM_NS_PER_S;

/* struct sched_attr of sched_setattr(2), which few C libraries have. */
struct scheduling {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime_ns;
    uint64_t deadline_ns;
    uint64_t period_ns;
};

/*
 * Ticks on time while the step keeps all processors busy: no timer slack, and a
 * short slice, with which newer kernels let pmon run sooner, but never longer.
 * Needs no privileges.  Call it after the fork: the step must not inherit it.
 */
static void
be_punctual(void)
{
    enum { SLICE_NS = 100000 }; /* the minimum (sched(7), Linux 6.12) */
    struct scheduling own = {.size = sizeof(own)};

    prctl(PR_SET_TIMERSLACK, 1);
    if (syscall(SYS_sched_getattr, 0, &own, sizeof(own), 0) < 0 ||
        own.policy != SCHED_OTHER)
        return;
    own.runtime_ns = SLICE_NS;
    syscall(SYS_sched_setattr, 0, &own, 0);
}

/* Raises pmon's own limit; returns how many descriptors members may hold. */
static int
raise_descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return 0;
    if (limit.rlim_cur < limit.rlim_max) {
        rlim_t before = limit.rlim_cur;

        limit.rlim_cur = limit.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
            limit.rlim_cur = before;
    }
    if (limit.rlim_cur >= HELD_MOST + HELD_SPARED)
        return HELD_MOST;
    return limit.rlim_cur > HELD_SPARED ? (int)limit.rlim_cur - HELD_SPARED : 0;
}

static int
init_measure(struct recorder *recorder, struct error *error)
{
    struct measure_options options = {
        .root_only = recorder->options.root_only,
        .records_io = recorder->options.include_io,
        .reads_pss = recorder->options.pss,
        .rss_limit_bytes = recorder->options.budgets.list[BUDGET_RSS].limit,
        .records_faults = recorder->options.log_format == LOG_JSONL,
        .full_commands = recorder->options.full_commands,
        .tracks = recorder->options.processes != NULL,
        .command = strbuf_text(&recorder->label),
        .attached = recorder->options.attach_pid != 0,
        .interval_ns = recorder->options.interval_ns,
        .cores = recorder->host.cores,
    };

    recorder_budgets_prepare(recorder);
    options.slack_bytes = peak_counter_slack(
        recorder->host.kernel, recorder->host.cores, 1, sysconf(_SC_PAGESIZE));
    if (measure_init(&recorder->measure, &recorder->live.source, getpid(),
                     &options) < 0)
        return error_no_memory(error);
    return 0;
}

/* Whether a signal asks pmon to end while the step waits at its gate. */
static bool
was_interrupted(void *context)
{
    struct recorder *recorder = context;
    struct signal_event event;

    signals_next(&recorder->signals, &event);
    if (event.number == SIGTSTP)
        signals_stop(SIGTSTP);
    if (event.number == 0 || !signals_ends(event.number))
        return false;
    recorder->interrupted_by = event.number;
    return true;
}

/* Begins the time of the rows: ticks count from 0.000. */
static struct moment
begin_rows(struct recorder *recorder)
{
    struct moment now = recorder_now(recorder);

    recorder->start_ns = now.monotonic_ns;
    recorder->start_epoch_ns =
        clock_epoch_of(recorder->context->clock, recorder->start_ns);
    recorder->is_recording = true;
    recorder_take(recorder, EVENT_BEGIN);
    recorder->next_ns = now.monotonic_ns;
    recorder->summary_at_ns = now.monotonic_ns + summary_every_ns;
    recorder->memory_at_ns = now.monotonic_ns;
    recorder_schedule(recorder, now.monotonic_ns);
    return now;
}

/*
 * Makes pmon the parent of the step's orphans, and distinguishes them from its
 * earlier children.  If the kernel refuses, figures may miss orphans.
 */
static int
adopt_orphans(struct recorder *recorder, struct error *error)
{
    int rc;

    if (recorder->options.root_only && !recorder->options.ends_step)
        return 0;
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
        recorder->measure.options.misses_orphans = true;
        if (!recorder->options.is_quiet)
            recorder_say(recorder,
                         "orphans of the step cannot be followed: %s; their "
                         "usage is known only up to their last sample",
                         error_name(errno));
    }
    if (recorder->options.root_only)
        rc = descendants_init(&recorder->descendants, &recorder->live.source,
                              getpid());
    else
        rc = sampler_add_foreign(&recorder->measure.sampler);
    if (recorder->measure.options.misses_orphans)
        recorder->measure.sampler.tree.discovery.adopts = false;
    /* Without /proc pmon distinguishes nothing, and follows nothing. */
    return rc == -ENOMEM ? error_no_memory(error) : 0;
}

/*
 * Forks the step, opens the files, lets the step go. 0; STATUS_NOT_FOUND or
 * STATUS_NOT_EXECUTABLE if exec failed; a negative errno if pmon failed.
 */
static int
start_step(struct recorder *recorder, struct error *error)
{
    struct child_setup setup = {
        .argv = recorder->options.argv,
        .path_list = recorder->context->environment("PATH"),
        .mask = &recorder->signals.original,
        .sigchld_was_ignored = recorder->signals.sigchld_was_ignored,
    };
    struct moment start;
    int failed = 0;
    int rc;

    rc = adopt_orphans(recorder, error);
    if (rc < 0)
        return rc;
    rc = child_fork(&recorder->child, &setup, error);
    if (rc < 0)
        return rc;
    be_punctual();
    signals_protect();
    recorder->live.held_limit = raise_descriptor_limit();
    proc_live_check_newest(&recorder->live, recorder->child.pid);
    recorder->names.pid = recorder->child.pid;
    rc = outputs_name(&recorder->outputs, &recorder->options, &recorder->names,
                      error);
    if (rc == 0)
        rc = outputs_open(&recorder->outputs, was_interrupted, recorder, error);
    if (rc < 0) {
        outputs_abandon(&recorder->outputs);
        child_cancel(&recorder->child);
        return rc;
    }
    recorder->root = recorder->child.pid;
    if (recorder->outputs.summary_path != NULL)
        measure_need_io(&recorder->measure);
    /* What happens from here on is counted as the step's. */
    recorder_look_around(recorder);
    recorder_exact_begin(recorder);
    /* Once the step runs, no older summary may pass for a new one. */
    recorder->start_epoch_ns =
        clock_epoch_of(recorder->context->clock, recorder_monotonic(recorder));
    recorder_write_first_summary(recorder);
    start = begin_rows(recorder);
    measure_hold(&recorder->measure, recorder->root, &start);
    child_release(&recorder->child, &failed);
    measure_take_image(&recorder->measure, recorder->child.image_bytes);
    if (failed == 0)
        return 0;
    outputs_abandon(&recorder->outputs);
    child_cancel(&recorder->child);
    cgroup_leaf_remove(&recorder->exact.leaf, &recorder->place, NULL);
    recorder->exact.note[0] = '\0';
    rc =
        executable_error(setup.argv, setup.path_list, failed, "pmon --", error);
    recorder->run.outcome.reason =
        rc == STATUS_NOT_FOUND ? REASON_NOT_FOUND : REASON_NOT_EXECUTABLE;
    return rc;
}

/* The I/O of another user's process may be hidden: then the log has no I/O. */
static int
check_io(struct recorder *recorder, pid_t pid, struct error *error)
{
    struct proc_source *source = &recorder->live.source;
    struct proc_handle handle;
    char text[PROC_TEXT_SIZE];
    ssize_t got;

    proc_handle_init(&handle, pid);
    got = source->read(source, &handle, PROC_IO, text, sizeof(text));
    source->release(source, &handle);
    if (got < 0)
        return error_set(error, (int)got,
                         "--include-io: /proc/%d/io cannot be read: %s",
                         (int)pid, error_name((int)got));
    return 0;
}

/* Refuses a process without memory, rather than record zeros. */
static int
check_memory(struct recorder *recorder, pid_t pid, struct error *error)
{
    struct proc_stat stat;

    /* The kernel hides its memory, unless it has just ended. */
    if (!proc_look(&recorder->live.source, pid, &stat))
        return kill(pid, 0) < 0 && errno == ESRCH
                   ? error_set(error, -ESRCH, "--pid %d: no such process",
                               (int)pid)
                   : error_set(error, -EACCES,
                               "--pid %d: /proc/%d cannot be read, /proc is "
                               "mounted with hidepid; run pmon as root",
                               (int)pid, (int)pid);
    if ((stat.flags & PROC_FLAG_KTHREAD) != 0)
        return error_set(
            error, -EINVAL,
            "--pid %d: is a kernel thread, which has no memory of its own",
            (int)pid);
    if (proc_has_ended(&stat))
        return error_set(error, -ESRCH,
                         "--pid %d: has already ended (a zombie until its "
                         "parent waits for it)",
                         (int)pid);
    return 0;
}

static int
start_attached(struct recorder *recorder, struct error *error)
{
    pid_t pid = recorder->options.attach_pid;
    int rc;

    if (!recorder->has_proc)
        return error_set(error, -ENOENT,
                         "--pid %d: needs /proc of this PID namespace",
                         (int)pid);
    rc = attach_begin(&recorder->watched, &recorder->live.source, pid);
    if (rc < 0)
        return error_set(error, -ESRCH, "--pid %d: %s", (int)pid,
                         rc == -ESRCH ? "no such process"
                                      : "is a thread, not a process");
    rc = check_memory(recorder, pid, error);
    if (rc == 0 && recorder->options.include_io)
        rc = check_io(recorder, pid, error);
    if (rc < 0)
        return rc;
    be_punctual();
    signals_protect();
    recorder->live.held_limit = raise_descriptor_limit();
    proc_live_check_newest(&recorder->live, getpid());
    recorder->names.pid = pid;
    recorder->root = pid;
    rc = outputs_name(&recorder->outputs, &recorder->options, &recorder->names,
                      error);
    if (rc == 0)
        rc = outputs_open(&recorder->outputs, was_interrupted, recorder, error);
    if (rc < 0)
        outputs_abandon(&recorder->outputs);
    return rc;
}

/* The step runs, or the process was found: makes the row at 0.000. */
static void
begin(struct recorder *recorder)
{
    struct error error = {0};
    struct moment now = recorder->options.attach_pid != 0
                            ? begin_rows(recorder)
                            : recorder_now(recorder);
    bool is_pending = false;

    if (measure_start(&recorder->measure, recorder->root, &now,
                      &recorder->first, &is_pending) == -ENOMEM)
        recorder_say(recorder, "out of memory: the first sample is missing");
    if (is_pending && recorder->options.attach_pid == 0)
        recorder->first_row = FIRST_PENDING;
    if (outputs_begin(&recorder->outputs, &error) < 0)
        recorder_say(recorder, "%s", error.text);
}

/*
 * Opens /proc.  Without it pmon runs the step, and reports which figures it
 * cannot know.
 */
static void
open_proc(struct recorder *recorder)
{
    int rc = proc_live_init(&recorder->live, 0);

    recorder->has_proc = rc == 0;
    if (rc < 0 && !recorder->options.is_quiet)
        recorder_say(recorder,
                     "/proc %s: only the figures of wait4 are known: CPU "
                     "time, and the peak of the largest process",
                     rc == -EXDEV ? "belongs to another PID namespace"
                                  : "is missing");
}

int
recorder_start(struct recorder *recorder, struct error *error)
{
    int rc;

    open_proc(recorder);
    rc = init_measure(recorder, error);
    if (rc < 0)
        return rc;
    rc = recorder->options.attach_pid != 0 ? start_attached(recorder, error)
                                           : start_step(recorder, error);
    if (rc == 0)
        begin(recorder);
    if (rc >= 0)
        recorder_look_around(recorder);
    /* Its end may have passed unnoticed while it waited at the gate. */
    if (rc == 0 && recorder->child.pid > 0)
        recorder_reap_all(recorder);
    if (rc == 0 && recorder->options.attach_pid != 0)
        recorder_write_first_summary(recorder);
    return rc;
}
