/* SPDX-License-Identifier: MIT */
/*
 * Measures a step: takes samples and exits of processes, returns rows and
 * finally a summary.  Gets the time as an argument; reads only from its source.
 */
#ifndef PMON_ENGINE_MEASURE_H
#define PMON_ENGINE_MEASURE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "engine/accounts.h"
#include "engine/at_peak.h"
#include "engine/cpu_window.h"
#include "engine/faults.h"
#include "engine/peak.h"
#include "engine/pss.h"
#include "engine/sampler.h"
#include "engine/timely.h"
#include "engine/tracks.h"
#include "host/cgroup.h"
#include "model/row.h"
#include "model/run.h"

struct measure_options {
    bool root_only;      /* --no-children */
    bool records_io;     /* --include-io */
    bool reads_pss;      /* --pss */
    bool records_faults; /* a log has room for them */
    bool full_commands;  /* --full-commands */
    bool tracks;         /* --processes */
    const char *command; /* the label of the step; NULL: not known */
    bool attached;       /* --pid: earlier usage does not count */
    bool misses_orphans; /* pmon is not a subreaper */
    int64_t interval_ns; /* NUM_UNKNOWN: auto */
    int64_t cores;
    int64_t rss_limit_bytes; /* beyond it PSS is read; NUM_UNKNOWN */
    int64_t slack_bytes;     /* peak_counter_slack */
};

struct measure {
    struct measure_options options;
    struct sampler sampler;
    struct cpu_window window;
    struct peak peak;
    struct series series;
    struct at_peak at_peak;
    struct pss pss;
    struct faults faults;
    struct tracks tracks;

    struct moment start;
    struct moment last; /* of the newest row */
    int64_t last_rss_bytes;
    int64_t last_cpu_ns;
    int64_t used_until_ns; /* CPU time behind the last row; 0: none */
    int64_t base_cpu_ns;   /* of the tree when it began */
    int64_t image_bytes;   /* of the child at its exec; INT64_MAX: unknown */
    struct proc_io base_io;
    int64_t base_minor_faults;
    int64_t base_major_faults;
    struct cgroup_cpu outside; /* of the step's own control group */

    bool root_reaped;
    struct accounts_zombie root;
    struct rusage reaped; /* sums: root and orphans */
    bool adopted;         /* an orphan was reaped or found */
    bool sigchld_ignored;

    int64_t rows;
    int64_t missed_ticks;
    int64_t longest_gap_ns;
    int64_t gaps_sum_ns;
    int64_t impossible_rows;
};

int measure_init(struct measure *measure, struct proc_source *source,
                 pid_t self, const struct measure_options *options);
void measure_done(struct measure *measure);

/*
 * The child waits at its gate: its usage so far is pmon's, not the step's.  The
 * run begins now.
 */
void measure_hold(struct measure *measure, pid_t root,
                  const struct moment *now);

/*
 * The size that the child had at its exec, a copy of pmon's, with which its
 * ru_maxrss begins.  If it is unknown, ru_maxrss is never used as the step's
 * own peak.
 */
void measure_take_image(struct measure *measure, int64_t bytes);

/* Collects I/O for the summary even if rows do not include it. */
void measure_need_io(struct measure *measure);

/*
 * The root runs: fills the row at 0.000.  For an attached process the run
 * begins now.  *ret_pending is true when the root is ending already and the
 * row's memory has to come from measure_first_row.
 */
int measure_start(struct measure *measure, pid_t root, const struct moment *now,
                  struct row *ret_row, bool *ret_pending);

/*
 * The pending first row after the end: RSS from ru_maxrss, VMS the same; a
 * page, the least that there is, where that says nothing of the step.
 */
void measure_first_row(struct measure *measure, struct row *row);

/*
 * A tick: samples and fills the next row.  now becomes the row's moment, which
 * is later where the sample took long.
 */
int measure_tick(struct measure *measure, const struct clock_source *clock,
                 struct moment *now, struct row *ret_row);

/* Ticks that were due and will not be made up for. */
void measure_miss(struct measure *measure, int64_t ticks);

/* Whether the last row is to be followed by measure_read_pss. */
bool measure_pss_is_due(struct measure *measure);

/* Reads PSS into row, the last one; clock tells what that cost. */
void measure_read_pss(struct measure *measure, const struct clock_source *clock,
                      struct row *row);

/*
 * CPU time of the step as its own cgroup counts it: all of it, also of children
 * that nobody waits for.  It replaces the sampled clocks.
 */
void measure_take_cgroup_cpu(struct measure *measure,
                             const struct cgroup_cpu *cpu);

/*
 * The ids of the group's processes, as text: processes that were not found
 * become members, and in_group of each member is set if it is one of them.
 */
void measure_take_cgroup_members(struct measure *measure, const char *pids);

/* Memory up to now, for a budget. */
void measure_budget_memory(const struct measure *measure,
                           struct budget_memory *ret_memory);

/* Whether the tree has used more CPU time than its group has counted. */
bool measure_has_left_cgroup(const struct measure *measure);

/*
 * pmon's child pid, the root or an orphan, is a zombie: reads what wait4 does
 * not return.
 */
void measure_zombie(struct measure *measure, pid_t pid,
                    struct accounts_zombie *ret_zombie);

/* It was reaped. */
void measure_reaped(struct measure *measure, pid_t pid, bool is_root,
                    const struct accounts_zombie *zombie,
                    const struct rusage *usage);

/*
 * The end: the last row, of what still lives, with the CPU of the last
 * window; is_row is false when the rows have ended before.
 */
int measure_finish(struct measure *measure, const struct clock_source *clock,
                   struct moment *now, bool is_row, struct row *ret_row);

/*
 * CPU time of the tree in ns from the best source: the count of its own control
 * group or the sampled time, whichever is larger.
 */
int64_t measure_cpu_ns(const struct measure *measure, int64_t sampled_ns);

/*
 * The launcher that the step was in the end, or that lived for half of it
 * while the tree used little: its work is not measured.  NULL: none.
 */
const char *measure_launcher(const struct measure *measure);

/* Fills all except outcome and host.  0, or -ENOMEM if a list is incomplete. */
int measure_summarize(struct measure *measure, const struct moment *now,
                      struct run *ret_run);

#endif
