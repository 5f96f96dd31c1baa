/* SPDX-License-Identifier: MIT */
/* Reads a process once, for processes that are not sampled. */
#ifndef PMON_PROC_LOOK_H
#define PMON_PROC_LOOK_H

#include <stdbool.h>

#include "proc/parse.h"
#include "proc/source.h"

/* Reads /proc/PID/stat; nothing stays open.  False where it cannot be had. */
bool proc_look(struct proc_source *source, pid_t pid,
               struct proc_stat *ret_stat);

/* Whether it is dead with all its threads, and only not yet waited for. */
static inline bool
proc_has_ended(const struct proc_stat *stat)
{
    return (stat->state == 'Z' || stat->state == 'X') && stat->num_threads <= 1;
}

#endif
