/* SPDX-License-Identifier: MIT */
/* Files of /proc that pmon watch reads completely, by path. */
#ifndef PMON_WATCH_PROC_FILES_H
#define PMON_WATCH_PROC_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"

/*
 * Reads /proc/PID/name into text and ends it with a NUL byte.  The size, or a
 * negative errno.  folder_fd is /proc; or, with pid 0, /proc/PID itself.
 */
ssize_t proc_files_read(int folder_fd, pid_t pid, const char *name, char *text,
                        size_t size);

/*
 * Reads the arguments of a process, unchanged.  Returns a descriptor, which the
 * caller closes and which never refers to another process: proc_files_lives
 * checks with it that reads by id were of this process. -ESRCH if the process
 * has ended or has no command line.
 */
int proc_files_command(int proc_fd, pid_t pid, struct strbuf *raw);

/* Whether the process of that descriptor still has a command line. */
int proc_files_lives(int command_fd);

/* Boot time, s since the epoch (btime of proc_stat(5)), or 0. */
int64_t proc_files_boot_s(int proc_fd);

/* Open descriptors of the process whose folder that is, or NUM_UNKNOWN. */
int64_t proc_files_descriptors(int folder_fd);

#endif
