/* SPDX-License-Identifier: MIT */
/*
 * The descendants of a process, found by listing all processes.  Used to end a
 * tree that is not followed while it runs (--no-children).
 */
#ifndef PMON_STEP_DESCENDANTS_H
#define PMON_STEP_DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proc/source.h"

struct descendant {
    pid_t pid;
    pid_t ppid;
    uint64_t start_ticks; /* identifies the process together with the pid */
    char state;
};

/* {0} is an empty one, without an adopter. */
struct descendants {
    struct descendant *list; /* by pid, ascending */
    size_t count;
    pid_t adopter; /* a subreaper: orphans become its children */
    pid_t *others; /* its children before the root: not of the tree */
    size_t others_count;
};

/* Called before the root is forked: who adopts orphans.  0 or negative. */
int descendants_init(struct descendants *descendants,
                     struct proc_source *source, pid_t adopter);

/*
 * Brings the list up to date: root (0: it has ended), those that were listed
 * and still live, orphans that the adopter has adopted, and all their
 * descendants, without zombies.  0, or a negative errno with the list as it
 * was.
 */
int descendants_find(struct descendants *descendants,
                     struct proc_source *source, pid_t root);

void descendants_done(struct descendants *descendants);

/*
 * Whether pid descends from ancestor, asked of pid itself: climbs through its
 * parents, to ancestor or to the first that is gone.  True for ancestor itself.
 */
bool descendants_include(struct proc_source *source, pid_t pid, pid_t ancestor);

#endif
