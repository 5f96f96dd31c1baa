/* SPDX-License-Identifier: MIT */
/*
 * The step as a child process.  It is forked early and waits at a gate, so that
 * pmon knows its id before it opens files; a failed exec is returned as data.
 * The step inherits what pmon was started with: descriptors, signal mask and
 * dispositions, limits, process group, terminal.
 */
#ifndef PMON_STEP_CHILD_H
#define PMON_STEP_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct child {
    pid_t pid;
    int pidfd;      /* -1 before Linux 5.3: only SIGCHLD reports the exit */
    int gate_fd;    /* a byte lets the child go on, EOF stops it */
    int exec_fd;    /* the child's errno; EOF: exec succeeded */
    int64_t *image; /* shared with the child, which writes its size there */
    int64_t image_bytes; /* what it had at its exec; NUM_UNKNOWN before */
};

/* What the step inherits unchanged. */
struct child_setup {
    char *const *argv;
    const char *path_list; /* PATH, to look argv[0] up; NULL where unset */
    const sigset_t *mask;
    bool sigchld_was_ignored;
};

/*
 * Forks; the child waits.  0 or a negative errno with error filled.  The
 * child never returns from here.
 */
int child_fork(struct child *child, const struct child_setup *setup,
               struct error *error);

/*
 * Opens the gate and waits for exec.  *ret_errno is 0 when the step runs, else
 * the errno of execve(2), and the child is exiting.
 */
int child_release(struct child *child, int *ret_errno);

/* Shuts the gate of a child that must not run; it exits with status 125. */
void child_cancel(struct child *child);

void child_done(struct child *child);

#endif
