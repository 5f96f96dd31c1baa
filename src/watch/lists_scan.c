/* SPDX-License-Identifier: MIT */
/* The scan of /proc, for builds without libproc2. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "proc/parse.h"
#include "proc/source.h"
#include "watch/proc_files.h"
#include "watch/process_list.h"

struct scan {
    struct process_list list;
    DIR *dir;
    int proc_fd;
    int64_t page_bytes;
};

static int
scan_rewind(struct process_list *list)
{
    rewinddir(((struct scan *)list)->dir);
    return 0;
}

static int
scan_next(struct process_list *list, pid_t *ret_pid)
{
    const struct scan *scan = (const struct scan *)list;
    const struct dirent *entry;

    while ((entry = readdir(scan->dir)) != NULL)
        if (num_parse_pid(entry->d_name, ret_pid) == 0)
            return 0;
    return 1;
}

static int
scan_figures(struct process_list *list, pid_t pid,
             struct process_figures *ret_figures)
{
    const struct scan *scan = (const struct scan *)list;
    char text[PROC_TEXT_SIZE];
    struct proc_statm statm;
    struct proc_stat stat;
    ssize_t got =
        proc_files_read(scan->proc_fd, pid, "stat", text, sizeof(text));

    if (got >= 0 && proc_parse_stat(text, &stat) < 0)
        return -ESRCH;
    if (got >= 0)
        got = proc_files_read(scan->proc_fd, pid, "statm", text, sizeof(text));
    if (got < 0)
        return (int)got;
    if (proc_parse_statm(text, &statm) < 0)
        return -ESRCH;
    *ret_figures = (struct process_figures){
        .ppid = stat.ppid,
        .threads = stat.num_threads,
        .rss_bytes = num_mul(statm.resident_pages, scan->page_bytes),
        .start_ticks = stat.start_ticks,
        .user_ticks = stat.utime_ticks,
        .system_ticks = stat.stime_ticks};
    return 0;
}

static void
scan_free(struct process_list *list)
{
    struct scan *scan = (struct scan *)list;

    if (scan == NULL)
        return;
    if (scan->dir != NULL)
        closedir(scan->dir);
    free(scan);
}

struct process_list *
lists_scan_new(int proc_fd)
{
    struct scan *scan = calloc(1, sizeof(*scan));
    FD_AUTO fd = openat(proc_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (scan == NULL)
        return NULL;
    *scan = (struct scan){.list = {.name = "own scan",
                                   .rewind = scan_rewind,
                                   .next = scan_next,
                                   .figures = scan_figures,
                                   .free = scan_free},
                          .proc_fd = proc_fd,
                          .page_bytes = sysconf(_SC_PAGESIZE)};
    scan->dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (scan->dir == NULL) {
        scan_free(&scan->list);
        return NULL;
    }
    cleanup_steal_fd(&fd);
    return &scan->list;
}
