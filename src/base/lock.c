/* SPDX-License-Identifier: MIT */
/*
 * flock(2), or where a file system has none (Lustre without -o flock, some
 * FUSE), an open file description lock of fcntl(2).  All programs of pmon try
 * them in this order, so they use the same lock for the same file.
 */
#include "base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/file.h>

/* ENOLCK: NFS without its lock daemon. */
static bool
is_unsupported(int code)
{
    return code == ENOSYS || code == EOPNOTSUPP || code == EINVAL ||
           code == ENOLCK;
}

int
lock_file(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return 0;
    if (!is_unsupported(errno))
        return -errno;
    if (fcntl(fd, F_OFD_SETLK, &whole) == 0)
        return 0;
    if (errno == EAGAIN || errno == EACCES)
        return -EWOULDBLOCK;
    return is_unsupported(errno) ? -EOPNOTSUPP : -errno;
}
