/* SPDX-License-Identifier: MIT */
/* The children of a process: one list for each of its threads. */
#include "proc/live_children.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "proc/live_files.h"

struct thread {
    pid_t tid;
    int children_fd;
};

struct proc_threads {
    size_t count;
    struct thread list[];
};

/*
 * Appends the whole of a list of children.  A read gives what fits into one
 * page of the kernel's; a shorter answer was all of it (fs/seq_file.c).
 */
static int
append_list(int fd, struct strbuf *text)
{
    enum { CHUNK = 4096, LONGEST_ID = 12 };
    off_t offset = 0;

    for (;;) {
        char *where = strbuf_reserve(text, CHUNK);
        ssize_t got;

        if (where == NULL)
            return -ENOMEM;
        got = pread(fd, where, CHUNK, offset);
        if (got < 0)
            return -errno;
        strbuf_commit(text, (size_t)got);
        offset += got;
        if (got < CHUNK - LONGEST_ID)
            return 0;
    }
}

static int
append_children(struct proc_live *live, pid_t pid, pid_t tid, int *fd,
                struct strbuf *text)
{
    char path[LIVE_PATH_SIZE];
    int rc;

    if (*fd < 0) {
        snprintf(path, sizeof(path), "%d/task/%d/children", (int)pid, (int)tid);
        rc = live_hold(live, fd, path);
        if (rc == -EMFILE) {
            FD_AUTO once = live_open(live, path, 0);

            return once < 0 ? once : append_list(once, text);
        }
        if (rc < 0)
            return rc;
    }
    rc = append_list(*fd, text);
    strbuf_putc(text, ' ');
    return rc;
}

/* The number of threads: the links of task/ less two (fs/proc/base.c). */
static int
count_threads(const struct proc_live *live, pid_t pid)
{
    char path[LIVE_PATH_SIZE];
    struct stat st;

    snprintf(path, sizeof(path), "%d/task", (int)pid);
    if (fstatat(live->proc_fd, path, &st, 0) < 0)
        return -errno;
    return st.st_nlink > 2 ? (int)st.st_nlink - 2 : 1;
}

void
live_free_threads(struct proc_live *live, struct proc_handle *handle)
{
    for (size_t i = 0; handle->threads && i < handle->threads->count; i++)
        live_let_go(live, &handle->threads->list[i].children_fd);
    free(handle->threads);
    handle->threads = NULL;
}

/* Moves the descriptor of tid from the old list, if it has one. */
static int
take_descriptor(struct proc_threads *old, pid_t tid)
{
    for (size_t i = 0; old != NULL && i < old->count; i++)
        if (old->list[i].tid == tid)
            return cleanup_steal_fd(&old->list[i].children_fd);
    return -1;
}

/* Lists the threads other than the leader anew, keeping descriptors. */
static int
list_threads(struct proc_live *live, struct proc_handle *handle, int expected)
{
    size_t room = (size_t)expected + 16;
    struct proc_threads *threads;
    char path[LIVE_PATH_SIZE];
    DIR *dir;
    pid_t tid;

    snprintf(path, sizeof(path), "%d/task", (int)handle->pid);
    dir = live_open_folder(live, path);
    if (dir == NULL)
        return -ESRCH;
    threads = calloc(1, sizeof(*threads) + room * sizeof(struct thread));
    while (threads != NULL && threads->count < room &&
           (tid = live_next_id(dir)) != 0) {
        if (tid != handle->pid)
            threads->list[threads->count++] =
                (struct thread){tid, take_descriptor(handle->threads, tid)};
    }
    closedir(dir);
    if (threads == NULL)
        return -ENOMEM;
    live_free_threads(live, handle);
    handle->threads = threads;
    return 0;
}

/* By id only; works even without permission to signal it. */
static bool
thread_lives(pid_t pid, pid_t tid)
{
    return syscall(SYS_tgkill, pid, tid, 0) == 0 || errno != ESRCH;
}

/* Children of the threads other than the leader. */
static int
append_threads(struct proc_live *live, struct proc_handle *handle, int count,
               struct strbuf *text)
{
    bool listed = false;

    if (handle->threads == NULL ||
        handle->threads->count != (size_t)count - 1) {
        if (list_threads(live, handle, count) < 0)
            return -ESRCH;
        listed = true;
    }
    for (size_t i = 0; i < handle->threads->count; i++) {
        struct thread *thread = &handle->threads->list[i];
        size_t before = text->size;
        int rc = append_children(live, handle->pid, thread->tid,
                                 &thread->children_fd, text);

        /* The list of a thread that has ended reads as empty. */
        if (listed || (rc == 0 && (text->size > before + 1 ||
                                   thread_lives(handle->pid, thread->tid))))
            continue;
        /* Another may have come in its place. */
        if (list_threads(live, handle, count) < 0)
            return -ESRCH;
        listed = true;
        i = (size_t)-1;
    }
    return 0;
}

int
live_append_children(struct proc_live *live, struct proc_handle *handle,
                     int threads, struct strbuf *text)
{
    int count = threads > 0 ? threads : count_threads(live, handle->pid);
    int rc;

    if (count < 0)
        return live->proc_fd >= 0 ? -ESRCH : -ENOENT;
    rc = append_children(live, handle->pid, handle->pid, &handle->children_fd,
                         text);
    if (rc == -ENOENT && count_threads(live, handle->pid) < 0)
        return -ESRCH;
    if (rc < 0)
        return rc;
    if (count > 1)
        append_threads(live, handle, count, text);
    else if (handle->threads != NULL)
        live_free_threads(live, handle);
    return count;
}
