/* SPDX-License-Identifier: MIT */
/* Decides when to send TERM and KILL, and sends them. */
#include "step/terminate.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/syscalls.h"

static const int64_t again_ns = 100 * NUM_NS_PER_MS;
static const int64_t patience_ns = 2 * NUM_NS_PER_S;

void
terminate_begin(struct terminate *stopping, int64_t now_ns,
                int64_t kill_after_ns)
{
    if (stopping->has_begun)
        return;
    *stopping = (struct terminate){.has_begun = true,
                                   .kill_at_ns = num_add(now_ns, kill_after_ns),
                                   .next_ns = now_ns};
}

int
terminate_signal(struct terminate *stopping, int64_t now_ns)
{
    if (!stopping->has_begun || now_ns < stopping->next_ns)
        return 0;
    if (now_ns >= stopping->kill_at_ns) {
        stopping->next_ns = now_ns + again_ns;
        return SIGKILL;
    }
    stopping->next_ns = stopping->kill_at_ns;
    if (stopping->has_termed)
        return 0;
    stopping->has_termed = true;
    return SIGTERM;
}

bool
terminate_has_failed(const struct terminate *stopping, int64_t now_ns)
{
    return stopping->has_begun && now_ns - stopping->kill_at_ns >= patience_ns;
}

int
terminate_send_child(pid_t pid, int number)
{
    if (kill(pid, number) < 0)
        return -errno;
    if (number != SIGKILL && kill(pid, SIGCONT) < 0)
        return -errno;
    return 0;
}

/* By pidfd; -ENOSYS where the kernel has none, or a filter forbids it. */
static int
send_by_pidfd(int pidfd, int number)
{
    if (syscall(SYS_pidfd_send_signal, pidfd, number, NULL, 0) == 0)
        return 0;
    return errno == EPERM ? -ENOSYS : -errno;
}

int
terminate_send(struct proc_source *source, pid_t pid, uint64_t start_ticks,
               int number)
{
    FD_AUTO pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct proc_stat stat;
    int rc = -ENOSYS;

    if (pidfd < 0 && errno == ESRCH)
        return -ESRCH;
    /*
     * The pidfd refers to the present owner of the id: check that it is this
     * one.
     */
    if (start_ticks != 0 &&
        (!proc_look(source, pid, &stat) || stat.start_ticks != start_ticks))
        return -ESRCH;
    if (pidfd >= 0)
        rc = send_by_pidfd(pidfd, number);
    if (rc == -ENOSYS)
        return terminate_send_child(pid, number);
    if (rc == 0 && number != SIGKILL)
        rc = send_by_pidfd(pidfd, SIGCONT);
    return rc;
}
