/* SPDX-License-Identifier: MIT */
/*
 * A file that pmon writes.  It is opened as the shell's > and >> open it, so
 * links, pipes and /dev/stderr work.  Only regular files are locked, truncated
 * and rolled back.  A write never blocks for long, even if the reader is stuck.
 */
#ifndef PMON_BASE_OUTPUT_FILE_H
#define PMON_BASE_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/clock.h"
#include "base/strbuf.h"

struct output_file {
    int fd;
    bool is_regular;
    bool was_made;       /* by output_file_open */
    off_t size;          /* at the open */
    int failed;          /* negative errno of the write that failed first */
    size_t lost;         /* bytes given up */
    struct strbuf queue; /* for a reader that is slow */
};

/*
 * The descriptor that /dev/stdout, /dev/stderr, /dev/fd/N or /proc/self/fd/N
 * names, which is used as it is; -1 for any other path.
 */
int output_file_named_descriptor(const char *path);

/*
 * Opens path for writing without truncating it.  0 or a negative errno: -ENXIO
 * for a FIFO without a reader.
 */
int output_file_open(struct output_file *sink, const char *path, int flags);

/* The same, but waits 3 s for a reader of a FIFO. */
int output_file_open_waiting(struct output_file *sink, const char *path,
                             int flags, const struct clock_source *clock);

/*
 * Closes it, after trying for at most wait_ns to write what is queued.
 * Returns 0 or the negative errno of the first failure.
 */
int output_file_close(struct output_file *sink, int64_t wait_ns);

/* Locks a regular file, see file_lock; 0 for anything else. */
int output_file_lock(struct output_file *sink);

/* Drops the content of a regular file. */
int output_file_truncate(struct output_file *sink);

/* Rolls back to the size at the open. */
void output_file_take_back(struct output_file *sink);

/*
 * Writes data in one piece.  After a failure nothing more is written.  A
 * regular file that took only a part is truncated to its last whole row. 0 or
 * the negative errno, which also stays in failed.
 */
int output_file_write(struct output_file *sink, const char *data, size_t size);

/* Whether a regular file was unlinked. */
bool output_file_is_removed(const struct output_file *sink);

/* Whether the path of a regular file now names another file, or none. */
bool output_file_is_elsewhere(const struct output_file *sink, const char *path);

#endif
