/* SPDX-License-Identifier: MIT */
/*
 * A source that plays ticks from a script, for tests of the engine: births
 * and deaths, ids that come back, files that vanish between two reads.
 *
 *   tick
 *   100 ppid=1 clock=5 rss=10
 *   101 ppid=100 clock=1 rss=4 flags=0x40
 *   tick
 *   100 clock=9 cutime=3
 *   101 gone
 *
 * A line names a process and what changes: clock in ms, rss, pss, shared,
 * size, code and hwm in pages, cutime in stat's ticks, cminflt, start in ticks,
 * state, flags, threads, ignored (SigIgn), pending (SigPnd), read_bytes, name,
 * args (the arguments, with commas between).
 * All else stays from tick to tick. gone            reaped: every read says so
 *   dies_after=N    reaped after N more reads of it, by its parent
 *   pays=N          what its end then adds to the parent's cutime
 *   hidden          alive, but only its clock can be read
 *   live_rss=N      the leader has ended; rss of a thread that lives
 * Of processes with one number `mm` the address space is one.
 * A line `no children files`, `no loadavg` or `no kcmp` takes those from the
 * source.
 */
#ifndef PMON_TESTS_LIB_RECORDED_H
#define PMON_TESTS_LIB_RECORDED_H

#include <stdbool.h>
#include <stddef.h>

#include "proc/source.h"

struct recorded_process;

struct proc_recorded {
    struct proc_source source;
    const char *script; /* the rest of it; the caller's */
    struct recorded_process *list;
    size_t count;
    pid_t newest;
    bool has_children_files;
    bool has_loadavg;
    bool has_kcmp;
    long reads; /* of all kinds, to test what a pass costs */
    long statm_reads;
    long cmdline_reads;
    long children_reads;
    long comparisons; /* of address spaces */
};

void proc_recorded_init(struct proc_recorded *recorded, const char *script);
void proc_recorded_done(struct proc_recorded *recorded);

/* Plays the next tick.  False at the end of the script. */
bool proc_recorded_next(struct proc_recorded *recorded);

#endif
