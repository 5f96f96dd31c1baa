/* SPDX-License-Identifier: MIT */
/*
 * All processes of the machine: from libproc2 (lists_libproc2.c), or by pmon's
 * own scan (lists_scan.c) in a build without it.  The sampling does not know
 * which.  It does not give command lines: libproc2 makes two arguments of one
 * that contains a newline.
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
    uint64_t user_ticks;   /* without children, as the next */
    uint64_t system_ticks; /* likewise */
};

struct process_list {
    const char *name; /* shown by --version */

    /* Starts again. 0 or a negative errno. */
    int (*rewind)(struct process_list *list);

    /* The next process: 0; 1 at the end; a negative errno. */
    int (*next)(struct process_list *list, pid_t *ret_pid);

    /*
     * The present use of a process. 0 or a negative errno, -ESRCH if it has
     * ended.
     */
    int (*figures)(struct process_list *list, pid_t pid,
                   struct process_figures *ret_figures);

    void (*free)(struct process_list *list);
};

/* NULL without memory; proc_fd is /proc, which the caller closes. */
struct process_list *lists_scan_new(int proc_fd);

/* The same with libproc2; on NULL, *ret_rc is a negative errno. */
struct process_list *lists_libproc2_new(int *ret_rc);

#endif
