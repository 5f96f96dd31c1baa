/* SPDX-License-Identifier: MIT */
/*
 * Files below /proc: by path, or held open.  For proc/live alone; functions
 * return a size or 0, or a negative errno.
 */
#ifndef PMON_PROC_LIVE_FILES_H
#define PMON_PROC_LIVE_FILES_H

#include <dirent.h>
#include <stddef.h>
#include <sys/types.h>

#include "proc/live.h"

/* The longest path below /proc that is opened here. */
enum { LIVE_PATH_SIZE = 64 };

/* A descriptor of the caller's. */
int live_open(const struct proc_live *live, const char *path, int flags);

/* Reads path whole by open, read, close; -ESRCH when it is not there. */
ssize_t live_read_path(const struct proc_live *live, const char *path,
                       char *text, size_t size);

/* Opens path into *fd; -EMFILE when no more descriptors may be held. */
int live_hold(struct proc_live *live, int *fd, const char *path);
void live_let_go(struct proc_live *live, int *fd);

/* The caller closes it; NULL when it is not there. */
DIR *live_open_folder(const struct proc_live *live, const char *path);

/* The next entry that is a number; 0 at the end. */
pid_t live_next_id(DIR *dir);

#endif
