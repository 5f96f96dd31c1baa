/* SPDX-License-Identifier: MIT */
/*
 * A process that is not pmon's child, and how its exit is noticed: by
 * pidfd_open(2), or by polling /proc where that is missing (before Linux 5.3)
 * or forbidden.
 */
#ifndef PMON_STEP_ATTACH_H
#define PMON_STEP_ATTACH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "proc/source.h"

/* How often a process without a pidfd is polled. */
#define ATTACH_ASK_NS (INT64_C(50) * 1000000)

struct attach {
    pid_t pid; /* 0: none */
    int pidfd; /* readable at its end; -1: poll attach_has_ended */
    uint64_t start_ticks;
};

/* 0; -ESRCH: no such process; -EINVAL: the id of a thread. */
int attach_begin(struct attach *watched, struct proc_source *source, pid_t pid);

/* Whether its exit can be noticed only by polling. */
static inline bool
attach_is_asked_for(const struct attach *watched)
{
    return watched->pid > 0 && watched->pidfd < 0;
}

/* Whether it is gone, a zombie, or its id was reused. */
bool attach_has_ended(const struct attach *watched, struct proc_source *source);

void attach_done(struct attach *watched);

#endif
