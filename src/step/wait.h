/* SPDX-License-Identifier: MIT */
/*
 * How pmon's children exit and stop.  Reaping a zombie gives its exit status
 * and exact resource use.
 */
#ifndef PMON_STEP_WAIT_H
#define PMON_STEP_WAIT_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* The next child that has ended and is not reaped; 0 when there is none. */
pid_t wait_next_zombie(void);

/* Whether the child pid has ended and is not reaped. */
bool wait_is_zombie(pid_t pid);

/* Reaps pid, a zombie; wait4(2).  0 or a negative errno. */
int wait_reap(pid_t pid, int *ret_status, struct rusage *ret_usage);

/* The signal that stopped pid since the last call; 0 for none. */
int wait_stopped_by(pid_t pid);

/* A status of wait4(2) as a shell sees it: 0 to 255. */
int wait_shell_status(int status);

#endif
