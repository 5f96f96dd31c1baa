/* SPDX-License-Identifier: MIT */
/*
 * A command on a terminal of its own, and what it has written so far.
 */
#ifndef PTY_H
#define PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/types.h>

#define EXIT_HARNESS 99

struct pty {
    int master; /* -1 before the start */
    int copy;   /* where the output goes too */
    pid_t pid;
    bool ended;
    bool hung_up;
    bool no_echo;
    struct winsize size;
    char *output;
    size_t length;
};

/* Says why errno was set, leaves with EXIT_HARNESS. */
_Noreturn void pty_fail(const char *what);

/* Runs the command as leader of a session, with signals as at a login. */
void pty_start(struct pty *pty, char **command);

/* Sets the window's size: "80x24". */
void pty_resize(struct pty *pty, const char *text);

/*
 * Reads what there is, waiting that long; false when there was nothing.
 * Notes when the command has ended, and leaves it to be reaped.
 */
bool pty_take(struct pty *pty, int wait_ms);

void pty_hang_up(struct pty *pty);

/* KILL to all that is left of the session, before its leader is reaped. */
void pty_kill_session(const struct pty *pty);

/* Ends and reaps the command; its status as a shell has it. */
int pty_reap(struct pty *pty);

#endif
