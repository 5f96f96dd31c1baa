/* SPDX-License-Identifier: MIT */
/*
 * Reads /proc and the CPU clocks.  The only file of pmon's engine that opens
 * anything of /proc; it parses nothing but names of folders.
 */
#include "proc/live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "proc/parse.h"

enum {
    PATH_SIZE = 64,
    HELD_IN_SMALL_TREES = 80, /* up to here stat is held, too */
    PROC_MAGIC = 0x9fa0,      /* PROC_SUPER_MAGIC of linux/magic.h */
};

struct thread {
    pid_t tid;
    int children_fd;
};

struct proc_threads {
    size_t count;
    struct thread list[];
};

static struct proc_live *
live_of(struct proc_source *source)
{
    return (struct proc_live *)source;
}

static int
open_below(const struct proc_live *live, const char *path, int flags)
{
    int fd;

    if (live->proc_fd < 0)
        return -ENOENT;
    fd = openat(live->proc_fd, path, O_RDONLY | O_CLOEXEC | flags);
    return fd < 0 ? -errno : fd;
}

static ssize_t
pread_text(int fd, char *text, size_t size)
{
    ssize_t got = pread(fd, text, size - 1, 0);

    if (got < 0)
        return -errno;
    text[got] = '\0';
    return got;
}

/* Reads path whole by open, read, close. */
static ssize_t
read_path(const struct proc_live *live, const char *path, char *text,
          size_t size)
{
    FD_AUTO fd = open_below(live, path, 0);

    if (fd < 0)
        return fd == -ENOENT && live->proc_fd >= 0 ? -ESRCH : fd;
    return pread_text(fd, text, size);
}

/* Opens path into *fd when one more descriptor may be held. */
static int
hold(struct proc_live *live, int *fd, const char *path)
{
    int opened;

    if (*fd >= 0)
        return 0;
    if (live->held >= live->held_limit)
        return -EMFILE;
    opened = open_below(live, path, 0);
    if (opened < 0)
        return opened;
    *fd = opened;
    live->held++;
    return 0;
}

static void
let_go(struct proc_live *live, int *fd)
{
    if (*fd < 0)
        return;
    cleanup_close(fd);
    live->held--;
}

static void
format_path(char *path, const struct proc_handle *handle, enum proc_file file)
{
    static const char *const names[PROC_FILES] = {
        [PROC_STATM] = "statm",
        [PROC_STAT] = "stat",
        [PROC_STATUS] = "status",
        [PROC_IO] = "io",
        [PROC_SMAPS_ROLLUP] = "smaps_rollup",
        [PROC_CMDLINE] = "cmdline",
    };
    /* What a leader that has ended no longer shows. */
    bool of_mm =
        file == PROC_STATM || file == PROC_STATUS || file == PROC_SMAPS_ROLLUP;

    if (handle->tid != handle->pid && of_mm)
        snprintf(path, PATH_SIZE, "%d/task/%d/%s", (int)handle->pid,
                 (int)handle->tid, names[file]);
    else
        snprintf(path, PATH_SIZE, "%d/%s", (int)handle->pid, names[file]);
}

static ssize_t
live_read(struct proc_source *source, struct proc_handle *handle,
          enum proc_file file, char *text, size_t size)
{
    struct proc_live *live = live_of(source);
    char path[PATH_SIZE];
    int *fd = NULL;

    if (file == PROC_STATM)
        fd = &handle->statm_fd;
    else if (file == PROC_STAT &&
             (handle->stat_fd >= 0 || live->held < HELD_IN_SMALL_TREES))
        fd = &handle->stat_fd;
    else if (file == PROC_IO)
        fd = &handle->io_fd;
    if (fd != NULL && *fd >= 0)
        return pread_text(*fd, text, size);

    format_path(path, handle, file);
    if (fd != NULL && hold(live, fd, path) == 0)
        return pread_text(*fd, text, size);
    return read_path(live, path, text, size);
}

static int
live_clock(struct proc_source *source, pid_t pid, int64_t *ret_ns)
{
    /* MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED), linux/posix-timers.h */
    clockid_t id = (clockid_t)((~(unsigned)pid << 3) | 2U);
    struct timespec ts;

    (void)source;
    if (clock_gettime(id, &ts) != 0)
        return errno == EINVAL ? -ESRCH : -errno;
    *ret_ns = ts.tv_sec * NUM_NS_PER_S + ts.tv_nsec;
    return 0;
}

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
    char path[PATH_SIZE];
    int rc;

    if (*fd < 0) {
        snprintf(path, sizeof(path), "%d/task/%d/children", (int)pid, (int)tid);
        rc = hold(live, fd, path);
        if (rc == -EMFILE) {
            FD_AUTO once = open_below(live, path, 0);

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
    char path[PATH_SIZE];
    struct stat st;

    snprintf(path, sizeof(path), "%d/task", (int)pid);
    if (fstatat(live->proc_fd, path, &st, 0) < 0)
        return -errno;
    return st.st_nlink > 2 ? (int)st.st_nlink - 2 : 1;
}

static void
free_threads(struct proc_live *live, struct proc_handle *handle)
{
    for (size_t i = 0; handle->threads && i < handle->threads->count; i++)
        let_go(live, &handle->threads->list[i].children_fd);
    free(handle->threads);
    handle->threads = NULL;
}

/* Takes over from the old list the descriptor of tid, if it has one. */
static int
take_descriptor(struct proc_threads *old, pid_t tid)
{
    for (size_t i = 0; old != NULL && i < old->count; i++)
        if (old->list[i].tid == tid)
            return cleanup_steal_fd(&old->list[i].children_fd);
    return -1;
}

static DIR *
open_folder(const struct proc_live *live, const char *path)
{
    int fd = open_below(live, path, O_DIRECTORY);
    DIR *dir;

    if (fd < 0)
        return NULL;
    dir = fdopendir(fd);
    if (dir == NULL)
        close(fd);
    return dir;
}

/* The next entry of dir that is a number; 0 at the end. */
static pid_t
next_id(DIR *dir)
{
    const struct dirent *entry;
    int id;

    while ((entry = readdir(dir)) != NULL)
        if (num_parse_pid(entry->d_name, &id) == 0)
            return id;
    return 0;
}

/* Lists the threads other than the leader anew, keeping descriptors. */
static int
list_threads(struct proc_live *live, struct proc_handle *handle, int expected)
{
    size_t room = (size_t)expected + 16;
    struct proc_threads *threads;
    char path[PATH_SIZE];
    DIR *dir;
    pid_t tid;

    snprintf(path, sizeof(path), "%d/task", (int)handle->pid);
    dir = open_folder(live, path);
    if (dir == NULL)
        return -ESRCH;
    threads = calloc(1, sizeof(*threads) + room * sizeof(struct thread));
    while (threads != NULL && threads->count < room &&
           (tid = next_id(dir)) != 0) {
        if (tid != handle->pid)
            threads->list[threads->count++] =
                (struct thread){tid, take_descriptor(handle->threads, tid)};
    }
    closedir(dir);
    if (threads == NULL)
        return -ENOMEM;
    free_threads(live, handle);
    handle->threads = threads;
    return 0;
}

/* By id alone; who may not signal it is told all the same. */
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

static int
live_children(struct proc_source *source, struct proc_handle *handle,
              int threads, struct strbuf *text)
{
    struct proc_live *live = live_of(source);
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
        free_threads(live, handle);
    return count;
}

static int
live_live_thread(struct proc_source *source, pid_t pid, pid_t *ret_tid)
{
    struct proc_live *live = live_of(source);
    struct proc_statm statm;
    char path[PATH_SIZE];
    char text[PROC_TEXT_SIZE];
    pid_t tid;
    DIR *dir;
    int rc = -ESRCH;

    snprintf(path, sizeof(path), "%d/task", (int)pid);
    dir = open_folder(live, path);
    if (dir == NULL)
        return -ESRCH;
    while (rc < 0 && (tid = next_id(dir)) != 0) {
        snprintf(path, sizeof(path), "%d/task/%d/statm", (int)pid, (int)tid);
        if (read_path(live, path, text, sizeof(text)) > 0 &&
            proc_parse_statm(text, &statm) == 0 && statm.size_pages > 0) {
            *ret_tid = tid;
            rc = 0;
        }
    }
    closedir(dir);
    return rc;
}

static int
live_newest(struct proc_source *source, pid_t *ret_tid)
{
    struct proc_live *live = live_of(source);
    char text[128];
    ssize_t got;

    if (live->loadavg_fd < 0)
        return -ENOENT;
    got = pread_text(live->loadavg_fd, text, sizeof(text));
    return got < 0 ? (int)got : proc_parse_loadavg(text, ret_tid);
}

static int
live_pids(struct proc_source *source, struct strbuf *text)
{
    DIR *dir = open_folder(live_of(source), ".");
    pid_t pid;

    if (dir == NULL)
        return -ENOENT;
    while ((pid = next_id(dir)) != 0)
        strbuf_printf(text, "%d ", (int)pid);
    closedir(dir);
    return text->failed ? -ENOMEM : 0;
}

static void
live_release(struct proc_source *source, struct proc_handle *handle)
{
    struct proc_live *live = live_of(source);

    let_go(live, &handle->statm_fd);
    let_go(live, &handle->stat_fd);
    let_go(live, &handle->io_fd);
    let_go(live, &handle->children_fd);
    free_threads(live, handle);
}

/* Whether /proc/self is this process, by the ids of its own namespace. */
static bool
shows_self(const struct proc_live *live)
{
    char target[16];
    ssize_t size =
        readlinkat(live->proc_fd, "self", target, sizeof(target) - 1);
    int pid;

    if (size <= 0)
        return false;
    target[size] = '\0';
    return num_parse_pid(target, &pid) == 0 && pid == getpid();
}

int
proc_live_init(struct proc_live *live, int held_limit)
{
    struct statfs fs;

    *live = (struct proc_live){
        .source = {.page_bytes = sysconf(_SC_PAGESIZE),
                   .ticks_per_s = sysconf(_SC_CLK_TCK),
                   .read = live_read,
                   .clock = live_clock,
                   .children = live_children,
                   .live_thread = live_live_thread,
                   .newest = live_newest,
                   .pids = live_pids,
                   .release = live_release},
        .held_limit = held_limit,
        .loadavg_fd = -1,
    };
    live->proc_fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (live->proc_fd < 0)
        return -errno;
    if (fstatfs(live->proc_fd, &fs) < 0 || fs.f_type != PROC_MAGIC) {
        cleanup_close(&live->proc_fd);
        return -ENOENT;
    }
    if (!shows_self(live)) {
        cleanup_close(&live->proc_fd);
        return -EXDEV;
    }
    live->loadavg_fd = open_below(live, "loadavg", 0);
    if (live->loadavg_fd >= 0 &&
        (fstatfs(live->loadavg_fd, &fs) < 0 || fs.f_type != PROC_MAGIC))
        cleanup_close(&live->loadavg_fd);
    return 0;
}

void
proc_live_done(struct proc_live *live)
{
    if (live->loadavg_fd >= 0)
        cleanup_close(&live->loadavg_fd);
    cleanup_close(&live->proc_fd);
}

void
proc_live_check_newest(struct proc_live *live, pid_t pid)
{
    pid_t newest;

    if (live_newest(&live->source, &newest) < 0 || newest < pid)
        cleanup_close(&live->loadavg_fd);
}
