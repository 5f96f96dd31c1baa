/* SPDX-License-Identifier: MIT */
/* Reads files whole; a file that another process cuts meanwhile is no harm. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

int
file_read_most(const char *path, struct strbuf *text, size_t most)
{
    enum { LITTLE = 512, CHUNK = 65536 };
    /* A FIFO that nobody writes to must not hold anything up. */
    FD_AUTO fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    ssize_t got = 1;

    if (fd < 0 || fstat(fd, &st) < 0)
        return -errno;
    if (!S_ISREG(st.st_mode))
        return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
    if (st.st_size > 0 && (size_t)st.st_size > most)
        return -EFBIG;
    while (got > 0) {
        size_t room = text->allocated - text->size;
        char *where;

        room = room > LITTLE ? room - 1 : text->size < CHUNK ? 4095 : CHUNK;
        where = strbuf_reserve(text, room);
        if (where == NULL)
            return -ENOMEM;
        if (text->size > most)
            return -EFBIG;
        got = read(fd, where, room);
        if (got < 0)
            return -errno;
        strbuf_commit(text, (size_t)got);
    }
    return 0;
}

int
file_read_all(const char *path, struct strbuf *text)
{
    return file_read_most(path, text, INT_MAX);
}
