/* SPDX-License-Identifier: MIT */
/*
 * All processes of the machine: from libproc2 (lists_libproc2.c), or by a scan
 * of pmon's own (lists_scan.c) in a build without it.  Whoever samples is
 * given one and cannot tell which.
 *
 * Command lines are not asked of it: libproc2 makes two arguments of one that
 * has a line end in it.
 */
#ifndef PMON_WATCH_PROCESS_LIST_H
#define PMON_WATCH_PROCESS_LIST_H

#include <stdint.h>
#include <sys/types.h>

struct process_figures {
    pid_t ppid;
    int64_t threads;
    int64_t rss_bytes;
    uint64_t start_ticks;  /* since boot */
    uint64_t user_ticks;   /* children not counted, both */
    uint64_t system_ticks; /* likewise */
};

struct process_list {
    const char *name; /* what --version says */

    /* Begins anew.  0 or a negative errno. */
    int (*rewind)(struct process_list *list);

    /* The next process: 0; 1 at the end; a negative errno. */
    int (*next)(struct process_list *list, pid_t *ret_pid);

    /* The present usage of one; a negative errno, -ESRCH if it has ended. */
    int (*figures)(struct process_list *list, pid_t pid,
                   struct process_figures *ret_figures);

    void (*free)(struct process_list *list);
};

/* NULL when there is no memory; proc_fd is /proc and stays the caller's. */
struct process_list *lists_scan_new(int proc_fd);

/* The same through libproc2; a negative errno of its own in *ret_rc. */
struct process_list *lists_libproc2_new(int *ret_rc);

#endif
