/* SPDX-License-Identifier: MIT */
/*
 * What /proc says of one process, parsed.  Pure functions on the text of a
 * file; no function here opens anything.  All return 0 or -EINVAL, and write
 * their result on success only.  Formats: proc(5), fs/proc/array.c.
 */
#ifndef PMON_PROC_PARSE_H
#define PMON_PROC_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    /* TASK_COMM_LEN: 15 bytes and a NUL byte. */
    PROC_NAME_SIZE = 16,
    /* PF_EXITING of include/linux/sched.h: on its way out. */
    PROC_FLAG_EXITING = 0x4,
    /* PF_FORKNOEXEC of include/linux/sched.h: forked and not yet exec'ed. */
    PROC_FLAG_FORKNOEXEC = 0x40,
    /* PF_KTHREAD, likewise. */
    PROC_FLAG_KTHREAD = 0x200000,
};

struct proc_statm {
    int64_t size_pages;
    int64_t resident_pages;
    int64_t shared_pages; /* of those, pages of files and of shared memory */
    int64_t text_pages;   /* the size of the program's code: another program's
                             is another; 0 where it is missing */
};

struct proc_stat {
    pid_t pid;
    char name[PROC_NAME_SIZE];
    char state;
    pid_t ppid;
    uint32_t flags;
    uint64_t minflt;
    uint64_t cminflt;
    uint64_t majflt;
    uint64_t cmajflt;
    uint64_t utime_ticks;
    uint64_t stime_ticks;
    uint64_t cutime_ticks;
    uint64_t cstime_ticks;
    int64_t num_threads;
    uint64_t start_ticks; /* since boot */
};

struct proc_status {
    int64_t hwm_bytes;  /* VmHWM; NUM_UNKNOWN for a zombie */
    int64_t swap_bytes; /* VmSwap; NUM_UNKNOWN where it is missing */
    uint64_t ignored;   /* SigIgn, bit n - 1 for signal n */
    uint64_t pending;   /* SigPnd, likewise; 0 where it is missing */
};

/* The four figures that psrecord's --include-io shows, in its order. */
enum proc_io_field {
    PROC_IO_READ_CALLS,
    PROC_IO_WRITE_CALLS,
    PROC_IO_READ_BYTES,
    PROC_IO_WRITE_BYTES,
    PROC_IO_FIELDS,
};

struct proc_io {
    int64_t value[PROC_IO_FIELDS];
};

int proc_parse_statm(const char *text, struct proc_statm *ret_statm);
int proc_parse_stat(const char *text, struct proc_stat *ret_stat);
int proc_parse_status(const char *text, struct proc_status *ret_status);
/* Shares of memory that processes share, from smaps_rollup. */
struct proc_pss {
    int64_t pss_bytes;
    int64_t rss_bytes;
    int64_t anon_bytes; /* the three parts: NUM_UNKNOWN before Linux 5.10 */
    int64_t file_bytes;
    int64_t shmem_bytes;
    int64_t swap_bytes; /* SwapPss */
};

int proc_parse_pss(const char *text, struct proc_pss *ret_pss);

int proc_parse_io(const char *text, struct proc_io *ret_io);

/*
 * The next id of a list `12 34 56 `, as in task/TID/children: moves *text
 * behind it.  0, or 1 at the end, or -EINVAL.
 */
int proc_parse_next_pid(const char **text, pid_t *ret_pid);

/* The newest task id: the last field of /proc/loadavg. */
int proc_parse_loadavg(const char *text, pid_t *ret_newest);

#endif
