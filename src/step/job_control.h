/* SPDX-License-Identifier: MIT */
/* If the child is stopped, pmon stops too, when a shell waits for both. */
#ifndef PMON_STEP_JOB_CONTROL_H
#define PMON_STEP_JOB_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* `fg` may reach pmon before the child: ignore its stops for this long. */
#define JOB_CONTROL_RECHECK_NS INT64_C(100000000)

struct job_control {
    int64_t continued_at_ns; /* pmon itself, last; CLOCK_MONOTONIC */
    bool is_pending; /* to be checked again after JOB_CONTROL_RECHECK_NS */
};

/* pmon was continued. */
void job_control_continued(struct job_control *stopped, int64_t now_ns);

/* The signal that stopped the child, if pmon is to stop too; else 0. */
int job_control_is_due(struct job_control *stopped, pid_t child,
                       int64_t now_ns);

#endif
