/* SPDX-License-Identifier: MIT */
/*
 * An exclusive lock on an open file, of the kind that its file system supports.
 */
#ifndef PMON_BASE_LOCK_H
#define PMON_BASE_LOCK_H

/*
 * Does not wait: 0; -EWOULDBLOCK when another process holds it; -EOPNOTSUPP
 * where the file system has no locks; another negative errno.  The lock ends
 * with the descriptor, which has to be open for writing.
 */
int lock_file(int fd);

#endif
