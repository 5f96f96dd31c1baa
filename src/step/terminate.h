/* SPDX-License-Identifier: MIT */
/*
 * Ending processes: TERM, and KILL after a time.  The caller knows the
 * processes; this decides when which signal is due.
 */
#ifndef PMON_STEP_TERMINATE_H
#define PMON_STEP_TERMINATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "proc/source.h"

struct terminate {
    bool has_begun;
    bool has_termed;
    int64_t kill_at_ns; /* CLOCK_MONOTONIC */
    int64_t next_ns;    /* when a signal is due again */
};

/* Begins, unless it has begun. */
void terminate_begin(struct terminate *stopping, int64_t now_ns,
                     int64_t kill_after_ns);

/*
 * The signal that is due to all now: TERM once, then KILL from kill_at_ns on,
 * every 100 ms, for processes forked meanwhile; 0 for none.
 */
int terminate_signal(struct terminate *stopping, int64_t now_ns);

/* KILL has had no effect for two seconds: stop waiting for what still lives. */
bool terminate_has_failed(const struct terminate *stopping, int64_t now_ns);

/*
 * Sends a signal to the process pid that began at start_ticks, and to no other
 * that has reused its id; 0: the start is unknown.  Stopped processes are
 * continued, so that they handle it.  0 or a negative errno: -EPERM when it may
 * not be signalled, -ESRCH when it is gone.
 */
int terminate_send(struct proc_source *source, pid_t pid, uint64_t start_ticks,
                   int number);

/* The same for a child that was not waited for: its id cannot be reused. */
int terminate_send_child(pid_t pid, int number);

#endif
