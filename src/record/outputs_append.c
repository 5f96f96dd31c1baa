/* SPDX-License-Identifier: MIT */
/* Appends the peak block to a profile CSV, which others may also write. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "record/outputs.h"

/* How long another pmon may hold the lock of a profile CSV. */
static const int64_t lock_wait_ns = 10 * NUM_NS_PER_S;
/* File times come from the kernel's coarse clock, which lags behind. */
static const int64_t coarse_ns = 20 * NUM_NS_PER_MS;

/* Tries to take the lock; adds a note if it cannot. */
static void
lock_profile(struct output_file *sink, const char *path,
             const struct clock_source *clock, struct strbuf *notes)
{
    struct timespec pause = {.tv_nsec = 10 * NUM_NS_PER_MS};
    int64_t begin_ns = clock_now(clock, CLOCK_MONOTONIC);
    int rc;

    while ((rc = output_file_lock(sink)) == -EWOULDBLOCK) {
        if (clock_now(clock, CLOCK_MONOTONIC) - begin_ns >= lock_wait_ns) {
            strbuf_printf(notes,
                          "%s: locked by another process for 10 s, "
                          "appended without the lock\n",
                          path);
            return;
        }
        nanosleep(&pause, NULL);
    }
    if (rc < 0)
        strbuf_printf(notes,
                      "%s: cannot be locked: %s, appended without the lock\n",
                      path, error_name(rc));
}

/* Adds a note if the file was missing or is older than this run. */
static void
look_at_profile(const struct output_file *sink, const char *path,
                int64_t start_epoch_ns, struct strbuf *notes)
{
    struct stat st;
    int64_t changed_ns;

    if (!sink->is_regular || fstat(sink->fd, &st) < 0)
        return;
    changed_ns = st.st_mtim.tv_sec * NUM_NS_PER_S + st.st_mtim.tv_nsec;
    if (sink->was_made)
        strbuf_printf(notes, "%s: did not exist, created with only the peak\n",
                      path);
    else if (st.st_size > 0 && changed_ns + coarse_ns < start_epoch_ns)
        strbuf_printf(notes, "%s is older than this run\n", path);
}

static bool
lacks_line_end(const struct output_file *sink, const char *path)
{
    FD_AUTO fd = -1;
    struct stat st;
    char last;

    if (!sink->is_regular || fstat(sink->fd, &st) < 0 || st.st_size == 0)
        return false;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd >= 0 && pread(fd, &last, 1, st.st_size - 1) == 1 && last != '\n';
}

int
outputs_append_peak(struct outputs *outputs, const char *block, size_t size,
                    int64_t start_epoch_ns, struct strbuf *notes,
                    struct error *error)
{
    const char *path = outputs->profile_path;
    STRBUF_AUTO text = {0};
    struct output_file sink;
    int rc = output_file_open_waiting(&sink, path, O_APPEND, outputs->clock);

    if (rc == 0) {
        lock_profile(&sink, path, outputs->clock, notes);
        look_at_profile(&sink, path, start_epoch_ns, notes);
        if (lacks_line_end(&sink, path))
            strbuf_putc(&text, '\n');
        strbuf_append(&text, block, size);
        rc = output_file_write(&sink, strbuf_text(&text), text.size);
        if (output_file_close(&sink, OUTPUTS_CLOSE_WAIT_MS * NUM_NS_PER_MS) <
                0 &&
            rc == 0)
            rc = sink.failed;
    }
    if (rc == 0)
        return 0;
    return error_set(error, rc, "%s: the peak cannot be appended: %s", path,
                     outputs_reason(rc));
}
