/* SPDX-License-Identifier: MIT */
/* The end of another's process. */
#include "step/attach.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/syscalls.h"

/* Without pidfd: a thread is in the group of its own id when it leads one. */
static int
check_id(pid_t pid)
{
    if (kill(pid, 0) < 0 && errno == ESRCH)
        return -ESRCH;
    return syscall(SYS_tgkill, pid, pid, 0) < 0 && errno == ESRCH ? -EINVAL : 0;
}

int
attach_begin(struct attach *watched, struct proc_source *source, pid_t pid)
{
    struct proc_stat stat;

    *watched = (struct attach){.pid = pid,
                               .pidfd = (int)syscall(SYS_pidfd_open, pid, 0)};
    if (watched->pidfd >= 0)
        return 0;
    if (errno == ESRCH)
        return -ESRCH;
    /* The error for a thread's id differs between kernels. */
    if (errno == EINVAL || errno == ENOENT)
        return -EINVAL;
    if (proc_look(source, pid, &stat))
        watched->start_ticks = stat.start_ticks;
    return check_id(pid);
}

bool
attach_has_ended(const struct attach *watched, struct proc_source *source)
{
    struct proc_stat stat;

    if (!proc_look(source, watched->pid, &stat))
        return kill(watched->pid, 0) < 0 && errno == ESRCH;
    return stat.start_ticks != watched->start_ticks || proc_has_ended(&stat);
}

void
attach_done(struct attach *watched)
{
    cleanup_close(&watched->pidfd);
}
