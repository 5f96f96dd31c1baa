/* SPDX-License-Identifier: MIT */
/* What any source can be asked for: the stat of one process, once. */
#include "proc/source.h"

bool
proc_look(struct proc_source *source, pid_t pid, struct proc_stat *ret_stat)
{
    char text[PROC_TEXT_SIZE];
    struct proc_handle handle;
    ssize_t got;

    proc_handle_init(&handle, pid);
    got = source->read(source, &handle, PROC_STAT, text, sizeof(text));
    source->release(source, &handle);
    return got > 0 && proc_parse_stat(text, ret_stat) == 0;
}
