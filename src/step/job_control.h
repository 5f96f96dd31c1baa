/* SPDX-License-Identifier: MIT */
/* A child that was stopped takes pmon along, when a shell waits for both. */
#ifndef PMON_STEP_JOB_CONTROL_H
#define PMON_STEP_JOB_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* `fg` may reach pmon before the child: so long a stop is not believed. */
#define JOB_CONTROL_RECHECK_NS INT64_C(100000000)

struct job_control {
    int64_t continued_at_ns; /* pmon itself, last; CLOCK_MONOTONIC */
    bool is_pending; /* to be looked at again, JOB_CONTROL_RECHECK_NS on */
};

/* pmon was continued. */
void job_control_continued(struct job_control *stopped, int64_t now_ns);

/* The signal that stopped the child, if pmon is to stop as well; else 0. */
int job_control_is_due(struct job_control *stopped, pid_t child,
                       int64_t now_ns);

#endif
