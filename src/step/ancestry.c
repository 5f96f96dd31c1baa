/* SPDX-License-Identifier: MIT */
/* Parents of parents, through stat. */
#include "step/ancestry.h"

#include "proc/look.h"

bool
ancestry_includes(struct proc_source *source, pid_t pid, pid_t ancestor)
{
    enum { DEEPEST = 64 };

    for (int i = 0; i < DEEPEST && pid > 1; i++) {
        struct proc_stat stat;

        if (pid == ancestor)
            return true;
        if (!proc_look(source, pid, &stat))
            return false;
        pid = stat.ppid;
    }
    return false;
}
