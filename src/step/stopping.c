/* SPDX-License-Identifier: MIT */
/* When to send TERM and KILL, and the sending. */
#include "step/stopping.h"

#include <errno.h>
#include <signal.h>

#include "base/num.h"

static const int64_t again_ns = 100 * NUM_NS_PER_MS;
static const int64_t patience_ns = 2 * NUM_NS_PER_S;

void
stopping_begin(struct stopping *stopping, int64_t now_ns, int64_t kill_after_ns)
{
    if (stopping->has_begun)
        return;
    *stopping = (struct stopping){.has_begun = true,
                                  .kill_at_ns = num_add(now_ns, kill_after_ns),
                                  .next_ns = now_ns};
}

int
stopping_signal(struct stopping *stopping, int64_t now_ns)
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
stopping_has_failed(const struct stopping *stopping, int64_t now_ns)
{
    return stopping->has_begun && now_ns - stopping->kill_at_ns >= patience_ns;
}

int
stopping_send(pid_t pid, int number)
{
    if (kill(pid, number) < 0)
        return -errno;
    if (number != SIGKILL)
        kill(pid, SIGCONT);
    return 0;
}
