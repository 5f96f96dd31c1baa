/* SPDX-License-Identifier: MIT */
/*
 * The kernel as a source.  Keeps descriptors of the files that are read each
 * tick (statm, children, io), because a pread of an open file costs a fifth
 * of open, read and close; over the limit files are opened by path.
 */
#ifndef PMON_PROC_LIVE_H
#define PMON_PROC_LIVE_H

#include "proc/source.h"

struct proc_live {
    struct proc_source source;
    int proc_fd;    /* /proc; -1 without one of this namespace */
    int loadavg_fd; /* -1: not to be trusted */
    int held;       /* descriptors held in handles now */
    int held_limit;
};

/*
 * Opens /proc.  held_limit bounds the descriptors held in handles.  Returns 0
 * or a negative errno: -ENOENT when it is missing, -EXDEV when it is that of
 * another PID namespace, whose ids mean other processes.  The source then
 * still serves clock and answers everything else with -ENOENT.
 */
int proc_live_init(struct proc_live *live, int held_limit);
void proc_live_done(struct proc_live *live);

/*
 * Trusts the newest id of /proc/loadavg no more unless it is at least pid,
 * which was made just now: some containers show a figure of their own.
 */
void proc_live_check_newest(struct proc_live *live, pid_t pid);

#endif
