/* SPDX-License-Identifier: MIT */
/*
 * One pass over the tree: new members, ended members, usage of each.
 *
 * CPU time of a tree = the clocks of its live members, plus what each of them
 * has reaped, plus what ended without a parent in the tree.  Time never falls
 * and never counts twice:
 *
 * - reaped_ns of a member leaves out every child that is still a member.
 * - A child found gone is added to its parent with its last clock.
 * - cutime + cstime of a parent (whole ticks, so a lower bound) raises
 *   reaped_ns only when all its children were seen alive after it was read.
 */
#ifndef PMON_ENGINE_SAMPLER_H
#define PMON_ENGINE_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/by_command.h"
#include "engine/launchers.h"
#include "engine/tree.h"
#include "proc/source.h"

/* Up to here all is read in each pass; above, only what has run. */
enum { SAMPLER_READ_ALL_UP_TO = 20 };

/* The sums of one pass; the CPU and I/O totals never fall. */
struct sample {
    int64_t cpu_ns;
    int64_t rss_bytes;
    int64_t rss_unique_bytes; /* without copies, see engine/copies.h */
    int64_t repeated_bytes;   /* of RSS: may be in more than one of them */
    int64_t summed;           /* processes whose memory is in RSS */
    int64_t vms_bytes;
    int64_t processes;
    int64_t threads;
    int64_t root_rss_bytes; /* 0 when the root has ended or is ending */
    struct proc_io io;      /* NUM_UNKNOWN when not recorded */
};

struct sampler {
    struct tree tree;
    struct proc_source *source;
    struct member *root; /* NULL once it was reaped */
    bool records_io;     /* in each row */
    bool needs_io;       /* at least that of ended processes */
    bool root_only;      /* --no-children */

    int64_t now_ns;           /* CLOCK_MONOTONIC of this pass */
    int64_t boot_ns;          /* CLOCK_BOOTTIME of this pass */
    int64_t full_at_ns;       /* when discovery last went by no shortcut */
    int64_t all_at_ns;        /* when statm of all was last read */
    int64_t pressed_until_ns; /* a pass took long: what can wait does */
    uint32_t full_generation;
    bool has_moved;            /* some member, since then */
    int64_t hwm_next_ns;       /* no status is read before */
    int64_t checked_rss_bytes; /* largest sum of which all was read at once */
    int64_t moved_cost; /* of reading the children of all that have moved */
    bool pending;       /* some member has_stat or lost_child */
    bool orphaned;      /* a parent ended since the last pass */
    bool unproven;      /* some member has unproven_ns */

    struct launchers launchers;
    struct by_command by_command;

    int64_t ended_ns;        /* CPU time of those with no parent here */
    struct proc_io ended_io; /* likewise */
    int64_t last_cpu_ns;
    struct proc_io last_io;

    uint32_t sums;             /* how many were made, see spaces.h */
    int64_t largest_rss_bytes; /* of one process: sampled or VmHWM */
    bool by_high_water_mark;   /* the above came from VmHWM */
    bool unwaited;             /* some CPU time reached no parent */
    bool lost_io;              /* what a reaped one did is not known */
    int64_t unsampled;         /* orphans reaped that were never sampled */
};

int sampler_init(struct sampler *sampler, struct proc_source *source,
                 pid_t self);
void sampler_done(struct sampler *sampler);

/*
 * Children that pmon had before the step: followed, to distinguish them and
 * their orphans from the step's, but never counted.
 */
int sampler_add_foreign(struct sampler *sampler);

/* The root of the tree; -ESRCH when it has ended. */
int sampler_set_root(struct sampler *sampler, pid_t pid);

/*
 * Takes the present high-water marks as bases: for a tree that ran before pmon
 * came, a mark counts only after it has risen.
 */
void sampler_take_bases(struct sampler *sampler);

/* One pass at the given times.  0 or -ENOMEM. */
int sampler_pass(struct sampler *sampler, int64_t now_ns, int64_t boot_ns,
                 struct sample *ret_sample);

/*
 * After a pass that took long and found pass_cpu_ns: reads all clocks again at
 * nearly the same moment, so that a row covers the usage up to its time.
 */
void sampler_refresh_clocks(struct sampler *sampler, int64_t now_ns,
                            int64_t pass_cpu_ns, struct sample *sample);

/* Whether the memory of member is in the sums. */
static inline bool
sampler_is_counted(const struct member *member)
{
    return !member->is_foreign && !member->is_gone && !member->is_zombie &&
           !member->is_left_out && !member->is_shadow;
}

/* Reads the high-water marks of all live members, at the end. */
void sampler_read_marks(struct sampler *sampler);

#endif
