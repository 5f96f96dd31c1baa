/* SPDX-License-Identifier: MIT */
/*
 * waitid(2) to look, wait4(2) to reap; and job control: Ctrl-Z and fg for two
 * processes as for one.
 */
#include "step/wait.h"

#include <errno.h>
#include <sys/wait.h>

#include "step/signals.h"

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
wait_shell_status(int status)
{
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    return WEXITSTATUS(status);
}

void
job_control_continued(struct job_control *stopped, int64_t now_ns)
{
    stopped->continued_at_ns = now_ns;
}

/* The signal that stopped pid since the last call; 0 for none. */
static int
stopped_by(pid_t pid)
{
    siginfo_t info = {0};

    if (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WCONTINUED | WNOHANG) < 0 ||
        info.si_pid != pid)
        return 0;
    return info.si_code == CLD_STOPPED ? info.si_status : 0;
}

int
job_control_is_due(struct job_control *stopped, pid_t child, int64_t now_ns)
{
    int number;

    if (now_ns - stopped->continued_at_ns < JOB_CONTROL_RECHECK_NS) {
        stopped->is_pending = true;
        return 0;
    }
    stopped->is_pending = false;
    number = stopped_by(child);
    return number != 0 && signals_holds_terminal(number) ? number : 0;
}
