/* SPDX-License-Identifier: MIT */
/* Fork, gate, exec; the code between fork and exec is async-signal-safe. */
#include "step/child.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

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
run_child(const struct child_setup *setup, int gate_fd, int exec_fd)
{
    ssize_t sent;
    char byte;
    int failed;

    if (read_retrying(gate_fd, &byte, 1) != 1)
        _exit(STATUS_CANCELLED);
    restore_signals(setup);
    execvp(setup->argv[0], setup->argv);
    failed = errno;
    do
        sent = write(exec_fd, &failed, sizeof(failed));
    while (sent < 0 && errno == EINTR);
    _exit(STATUS_EXEC_FAILED);
}

int
child_fork(struct child *child, const struct child_setup *setup,
           struct error *error)
{
    int gate[2] = {-1, -1};
    int exec[2] = {-1, -1};
    pid_t pid;

    *child =
        (struct child){.pid = -1, .pidfd = -1, .gate_fd = -1, .exec_fd = -1};
    if (pipe2(gate, O_CLOEXEC) < 0 || pipe2(exec, O_CLOEXEC) < 0 ||
        (pid = fork()) < 0) {
        int saved = errno;

        cleanup_close(&gate[0]);
        cleanup_close(&gate[1]);
        cleanup_close(&exec[0]);
        cleanup_close(&exec[1]);
        return error_set(error, -saved, "cannot start a process: %s",
                         error_name(saved));
    }
    if (pid == 0) {
        close(gate[1]);
        close(exec[0]);
        run_child(setup, gate[0], exec[1]);
    }
    close(gate[0]);
    close(exec[1]);
    child->pid = pid;
    child->gate_fd = gate[1];
    child->exec_fd = exec[0];
    child->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    return 0;
}

int
child_release(struct child *child, int *ret_errno)
{
    int failed = 0;
    ssize_t done;

    do
        done = write(child->gate_fd, "", 1);
    while (done < 0 && errno == EINTR);
    cleanup_close(&child->gate_fd);
    done = read_retrying(child->exec_fd, &failed, sizeof(failed));
    cleanup_close(&child->exec_fd);
    *ret_errno = done == (ssize_t)sizeof(failed) ? failed : 0;
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
}
