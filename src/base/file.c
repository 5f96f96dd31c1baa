/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes files whole, locks them, and makes folders.  Another process
 * may truncate a file meanwhile.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

int
file_read_most(const char *path, struct strbuf *text, size_t most)
{
    /* A FIFO without a writer must not block. */
    FD_AUTO fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return -errno;
    if (!S_ISREG(st.st_mode))
        return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
    if (st.st_size > 0 && (size_t)st.st_size > most)
        return -EFBIG;
    return file_read_fd(fd, text, most);
}

int
file_read_fd(int fd, struct strbuf *text, size_t most)
{
    enum { LITTLE = 512, CHUNK = 65536 };
    off_t offset = 0;
    ssize_t got = 1;

    while (got > 0) {
        size_t room = text->allocated - text->size;
        char *where;

        room = room > LITTLE ? room - 1 : text->size < CHUNK ? 4095 : CHUNK;
        where = strbuf_reserve(text, room);
        if (where == NULL)
            return -ENOMEM;
        if (text->size > most)
            return -EFBIG;
        got = pread(fd, where, room, offset);
        if (got < 0)
            return -errno;
        strbuf_commit(text, (size_t)got);
        offset += got;
    }
    return 0;
}

int
file_read_all(const char *path, struct strbuf *text)
{
    return file_read_most(path, text, INT_MAX);
}

ssize_t
file_read_head(int fd, char *text, size_t size)
{
    ssize_t got = fd < 0 ? -1 : pread(fd, text, size - 1, 0);

    text[got < 0 ? 0 : got] = '\0';
    if (got < 0)
        return fd < 0 ? -EBADF : -errno;
    return got;
}

int
file_write_all(int fd, const void *data, size_t size)
{
    const char *text = data;

    while (size > 0) {
        ssize_t done = write(fd, text, size);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? -errno : -ENOSPC;
        text += done;
        size -= (size_t)done;
    }
    return 0;
}

int
folder_make(const char *path)
{
    FREE_AUTO char *copy = strdup(path);
    struct stat st;

    if (copy == NULL)
        return -ENOMEM;
    for (char *slash = copy; slash != NULL;) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL)
            *slash = '\0';
        if (mkdir(copy, 0777) < 0 && (errno != EEXIST || stat(copy, &st) < 0))
            return -errno;
        if (stat(copy, &st) == 0 && !S_ISDIR(st.st_mode))
            return -ENOTDIR;
        if (slash != NULL)
            *slash = '/';
    }
    return 0;
}

const char *
path_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/*
 * Locks: flock(2), or where a file system has none (Lustre without -o flock,
 * some FUSE), an open file description lock of fcntl(2).  All programs of pmon
 * try them in this order, so they use the same lock for the same file.
 */

/* ENOLCK: NFS without its lock daemon. */
static bool
is_unsupported(int code)
{
    return code == ENOSYS || code == EOPNOTSUPP || code == EINVAL ||
           code == ENOLCK;
}

int
file_lock(int fd)
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
