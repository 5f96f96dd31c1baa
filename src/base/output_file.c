/* SPDX-License-Identifier: MIT */
/* Output files; the caller reports errors. */
#include "base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"

/* Queue limit for a slow reader of a pipe; rows beyond it are dropped. */
enum { QUEUE_LIMIT = 1 << 20 };

/* How long a FIFO's reader may take to come. */
static const int64_t reader_wait_ns = 3 * NUM_NS_PER_S;

int
output_file_named_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    uint64_t number;

    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
        size_t size = strlen(folders[i]);

        if (strncmp(path, folders[i], size) == 0 &&
            num_parse_u64(path + size, &number) == 0 && number < 1 << 20)
            return (int)number;
    }
    return -1;
}

bool
output_file_is_removed(const struct output_file *sink)
{
    struct stat st;

    return sink->is_regular && fstat(sink->fd, &st) == 0 && st.st_nlink == 0;
}

bool
output_file_is_elsewhere(const struct output_file *sink, const char *path)
{
    struct stat own;
    struct stat there;

    return sink->is_regular && fstat(sink->fd, &own) == 0 &&
           (stat(path, &there) < 0 || own.st_dev != there.st_dev ||
            own.st_ino != there.st_ino);
}

/* Does not wait for a FIFO's reader; the caller does. */
static int
open_path(const char *path, int flags)
{
    int fd =
        open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags, 0666);

    if (fd >= 0)
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

int
output_file_open(struct output_file *sink, const char *path, int flags)
{
    int given = output_file_named_descriptor(path);
    struct stat st;

    *sink = (struct output_file){.fd = -1};
    if (given >= 0) {
        sink->fd = fcntl(given, F_DUPFD_CLOEXEC, 3);
    } else {
        sink->fd = open_path(path, flags);
        if (sink->fd < 0 && errno == ENOENT) {
            sink->fd = open_path(path, flags | O_CREAT);
            sink->was_made = sink->fd >= 0;
        }
    }
    if (sink->fd < 0 || fstat(sink->fd, &st) < 0) {
        int saved = errno;

        cleanup_close(&sink->fd);
        return -saved;
    }
    sink->is_regular = given < 0 && S_ISREG(st.st_mode);
    sink->size = st.st_size;
    return 0;
}

int
output_file_open_waiting(struct output_file *sink, const char *path, int flags,
                         const struct clock_source *clock)
{
    struct timespec pause = {.tv_nsec = 10 * NUM_NS_PER_MS};
    int64_t begin_ns = clock_now(clock, CLOCK_MONOTONIC);
    int rc;

    while ((rc = output_file_open(sink, path, flags)) == -ENXIO &&
           clock_now(clock, CLOCK_MONOTONIC) - begin_ns < reader_wait_ns)
        nanosleep(&pause, NULL);
    return rc;
}

int
output_file_lock(struct output_file *sink)
{
    return sink->is_regular ? file_lock(sink->fd) : 0;
}

int
output_file_truncate(struct output_file *sink)
{
    if (sink->is_regular && ftruncate(sink->fd, 0) < 0)
        return -errno;
    return 0;
}

void
output_file_take_back(struct output_file *sink)
{
    if (sink->is_regular && ftruncate(sink->fd, sink->size) < 0)
        sink->failed = -errno;
}

static bool
is_writable(const struct output_file *sink, int timeout_ms)
{
    struct pollfd poll_fd = {.fd = sink->fd, .events = POLLOUT};

    return poll(&poll_fd, 1, timeout_ms) > 0;
}

static ssize_t
write_once(int fd, const char *data, size_t size)
{
    ssize_t done;

    do
        done = write(fd, data, size);
    while (done < 0 && errno == EINTR);
    return done;
}

/*
 * One write of all of it.  After a partial write, a second one returns the
 * reason; an incomplete write is rolled back.
 */
static int
write_whole(struct output_file *sink, const char *data, size_t size)
{
    ssize_t done = write_once(sink->fd, data, size);
    ssize_t more = 0;
    int rc;

    if (done == (ssize_t)size)
        return 0;
    if (done < 0)
        return -errno;
    more = write_once(sink->fd, data + done, size - (size_t)done);
    rc = more < 0 ? -errno : -ENOSPC;
    done += more > 0 ? more : 0;
    if (done == (ssize_t)size)
        return 0;
    if (done > 0 && sink->is_regular) {
        off_t end = lseek(sink->fd, 0, SEEK_END);

        if (end < done || ftruncate(sink->fd, end - done) < 0)
            rc = -EIO;
    }
    return rc;
}

/* Writes the queue in pieces that a pipe takes whole; -EAGAIN: it is full. */
static int
drain(struct output_file *sink, int timeout_ms)
{
    enum { PIECE = 4096 }; /* PIPE_BUF */

    while (sink->queue.size > 0) {
        size_t size = sink->queue.size < PIECE ? sink->queue.size : PIECE;
        int rc;

        if (!is_writable(sink, timeout_ms))
            return -EAGAIN;
        rc = write_whole(sink, sink->queue.text, size);
        if (rc < 0)
            return rc;
        memmove(sink->queue.text, sink->queue.text + size,
                sink->queue.size - size);
        sink->queue.size -= size;
    }
    return 0;
}

int
output_file_write(struct output_file *sink, const char *data, size_t size)
{
    int rc;

    if (sink->failed < 0) {
        sink->lost += size;
        return sink->failed;
    }
    if (sink->is_regular) {
        rc = write_whole(sink, data, size);
    } else if (sink->queue.size + size > QUEUE_LIMIT) {
        rc = -EAGAIN;
    } else {
        strbuf_append(&sink->queue, data, size);
        rc = drain(sink, 0);
        if (rc == -EAGAIN)
            rc = 0;
    }
    if (rc < 0) {
        sink->failed = rc;
        sink->lost += size;
    }
    return rc;
}

int
output_file_close(struct output_file *sink, int64_t wait_ns)
{
    int rc;

    if (sink->fd < 0)
        return 0;
    if (sink->failed == 0)
        sink->failed = drain(sink, (int)(wait_ns / NUM_NS_PER_MS));
    sink->lost += sink->queue.size;
    strbuf_done(&sink->queue);
    rc = sink->failed;
    if (close(sink->fd) < 0 && rc == 0)
        rc = -errno;
    sink->fd = -1;
    return rc;
}
