/* SPDX-License-Identifier: MIT */
/*
 * Processes of the workloads: made with a deadline, waited for by pipes, none
 * left behind.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#define DEADLINE_S 120
/* A stopped process keeps ALRM pending; KILL ends it all the same. */
#define KILL_AFTER_S 5

void
child_deadline(void)
{
    const char *text = getenv("TRUTH_DEADLINE");
    long seconds = text && *text ? strtol(text, NULL, 10) : DEADLINE_S;
    struct sigevent event = {0};
    struct itimerspec when = {0};
    timer_t timer;

    if (seconds < 1 || seconds > 86400)
        seconds = DEADLINE_S;
    alarm((unsigned)seconds);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGKILL;
    when.it_value.tv_sec = seconds + KILL_AFTER_S;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &when, NULL);
}

pid_t
child_fork(bool tied)
{
    pid_t parent = getpid();
    pid_t pid = fork();

    if (pid < 0)
        arg_die("fork");
    if (pid > 0)
        return pid;
    if (tied) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(EXIT_HARNESS);
    }
    child_deadline();
    return 0;
}

int
child_wait(pid_t pid, struct rusage *usage)
{
    int status;

    while (wait4(pid, &status, 0, usage) < 0)
        if (errno != EINTR)
            arg_die("wait4");
    return status;
}

int
child_exit_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void
child_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) < 0)
        arg_die("pipe2");
}

void
child_tell(int fd)
{
    if (write(fd, "r", 1) != 1)
        arg_die("ready byte");
}

bool
child_hear(int fd)
{
    char byte;
    ssize_t length;

    do
        length = read(fd, &byte, 1);
    while (length < 0 && errno == EINTR);
    return length == 1;
}

void
child_null_streams(void)
{
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (fd < 0)
        arg_die("/dev/null");
    for (int stream = 0; stream < 3; stream++)
        if (fd != stream)
            dup2(fd, stream);
    if (fd > 2)
        close(fd);
}

void
child_set_reaping(enum child_reaping reaping)
{
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action.sa_handler = reaping == CHILD_IGNORED ? SIG_IGN : SIG_DFL;
    if (reaping == CHILD_NOCLDWAIT)
        action.sa_flags = SA_NOCLDWAIT;
    if (sigaction(SIGCHLD, &action, NULL) < 0)
        arg_die("sigaction");
}

const char *
child_self(void)
{
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

    if (length <= 0) /* no /proc: as it was started */
        return (const char *)getauxval(AT_EXECFN);
    path[length] = '\0';
    return path;
}

_Noreturn void
child_become(const char *path, char *const argv[], const char *words)
{
    if (setenv("WORKLOAD_ARGS", words, 1) < 0)
        arg_die("setenv");
    execv(path, argv);
    arg_die(path);
}
