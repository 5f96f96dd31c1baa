/* SPDX-License-Identifier: MIT */
/*
 * The state of one run of the main job, used only in record/: start.c
 * creates it, loop.c pulls rows, end.c closes it.
 */
#ifndef PMON_RECORD_RECORDER_STATE_H
#define PMON_RECORD_RECORDER_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/context.h"
#include "engine/measure.h"
#include "host/cgroup.h"
#include "host/host.h"
#include "host/load.h"
#include "host/monitor.h"
#include "host/names.h"
#include "model/budgets.h"
#include "model/recording.h"
#include "model/regions.h"
#include "model/survivors.h"
#include "proc/live.h"
#include "record/options.h"
#include "record/outputs.h"
#include "record/phase.h"
#include "regions/open_regions.h"
#include "step/attach.h"
#include "step/child.h"
#include "step/descendants.h"
#include "step/signals.h"
#include "step/terminate.h"
#include "step/wait.h"

/* A region whose process ended first, or that a script has not ended. */
struct unended_region {
    char *name;       /* hostile */
    int64_t start_ns; /* CLOCK_REALTIME, both */
    int64_t end_ns;
};

/* --regions */
struct recorder_regions {
    char *name;   /* as given, expanded */
    char *folder; /* the same, absolute; NULL: not requested */
    struct open_regions open;
    struct region_samples samples;
    struct regions regions;
    struct unended_region *unended;
    size_t unended_count;
    size_t unended_allocated;
    int64_t unended_left; /* further regions without an end */
    int64_t look_ns;      /* the next check for ended processes */
    int64_t gone;         /* ended members at the last check */
};

/* --plot */
struct recorder_plot {
    struct strbuf gnuplot; /* its path; empty: nothing is drawn */
    struct recording recording;
    struct layer_keys keys; /* of its layers, with --processes */
    bool is_drawn;
};

/* --live */
struct recorder_live {
    bool is_on;
    bool is_shown;
    int rows; /* of the terminal, when the line was shown */
    int columns;
    int64_t next_ns;
    int64_t peak_bytes;
};

/* --exact */
enum { EXACT_NOTE_SIZE = 2 * ERROR_TEXT_SIZE };

struct recorder_exact {
    struct cgroup_leaf leaf;
    char note[EXACT_NOTE_SIZE]; /* its result; empty: not requested */
    bool has_left_group;        /* a process of the step has left; it is charged
                                   elsewhere */
    int64_t members_at_ns; /* the next read of the processes of the group */
};

/* Why pmon ends the whole tree. */
enum stop_cause {
    STOP_NONE,
    STOP_FOR_BUDGET,
    STOP_FOR_DURATION, /* for psrecord: --duration */
    STOP_FOR_SIGNAL,   /* for psrecord */
};

/* The row at 0.000. */
enum first_row {
    FIRST_READY,
    FIRST_PENDING, /* its memory is known only at the end of the root */
    FIRST_GIVEN,
};

/* Why to check survivors; a larger value includes the smaller ones. */
enum survivors_look {
    LOOK_NONE,
    LOOK_ENDED,   /* a child has ended, or a signal is due */
    LOOK_TICK,    /* a row is due */
    LOOK_GIVE_UP, /* pmon stops waiting for them */
};

struct recorder {
    struct options options;
    const struct context *context;
    struct host host;
    struct names names;
    struct strbuf step_name; /* names.step */
    struct strbuf title;     /* the step in messages: its script */
    struct strbuf label;     /* its first process in --processes */
    struct strbuf job_words; /* `rank 3, job 991`; may be empty */
    struct signals signals;
    struct child child;
    struct proc_live live;
    struct measure measure;
    struct outputs outputs;
    struct run run; /* the figures known so far */
    struct survivors survivors;
    struct survivors first_survivors; /* at the end of the root */
    struct terminate stopping;        /* of survivors, or of the tree */
    enum stop_cause stop_cause;       /* why the whole tree must end */
    int root_signal;                  /* sent by pmon to the root; 0: none */
    enum budget_kind stopped_by;      /* BUDGET_KINDS: no budget */
    struct descendants descendants;   /* of a root that is stopped */
    struct recorder_regions regions;
    struct recorder_plot plot;
    struct recorder_live live_line;
    struct cgroup_place place;
    struct recorder_exact exact;
    struct load load;
    int64_t oom_kills;      /* of the place, at the start of the step */
    int64_t limit_bytes;    /* the same, of memory */
    int64_t looked_ns;      /* when host and place were read; 0: not yet */
    struct monitor monitor; /* this process, if a summary was requested */
    char *cwd;

    pid_t root;
    struct attach watched; /* the root, if pmon is attached to it */
    int64_t start_epoch_ns;
    int64_t start_ns; /* CLOCK_MONOTONIC, the row at 0.000 */
    int64_t next_ns;  /* the next tick */
    int64_t summary_at_ns;
    int64_t memory_at_ns;
    int64_t root_ended_ns;
    struct job_control stopped;
    struct signal_event
        held; /* a signal that the group may also get; number 0: none */
    int64_t held_until_ns;

    bool has_proc; /* /proc can be read: rows have figures */

    enum phase phase;
    struct row first;
    enum first_row first_row;
    enum survivors_look look; /* while survivors are waited for */
    bool is_recording;        /* rows are due */
    bool has_taken_events;    /* since the last tick */
    int wait_status;          /* of wait4(2), once the root has ended */
    int interrupted_by;       /* a signal before the step ran; 0: none */
};

static inline struct moment
recorder_now(const struct recorder *recorder)
{
    return (struct moment){
        .monotonic_ns = clock_now(recorder->context->clock, CLOCK_MONOTONIC),
        .boottime_ns = clock_now(recorder->context->clock, CLOCK_BOOTTIME)};
}

/* Whether the root has ended; a process that pmon left has not. */
static inline bool
recorder_root_has_ended(const struct recorder *recorder)
{
    return recorder->phase == PHASE_ENDED || recorder->phase == PHASE_WAITING ||
           (recorder->phase == PHASE_DONE &&
            recorder->run.outcome.reason != REASON_DETACHED);
}

static inline void
recorder_take(struct recorder *recorder, enum phase_event event)
{
    recorder->phase = phase_next(recorder->phase, event);
}

static inline int64_t
recorder_monotonic(const struct recorder *recorder)
{
    return clock_now(recorder->context->clock, CLOCK_MONOTONIC);
}

/*
 * Starts the step, or attaches, with its files. 0; STATUS_NOT_FOUND or
 * STATUS_NOT_EXECUTABLE if exec failed; a negative errno if pmon failed, -EINTR
 * if a signal (recorder->interrupted_by) came first. error says why.
 */
int recorder_start(struct recorder *recorder, struct error *error);

/*
 * Reads the facts of the host and its limits, once, while the step runs if
 * possible, so as not to delay its start.
 */
void recorder_look_around(struct recorder *recorder);

/*
 * --exact: a control group for the waiting child; a note says what it provides.
 */
void recorder_exact_begin(struct recorder *recorder);

/* Reads the counters of the group, and once a second its processes. */
void recorder_exact_take(struct recorder *recorder, int64_t now_ns);

/* Fills its figures into a run that has those of measure and place. */
void recorder_exact_fill(struct recorder *recorder);

/* Removes the group. */
void recorder_exact_end(struct recorder *recorder);

/* Sets the tick after now; returns how many were missed. */
int64_t recorder_schedule(struct recorder *recorder, int64_t now_ns);

/*
 * Counts ticks that were due before this one, which replaces the last of them.
 */
int64_t recorder_missed(const struct recorder *recorder, int64_t now_ns);

/* Updates the tree between two rows. */
void recorder_look(struct recorder *recorder);

/*
 * The root has ended or is left, or a survivor that pmon waits for has ended: 0
 * with a row at this moment, the last one unless pmon waits for survivors; 1 if
 * no row is due.
 */
int recorder_finish(struct recorder *recorder, struct row *ret_row);

/*
 * The next row: 0; 1 after the last one.  Blocks until it is due, and handles
 * signals and ends of processes meanwhile.
 */
int recorder_next(struct recorder *recorder, struct row *ret_row);

/* Fills limits, OOM kills and load of the place into run. */
void recorder_fill_place(struct recorder *recorder);

/* Fills all that is known so far, except the outcome, into run. */
void recorder_fill_run(struct recorder *recorder);

/* Writes the summary of run as it is, if requested. */
void recorder_write_final(struct recorder *recorder);

/* Updates run and writes its summary, if requested. */
void recorder_write_summary(struct recorder *recorder);

/*
 * Call when the step runs: from now on the summary is that of this run,
 * whatever happens.  Removes an old one that cannot be replaced.
 */
void recorder_write_first_summary(struct recorder *recorder);

/* Makes the folder of --regions and sets the environment of the step. */
int recorder_regions_prepare(struct recorder *recorder, struct error *error);

/* Keeps a row for the regions, and closes regions of ended processes. */
void recorder_regions_row(struct recorder *recorder, const struct row *row);

/* Call at the end of the run: reads the rows that the step has written. */
void recorder_regions_collect(struct recorder *recorder);
void recorder_regions_done(struct recorder *recorder);

/* Converts a limit in percent to bytes. */
void recorder_budgets_prepare(struct recorder *recorder);

/* Compares a row, and the time passed, with the budgets. */
void recorder_budgets_row(struct recorder *recorder, const struct row *row);
void recorder_budgets_time(struct recorder *recorder, int64_t now_ns);

/* When to check --max-time; INT64_MAX: never. */
int64_t recorder_budgets_deadline(const struct recorder *recorder);

/*
 * Makes the verdicts, and changes the outcome by them; returns the exit status.
 */
int recorder_budgets_end(struct recorder *recorder, int status);

/* --plot: finds gnuplot, or reports what to install and draws nothing. */
void recorder_plot_prepare(struct recorder *recorder);
void recorder_plot_row(struct recorder *recorder, const struct row *row);

/*
 * Draws when the summary is complete.  Returns whether the summary has changed.
 */
bool recorder_plot_end(struct recorder *recorder);
void recorder_plot_done(struct recorder *recorder);

/* --live: checks whether a terminal can show the line. */
void recorder_live_prepare(struct recorder *recorder);
void recorder_live_row(struct recorder *recorder, const struct row *row);

/* Removes the line from the terminal until the next row. */
void recorder_live_hide(struct recorder *recorder);
/*
 * Begins to end the tree: TERM at at_ns, KILL after --kill-after; unless it
 * has begun or the root has ended.
 */
void recorder_stop_begin(struct recorder *recorder, int64_t at_ns,
                         enum stop_cause cause);

/* Sends the signals that are due while the root lives. */
void recorder_stop_go_on(struct recorder *recorder, int64_t now_ns);

/*
 * After the end of the root: whether pmon waits for survivors.  Sends them the
 * signals that are due.
 */
bool recorder_stop_waits(struct recorder *recorder, int64_t now_ns);

/* Like message_print; begins with the rank, array task and job, if any. */
void recorder_say(const struct recorder *recorder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Ends the run: outcome, profile, summary, closing lines.  Returns the exit
 * status.
 */
int recorder_end(struct recorder *recorder);

/* Leaves an attached process as it is; does nothing for a step. */
void recorder_leave_process(struct recorder *recorder);

/* The step could not be executed: writes only the summary. */
void recorder_end_unstarted(struct recorder *recorder, int status);

/* Handles signals that have arrived, and reaps ended children. */
void recorder_take_events(struct recorder *recorder);

/* Reaps and measures all children that are zombies. */
void recorder_reap_all(struct recorder *recorder);

#endif
