/* SPDX-License-Identifier: MIT */
/*
 * Signals as events: blocked, and read from one descriptor in the one poll.
 * Which of them are passed to the step is decided here; the caller sends them.
 */
#ifndef PMON_STEP_SIGNALS_H
#define PMON_STEP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct signals {
    int fd;            /* signalfd(2); readable when a signal came */
    sigset_t original; /* mask at entry, the step's */
    bool sigchld_was_ignored;
    int64_t passed_at_ns[65]; /* by number: when it was last passed on */
};

/* A signal received; number 0: none. */
struct signal_event {
    int number;
    pid_t sender;       /* 0: the kernel */
    bool from_terminal; /* sent by the kernel to the whole process group */
    bool is_own_limit;  /* of pmon itself: RLIMIT_CPU, RLIMIT_FSIZE */
    bool is_queued;     /* by sigqueue(3), with a value */
    uint64_t value;
};

/*
 * Blocks CONT and all signals that would end or stop pmon, including real-time
 * signals, but not signals that are ignored at entry or raised by a fault.
 * Blocks CHLD and sets it to the default; WINCH only if with_resizes.  Call it
 * before the fork, and before pmon writes a file, so that a write beyond
 * `ulimit -f` fails and does not kill pmon.
 */
int signals_init(struct signals *signals, bool with_resizes,
                 struct error *error);
void signals_done(struct signals *signals);

/* After the fork: pmon's own writes must not end it. */
void signals_protect(void);

/* The next event; number is 0 when none waits. */
void signals_next(struct signals *signals, struct signal_event *ret_event);

/*
 * Passes the event to the step: not if the terminal sent it to both, if pmon's
 * own limit raised it, or if it was passed less than 100 ms ago.  A signal for
 * the whole job goes to the process group that the step has created, as with
 * timeout(1).  0 or a negative errno.
 */
int signals_pass(struct signals *signals, const struct signal_event *event,
                 pid_t step, int64_t now_ns);

/*
 * Stops this process by number, STOP, TSTP, TTIN or TTOU, as if it were neither
 * blocked nor ignored; its parent sees which signal it was.
 */
void signals_stop(int number);

/* INT, TERM, HUP, QUIT: a request to end. */
bool signals_asks_to_end(int number);

/* Those and all others that would have ended pmon, except USR1 and USR2. */
bool signals_ends(int number);

/*
 * Whether the sender, which is of pmon's own process group, may be sending to
 * all of that group, and so to the step.
 */
bool signals_may_be_for_group(const struct signal_event *event, pid_t step);

/*
 * Ends this process by the signal that ended the step, without a core file.
 * Returns only where that is impossible: for a signal of another kind, and as
 * the first process of a PID namespace.
 */
void signals_die_by(struct signals *signals, int number);

/*
 * Whether a process group that was stopped by number should take pmon along:
 * it has a terminal, and a shell there waits for it.
 */
bool signals_holds_terminal(int number);

#endif
