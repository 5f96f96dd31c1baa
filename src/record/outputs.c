/* SPDX-License-Identifier: MIT */
/* Opens the files of a recorder, writes and closes its log. */
#include "record/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/message.h"
#include "base/num.h"
#include "formats/jsonl_log.h"
#include "formats/psrecord_log.h"

/*
 * Descriptors that were passed to pmon are not close-on-exec.  Those of pmon
 * itself are: /dev/null for a closed standard stream, the step's gate, and
 * others.
 */
static int
check_descriptor(const char *path, struct error *error)
{
    int fd = output_file_named_descriptor(path);
    int flags = fd >= 0 ? fcntl(fd, F_GETFD) : 0;

    if (flags >= 0 && (flags & FD_CLOEXEC) == 0)
        return 0;
    return error_set(error, -EBADF, "%s: is closed", path);
}

static int
check_output(const char *path, struct error *error)
{
    int rc = check_descriptor(path, error);

    return rc < 0 ? rc : outputs_check_writable(path, error);
}

/* Opens the log; waits for the reader of a FIFO until interrupted. */
static int
open_log(struct outputs *outputs, bool (*interrupted)(void *context),
         void *context)
{
    struct timespec pause = {.tv_nsec = 20 * NUM_NS_PER_MS};
    int rc;

    while ((rc = output_file_open(&outputs->log, outputs->log_path,
                                  O_APPEND)) == -ENXIO) {
        if (interrupted(context))
            return -EINTR;
        nanosleep(&pause, NULL);
    }
    return rc;
}

static int
begin_log(struct outputs *outputs, struct error *error)
{
    int rc;

    strbuf_reset(&outputs->line);
    if (outputs->log_format != LOG_JSONL)
        psrecord_log_header(&outputs->line, outputs->log_format,
                            outputs->with_io);
    outputs->has_header = true;
    rc = output_file_write(&outputs->log, strbuf_text(&outputs->line),
                           outputs->line.size);
    if (rc < 0)
        return error_unwritable(error, rc, outputs->log_path);
    return 0;
}

/*
 * Two pmons that write one log would mix their rows.  The one that is refused
 * leaves the file alone, even if it created it.  A file system without locks is
 * reported even with -q, because mixed rows may be noticed much later.
 */
static int
lock_log(struct outputs *outputs, struct error *error)
{
    int rc = output_file_lock(&outputs->log);

    if (rc == -EWOULDBLOCK) {
        output_file_close(&outputs->log, 0);
        return error_set(error, rc, "another pmon is writing %s: use %s",
                         outputs->log_path, outputs->way_out);
    }
    if (rc < 0)
        message_print(
            "%s: cannot be locked: %s; pmon cannot tell whether another pmon "
            "is writing to it, so give each run its own log",
            outputs->log_path, error_name(rc));
    return 0;
}

int
outputs_open(struct outputs *outputs, bool (*interrupted)(void *context),
             void *context, struct error *error)
{
    int rc = 0;

    if (outputs->profile_path != NULL)
        rc = check_output(outputs->profile_path, error);
    if (rc == 0 && outputs->summary_path != NULL)
        rc = check_output(outputs->summary_path, error);
    if (rc == 0 && outputs->plot_path != NULL)
        rc = check_output(outputs->plot_path, error);
    if (rc < 0 || outputs->log_path == NULL)
        return rc;

    rc = check_descriptor(outputs->log_path, error);
    if (rc < 0)
        return rc;
    rc = open_log(outputs, interrupted, context);
    if (rc < 0)
        return error_unwritable(error, rc, outputs->log_path);
    rc = lock_log(outputs, error);
    if (rc < 0)
        return rc;
    rc = outputs_check_distinct(outputs, error);
    if (rc < 0)
        return rc;
    /* Begins an empty file now, to find errors before the step starts. */
    if (!outputs->log.is_regular || outputs->log.size == 0)
        rc = begin_log(outputs, error);
    return rc;
}

int
outputs_begin(struct outputs *outputs, struct error *error)
{
    int rc;

    if (outputs->log.fd < 0 || outputs->has_header)
        return 0;
    rc = output_file_truncate(&outputs->log);
    if (rc < 0)
        return error_set(error, rc, "%s: cannot be emptied: %s",
                         outputs->log_path, error_name(rc));
    return begin_log(outputs, error);
}

void
outputs_abandon(struct outputs *outputs)
{
    if (outputs->log.fd < 0)
        return;
    output_file_take_back(&outputs->log);
    if (outputs->log.was_made && outputs->log.is_regular)
        unlink(outputs->log_path);
    output_file_close(&outputs->log, 0);
}

const char *
outputs_reason(int rc)
{
    if (rc == -ENXIO)
        return "no process reads it";
    return rc == -EAGAIN ? "its reader is too slow" : error_name(rc);
}

int
outputs_row(struct outputs *outputs, const struct row *row, struct error *error)
{
    int failed = outputs->log.failed;
    int rc;

    if (outputs->log.fd < 0)
        return 0;
    strbuf_reset(&outputs->line);
    if (outputs->log_format == LOG_JSONL)
        jsonl_log_row(&outputs->line, outputs->with_io, row);
    else
        psrecord_log_row(&outputs->line, outputs->log_format, outputs->with_io,
                         row);
    rc = output_file_write(&outputs->log, strbuf_text(&outputs->line),
                           outputs->line.size);
    if (rc == 0)
        outputs->rows++;
    if (rc == 0 || failed < 0)
        return 0;
    return error_set(error, rc, "%s: %s; the step goes on, later rows are lost",
                     outputs->log_path, error_name(rc));
}

int
outputs_end_log(struct outputs *outputs, struct error *error)
{
    int failed = outputs->log.failed;
    const char *gone = NULL;
    int rc;

    if (outputs->log.fd < 0)
        return 0;
    if (output_file_is_removed(&outputs->log))
        gone = "was removed while the step ran, its rows are lost";
    else if (output_file_is_elsewhere(&outputs->log, outputs->log_path))
        gone =
            "was renamed while the step ran, its rows are in the renamed file";
    rc =
        output_file_close(&outputs->log, OUTPUTS_CLOSE_WAIT_MS * NUM_NS_PER_MS);
    outputs->log.failed = gone != NULL ? -ENOENT : rc;
    if (gone != NULL)
        return error_set(error, -ENOENT, "%s: %s", outputs->log_path, gone);
    if (rc == 0 || failed < 0)
        return 0;
    return error_set(error, rc, "%s: %s; its last %zu bytes are lost",
                     outputs->log_path, outputs_reason(rc), outputs->log.lost);
}

void
outputs_done(struct outputs *outputs)
{
    output_file_close(&outputs->log, 0);
    free(outputs->log_path);
    free(outputs->profile_path);
    free(outputs->summary_path);
    free(outputs->plot_path);
    strbuf_done(&outputs->line);
    *outputs = (struct outputs){.log.fd = -1};
}
