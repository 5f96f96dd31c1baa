/* SPDX-License-Identifier: MIT */
/*
 * Whole files and whole texts: every loop around read(2) and write(2).  Locks,
 * folders and base names.
 */
#ifndef PMON_BASE_FILE_H
#define PMON_BASE_FILE_H

#include <sys/types.h>

#include "base/strbuf.h"

/*
 * Appends all of the regular file at path to text.  0 or a negative errno:
 * -EINVAL for a pipe or a device, -EFBIG for more than INT_MAX bytes, -ENOMEM.
 */
int file_read_all(const char *path, struct strbuf *text);

/*
 * The same, but -EFBIG for more than most bytes, because a sparse file can have
 * any size.
 */
int file_read_most(const char *path, struct strbuf *text, size_t most);

/* Appends all of the open regular file, wherever its offset stands. */
int file_read_fd(int fd, struct strbuf *text, size_t most);

/*
 * The first size - 1 bytes of an open file, in one pread(2), with a NUL byte
 * behind them: how many, or a negative errno and an empty text.
 */
ssize_t file_read_head(int fd, char *text, size_t size);

/* Writes all of it; signals do not cut it short.  0 or a negative errno. */
int file_write_all(int fd, const void *data, size_t size);

/* Makes the folder, and those above it, as mkdir -p.  0 or negative errno. */
int folder_make(const char *path);

/* The text after the last slash, or all of path if nothing follows it. */
const char *path_base(const char *path);

/*
 * Takes an exclusive lock on an open file, of the kind that its file system
 * supports.  Does not wait: 0; -EWOULDBLOCK when another process holds it;
 * -EOPNOTSUPP where the file system has no locks; another negative errno.  The
 * lock ends with the descriptor, which has to be open for writing.
 */
int file_lock(int fd);

#endif
