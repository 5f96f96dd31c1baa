/* SPDX-License-Identifier: MIT */
/*
 * Fork, gate, exec.  Between fork and exec there are only a few system calls,
 * because each page touched there counts in the step's ru_maxrss.
 */
#include "step/child.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"
#include "base/syscalls.h"
#include "step/executable.h"

enum { STATUS_CANCELLED = 125, STATUS_EXEC_FAILED = 127 };

static ssize_t
read_retrying(int fd, void *data, size_t size)
{
    ssize_t got;

    do
        got = read(fd, data, size);
    while (got < 0 && errno == EINTR);
    return got;
}

static void
restore_signals(const struct child_setup *setup)
{
    struct sigaction action = {.sa_handler = SIG_IGN};

    if (setup->sigchld_was_ignored)
        sigaction(SIGCHLD, &action, NULL);
    sigprocmask(SIG_SETMASK, setup->mask, NULL);
}

static _Noreturn void
run_child(const struct child_setup *setup, const struct executable *executable,
          int64_t *image, int gate_fd, int exec_fd)
{
    char byte;
    int failed;

    if (image != NULL)
        *image = NUM_UNKNOWN; /* from here on the page is in the image */
    if (read_retrying(gate_fd, &byte, 1) != 1)
        _exit(STATUS_CANCELLED);
    restore_signals(setup);
    failed = executable_become(executable, image);
    file_write_all(exec_fd, &failed, sizeof(failed));
    _exit(STATUS_EXEC_FAILED);
}

/*
 * fork(2) without what libc does around it, which touches pages; where
 * clone3(2) is missing (before Linux 5.3) or forbidden, fork itself.
 */
static pid_t
fork_lean(int *ret_pidfd)
{
    struct clone3_args args = {
        .flags = CLONE3_PIDFD,
        .pidfd = (uintptr_t)ret_pidfd,
        .exit_signal = SIGCHLD,
    };
    long pid = syscall(SYS_clone3, &args, sizeof(args));

    if (pid >= 0)
        return (pid_t)pid;
    pid = fork();
    if (pid > 0)
        *ret_pidfd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
    return (pid_t)pid;
}

/* Memory shared with the child; NULL if it cannot be had. */
static int64_t *
map_image(void)
{
    void *place = mmap(NULL, sizeof(int64_t), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return place == MAP_FAILED ? NULL : place;
}

static void
take_image(struct child *child)
{
    if (child->image == NULL)
        return;
    child->image_bytes = *child->image;
    munmap(child->image, sizeof(*child->image));
    child->image = NULL;
}

/* Forks with both pipes open; the child goes on in run_child. */
static int
fork_at_gate(struct child *child, const struct child_setup *setup,
             const struct executable *executable)
{
    int gate[2] = {-1, -1};
    int exec[2] = {-1, -1};

    if (pipe2(gate, O_CLOEXEC) < 0 || pipe2(exec, O_CLOEXEC) < 0 ||
        (child->pid = fork_lean(&child->pidfd)) < 0) {
        int saved = errno;

        cleanup_close(&gate[0]);
        cleanup_close(&gate[1]);
        cleanup_close(&exec[0]);
        cleanup_close(&exec[1]);
        return -saved;
    }
    if (child->pid == 0) {
        close(gate[1]);
        close(exec[0]);
        run_child(setup, executable, child->image, gate[0], exec[1]);
    }
    close(gate[0]);
    close(exec[1]);
    child->gate_fd = gate[1];
    child->exec_fd = exec[0];
    return 0;
}

int
child_fork(struct child *child, const struct child_setup *setup,
           struct error *error)
{
    struct executable executable;
    int rc = executable_find(&executable, setup->argv, setup->path_list);

    *child = (struct child){.pid = -1,
                            .pidfd = -1,
                            .gate_fd = -1,
                            .exec_fd = -1,
                            .image = map_image(),
                            .image_bytes = NUM_UNKNOWN};
    if (rc == 0)
        rc = fork_at_gate(child, setup, &executable);
    executable_done(&executable);
    if (rc < 0)
        return error_set(error, rc, "cannot start a process: %s%s",
                         error_name(rc),
                         rc == -EMFILE ? "; ulimit -n allows more" : "");
    return 0;
}

int
child_release(struct child *child, int *ret_errno)
{
    int failed = 0;
    ssize_t done;

    file_write_all(child->gate_fd, "", 1);
    cleanup_close(&child->gate_fd);
    done = read_retrying(child->exec_fd, &failed, sizeof(failed));
    cleanup_close(&child->exec_fd);
    *ret_errno = done == (ssize_t)sizeof(failed) ? failed : 0;
    take_image(child);
    return 0;
}

void
child_cancel(struct child *child)
{
    if (child->pid <= 0)
        return;
    cleanup_close(&child->gate_fd);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    child->pid = -1;
}

void
child_done(struct child *child)
{
    cleanup_close(&child->gate_fd);
    cleanup_close(&child->exec_fd);
    cleanup_close(&child->pidfd);
    take_image(child);
}
