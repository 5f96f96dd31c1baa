/* SPDX-License-Identifier: MIT */
/*
 * Reads /proc and the CPU clocks.  With live_files.c and live_children.c the
 * only part of the engine that opens anything of /proc; it parses nothing but
 * names of folders.
 */
#include "proc/live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "proc/live_children.h"
#include "proc/live_files.h"
#include "proc/parse.h"

enum {
    HELD_IN_SMALL_TREES = 80, /* up to here stat is held, too */
    PROC_MAGIC = 0x9fa0,      /* PROC_SUPER_MAGIC of linux/magic.h */
};

static struct proc_live *
live_of(struct proc_source *source)
{
    return (struct proc_live *)source;
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
    /* Values that a leader no longer shows after it has ended. */
    bool of_mm =
        file == PROC_STATM || file == PROC_STATUS || file == PROC_SMAPS_ROLLUP;

    if (handle->tid != handle->pid && of_mm)
        snprintf(path, LIVE_PATH_SIZE, "%d/task/%d/%s", (int)handle->pid,
                 (int)handle->tid, names[file]);
    else
        snprintf(path, LIVE_PATH_SIZE, "%d/%s", (int)handle->pid, names[file]);
}

static int
live_children(struct proc_source *source, struct proc_handle *handle,
              int threads, struct strbuf *text)
{
    return live_append_children(live_of(source), handle, threads, text);
}

static ssize_t
live_read(struct proc_source *source, struct proc_handle *handle,
          enum proc_file file, char *text, size_t size)
{
    struct proc_live *live = live_of(source);
    char path[LIVE_PATH_SIZE];
    int *fd = NULL;

    if (file == PROC_STATM)
        fd = &handle->statm_fd;
    else if (file == PROC_STAT &&
             (handle->stat_fd >= 0 || live->held < HELD_IN_SMALL_TREES))
        fd = &handle->stat_fd;
    else if (file == PROC_IO)
        fd = &handle->io_fd;
    if (fd != NULL && *fd >= 0)
        return file_read_head(*fd, text, size);

    format_path(path, handle, file);
    if (fd != NULL && live_hold(live, fd, path) == 0)
        return file_read_head(*fd, text, size);
    return live_read_path(live, path, text, size);
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

static int
live_live_thread(struct proc_source *source, pid_t pid, pid_t *ret_tid)
{
    struct proc_live *live = live_of(source);
    struct proc_statm statm;
    char path[LIVE_PATH_SIZE];
    char text[PROC_TEXT_SIZE];
    pid_t tid;
    DIR *dir;
    int rc = -ESRCH;

    snprintf(path, sizeof(path), "%d/task", (int)pid);
    dir = live_open_folder(live, path);
    if (dir == NULL)
        return -ESRCH;
    while (rc < 0 && (tid = live_next_id(dir)) != 0) {
        snprintf(path, sizeof(path), "%d/task/%d/statm", (int)pid, (int)tid);
        if (live_read_path(live, path, text, sizeof(text)) > 0 &&
            proc_parse_statm(text, &statm) == 0 && statm.size_pages > 0) {
            *ret_tid = tid;
            rc = 0;
        }
    }
    closedir(dir);
    return rc;
}

static int
live_same_memory(struct proc_source *source, pid_t a, pid_t b)
{
    enum { VM = 1 }; /* KCMP_VM of linux/kcmp.h */
    long rc = syscall(SYS_kcmp, a, b, VM, 0, 0);

    (void)source;
    return rc < 0 ? -errno : rc == 0;
}

static int
live_newest(struct proc_source *source, pid_t *ret_tid)
{
    struct proc_live *live = live_of(source);
    char text[128];
    ssize_t got;

    if (live->loadavg_fd < 0)
        return -ENOENT;
    got = file_read_head(live->loadavg_fd, text, sizeof(text));
    return got < 0 ? (int)got : proc_parse_loadavg(text, ret_tid);
}

static int
live_pids(struct proc_source *source, struct strbuf *text)
{
    DIR *dir = live_open_folder(live_of(source), ".");
    pid_t pid;

    if (dir == NULL)
        return -ENOENT;
    while ((pid = live_next_id(dir)) != 0)
        strbuf_printf(text, "%d ", (int)pid);
    closedir(dir);
    return text->failed ? -ENOMEM : 0;
}

static void
live_release(struct proc_source *source, struct proc_handle *handle)
{
    struct proc_live *live = live_of(source);

    live_let_go(live, &handle->statm_fd);
    live_let_go(live, &handle->stat_fd);
    live_let_go(live, &handle->io_fd);
    live_let_go(live, &handle->children_fd);
    live_free_threads(live, handle);
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
                   .same_memory = live_same_memory,
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
    live->loadavg_fd = live_open(live, "loadavg", 0);
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
