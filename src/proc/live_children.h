/* SPDX-License-Identifier: MIT */
/* Lists of children, task/TID/children of proc(5).  Only for proc/live. */
#ifndef PMON_PROC_LIVE_CHILDREN_H
#define PMON_PROC_LIVE_CHILDREN_H

#include "proc/live.h"

/*
 * Appends the ids of the children of all threads, with blanks between; threads
 * is their number, 0 when it is not known.  That number, or a negative errno.
 */
int live_append_children(struct proc_live *live, struct proc_handle *handle,
                         int threads, struct strbuf *text);

/* Closes the handles of the threads. */
void live_free_threads(struct proc_live *live, struct proc_handle *handle);

#endif
