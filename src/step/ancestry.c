/* SPDX-License-Identifier: MIT */
/* Parents of parents, through stat. */
#include "step/ancestry.h"

#include "proc/parse.h"

bool
ancestry_includes(struct proc_source *source, pid_t pid, pid_t ancestor)
{
    enum { DEEPEST = 64 };
    char text[PROC_TEXT_SIZE];

    for (int i = 0; i < DEEPEST && pid > 1; i++) {
        struct proc_handle handle;
        struct proc_stat stat;
        ssize_t got;

        if (pid == ancestor)
            return true;
        proc_handle_init(&handle, pid);
        got = source->read(source, &handle, PROC_STAT, text, sizeof(text));
        source->release(source, &handle);
        if (got <= 0 || proc_parse_stat(text, &stat) < 0)
            return false;
        pid = stat.ppid;
    }
    return false;
}
