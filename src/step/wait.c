/* SPDX-License-Identifier: MIT */
/* waitid(2) to look, wait4(2) to reap. */
#include "step/wait.h"

#include <errno.h>
#include <sys/wait.h>

pid_t
wait_next_zombie(void)
{
    siginfo_t info = {0};

    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
        return 0;
    return info.si_pid;
}

bool
wait_is_zombie(pid_t pid)
{
    siginfo_t info = {0};

    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid;
}

int
wait_reap(pid_t pid, int *ret_status, struct rusage *ret_usage)
{
    pid_t reaped;

    do
        reaped = wait4(pid, ret_status, 0, ret_usage);
    while (reaped < 0 && errno == EINTR);
    return reaped < 0 ? -errno : 0;
}

int
wait_stopped_by(pid_t pid)
{
    siginfo_t info = {0};

    if (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WCONTINUED | WNOHANG) < 0 ||
        info.si_pid != pid)
        return 0;
    return info.si_code == CLD_STOPPED ? info.si_status : 0;
}

int
wait_shell_status(int status)
{
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    return WEXITSTATUS(status);
}
