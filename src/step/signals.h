/* SPDX-License-Identifier: MIT */
/*
 * Signals as events: blocked, and read from one descriptor in the one poll.
 * Which of them go on to the step is decided here; sending is the caller's.
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

/* A signal that came; number 0: there was none. */
struct signal_event {
    int number;
    pid_t sender;       /* 0: the kernel */
    bool from_terminal; /* sent by the kernel to the whole process group */
    bool is_own_limit;  /* of pmon itself: RLIMIT_CPU, RLIMIT_FSIZE */
    bool is_queued;     /* by sigqueue(3), with a value */
    uint64_t value;
};

/*
 * Blocks what would end or stop pmon, real-time signals included, and CONT;
 * but not those that are ignored at entry, and none that a fault raises.  CHLD
 * as well, whose disposition becomes the default; WINCH only with_resizes of
 * the terminal.  To be called before the fork, and before pmon writes a file:
 * a write beyond `ulimit -f` fails then, and does not end pmon.
 */
int signals_init(struct signals *signals, bool with_resizes,
                 struct error *error);
void signals_done(struct signals *signals);

/* After the fork: pmon's own writes must not end it. */
void signals_protect(void);

/* The next event; number is 0 when none waits. */
void signals_next(struct signals *signals, struct signal_event *ret_event);

/*
 * Passes the event to the step: not what the terminal sent to both or a limit
 * of pmon's own has raised, not the same within 100 ms twice.  What means a
 * whole job reaches all of the group that the step has made for itself, as
 * timeout(1) does.  0 or a negative errno.
 */
int signals_pass(struct signals *signals, const struct signal_event *event,
                 pid_t step, int64_t now_ns);

/*
 * Stops this process by number, STOP, TSTP, TTIN or TTOU, as if it were neither
 * blocked nor ignored; its parent is told which it was.
 */
void signals_stop(int number);

/* INT, TERM, HUP, QUIT: somebody wants an end. */
bool signals_asks_to_end(int number);

/* Those and all others, USR1 and USR2 aside, by which pmon would have ended. */
bool signals_ends(int number);

/*
 * Whether the sender, which is of pmon's own process group, may be sending to
 * all of that group, and so to the step.
 */
bool signals_may_be_for_group(const struct signal_event *event, pid_t step);

/*
 * Ends this process by the signal, as the step was, without a core file.
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
