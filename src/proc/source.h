/* SPDX-License-Identifier: MIT */
/*
 * Where figures of processes come from: the kernel (proc/live.h), or ticks
 * that a test plays (tests/lib/recorded.h).  Whoever samples is given a source
 * and cannot tell which.
 *
 * Functions return 0 (or a size) or a negative errno: -ESRCH when the process
 * has ended, -EACCES when it may not be read, -ENOENT when the kernel lacks
 * the file.  A source parses no text.
 */
#ifndef PMON_PROC_SOURCE_H
#define PMON_PROC_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proc/parse.h"

struct strbuf;

enum proc_file {
    PROC_STATM,
    PROC_STAT,
    PROC_STATUS,
    PROC_IO,
    PROC_SMAPS_ROLLUP, /* holds the memory map's lock for milliseconds */
    PROC_CMDLINE,      /* likewise takes it; may hang on a stuck process */
    PROC_FILES,
};

/* A file's text in full; /proc/PID/status is the longest, below 2 KiB. */
enum { PROC_TEXT_SIZE = 4096 };

struct proc_threads;

/*
 * One process to be read again and again.  Descriptors of its files may be
 * held open: they follow the process through exec and never lead to another
 * one after its end, even when its id is used again.
 */
struct proc_handle {
    pid_t pid;
    pid_t tid; /* the thread whose statm is read: pid while the leader lives */
    int statm_fd;
    int stat_fd; /* held in small trees only */
    int io_fd;
    int children_fd;
    struct proc_threads *threads; /* the source's, for more than one thread */
};

struct proc_source {
    int64_t page_bytes;
    int64_t ticks_per_s; /* of stat's times */

    /* Text of one file, NUL-terminated; returns its size. */
    ssize_t (*read)(struct proc_source *source, struct proc_handle *handle,
                    enum proc_file file, char *text, size_t size);

    /*
     * CPU time in ns of all threads, live and ended; of a zombie too.  Posted
     * by the kernel at its tick or at a switch.  By id alone: after a success
     * only a read of the handle tells that the id was not used again.
     */
    int (*clock)(struct proc_source *source, pid_t pid, int64_t *ret_ns);

    /*
     * Appends the ids of the children of every thread, as text.  threads is
     * their number, where it was read just now, or 0.  Returns the number of
     * threads.  -ENOENT: the kernel has no task/TID/children.
     */
    int (*children)(struct proc_source *source, struct proc_handle *handle,
                    int threads, struct strbuf *text);

    /* A thread of pid that still lives, when its leader has ended. */
    int (*live_thread)(struct proc_source *source, pid_t pid, pid_t *ret_tid);

    /*
     * Whether two processes have one address space: 1 or 0; -EPERM, -ENOSYS
     * where nobody tells.
     */
    int (*same_memory)(struct proc_source *source, pid_t a, pid_t b);

    /*
     * The id of the newest task of the PID namespace, which moves with every
     * task that is made; -ENOENT where it cannot be trusted.
     */
    int (*newest)(struct proc_source *source, pid_t *ret_tid);

    /* Appends the ids of all processes, as text. */
    int (*pids)(struct proc_source *source, struct strbuf *text);

    /* Closes the handle, which can be used again. */
    void (*release)(struct proc_source *source, struct proc_handle *handle);
};

static inline void
proc_handle_init(struct proc_handle *handle, pid_t pid)
{
    *handle = (struct proc_handle){.pid = pid,
                                   .tid = pid,
                                   .statm_fd = -1,
                                   .stat_fd = -1,
                                   .io_fd = -1,
                                   .children_fd = -1};
}

/*
 * Reads /proc/PID/stat once, for a process that is not sampled; nothing stays
 * open.  False where it cannot be had.
 */
bool proc_look(struct proc_source *source, pid_t pid,
               struct proc_stat *ret_stat);

/* Whether it is dead with all its threads, and only not yet waited for. */
static inline bool
proc_has_ended(const struct proc_stat *stat)
{
    return (stat->state == 'Z' || stat->state == 'X') && stat->num_threads <= 1;
}

#endif
