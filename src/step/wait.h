/* SPDX-License-Identifier: MIT */
/*
 * How pmon's children exit and stop.  Reaping a zombie gives its exit status
 * and exact resource use.  If the step is stopped, pmon stops too, when a shell
 * waits for both.
 */
#ifndef PMON_STEP_WAIT_H
#define PMON_STEP_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* The next child that has ended and is not reaped; 0 without such a child. */
pid_t wait_next_zombie(void);

/* Whether the child pid has ended and is not reaped. */
bool wait_is_zombie(pid_t pid);

/* Reaps pid, a zombie; wait4(2).  0 or a negative errno. */
int wait_reap(pid_t pid, int *ret_status, struct rusage *ret_usage);

/* A status of wait4(2) as a shell sees it: 0 to 255. */
int wait_shell_status(int status);

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
