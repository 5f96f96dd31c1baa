/* SPDX-License-Identifier: MIT */
/* Opens the files of a recorder, writes and closes those of rows. */
#include "record/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/message.h"
#include "base/num.h"
#include "formats/jsonl_log.h"
#include "formats/process_rows.h"
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

/* Opens it; waits for the reader of a FIFO until interrupted. */
static int
open_file(struct rows_file *rows, bool (*interrupted)(void *context),
          void *context)
{
    struct timespec pause = {.tv_nsec = 20 * NUM_NS_PER_MS};
    int rc;

    while ((rc = output_file_open(&rows->file, rows->path, O_APPEND)) ==
           -ENXIO) {
        if (interrupted(context))
            return -EINTR;
        nanosleep(&pause, NULL);
    }
    return rc;
}

/* The names of the columns, if the format has them. */
static int
begin_rows(struct outputs *outputs, struct rows_file *rows, struct error *error)
{
    int rc;

    strbuf_reset(&outputs->line);
    if (rows == &outputs->processes)
        process_rows_header(&outputs->line);
    else if (outputs->log_format != LOG_JSONL)
        psrecord_log_header(&outputs->line, outputs->log_format,
                            outputs->with_io);
    rows->has_header = true;
    rc = output_file_write(&rows->file, strbuf_text(&outputs->line),
                           outputs->line.size);
    if (rc < 0)
        return error_unwritable(error, rc, rows->path);
    return 0;
}

/*
 * Two pmons that write one file would mix their rows.  The one that is refused
 * leaves the file alone, even if it created it.  A file system without locks is
 * reported even with -q, because mixed rows may be noticed much later.
 */
static int
lock_rows(const struct outputs *outputs, struct rows_file *rows,
          struct error *error)
{
    int rc = output_file_lock(&rows->file);

    if (rc == -EWOULDBLOCK) {
        output_file_close(&rows->file, 0);
        return error_set(
            error, rc, "another pmon is writing %s: use %s", rows->path,
            rows == &outputs->processes ? OUTPUTS_OWN_NAMES : outputs->way_out);
    }
    if (rc < 0)
        message_print(
            "%s: cannot be locked: %s; pmon cannot tell whether another pmon "
            "is writing to it, so give each run its own %s",
            rows->path, error_name(rc),
            rows == &outputs->processes ? "file" : "log");
    return 0;
}

static int
open_rows(struct outputs *outputs, struct rows_file *rows,
          bool (*interrupted)(void *context), void *context,
          struct error *error)
{
    int rc;

    if (rows->path == NULL)
        return 0;
    rc = check_descriptor(rows->path, error);
    if (rc < 0)
        return rc;
    rc = open_file(rows, interrupted, context);
    if (rc < 0)
        return error_unwritable(error, rc, rows->path);
    rc = lock_rows(outputs, rows, error);
    return rc < 0 ? rc : outputs_check_distinct(outputs, error);
}

/* Begins an empty file now, to find errors before the step starts. */
static int
begin_empty(struct outputs *outputs, struct rows_file *rows,
            struct error *error)
{
    if (rows->path == NULL || (rows->file.is_regular && rows->file.size > 0))
        return 0;
    return begin_rows(outputs, rows, error);
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
    if (rc == 0)
        rc = open_rows(outputs, &outputs->log, interrupted, context, error);
    if (rc == 0)
        rc = open_rows(outputs, &outputs->processes, interrupted, context,
                       error);
    if (rc == 0)
        rc = begin_empty(outputs, &outputs->log, error);
    if (rc == 0)
        rc = begin_empty(outputs, &outputs->processes, error);
    return rc;
}

static int
restart_rows(struct outputs *outputs, struct rows_file *rows,
             struct error *error)
{
    int rc;

    if (rows->file.fd < 0 || rows->has_header)
        return 0;
    rc = output_file_truncate(&rows->file);
    if (rc < 0)
        return error_set(error, rc, "%s: cannot be emptied: %s", rows->path,
                         error_name(rc));
    return begin_rows(outputs, rows, error);
}

int
outputs_begin(struct outputs *outputs, struct error *error)
{
    struct error second = {0};
    int rc = restart_rows(outputs, &outputs->log, error);

    if (restart_rows(outputs, &outputs->processes, &second) < 0 && rc == 0)
        rc = error_set(error, -EIO, "%s", second.text);
    return rc;
}

static void
abandon_rows(struct rows_file *rows)
{
    if (rows->file.fd < 0)
        return;
    output_file_take_back(&rows->file);
    if (rows->file.was_made && rows->file.is_regular)
        unlink(rows->path);
    output_file_close(&rows->file, 0);
}

void
outputs_abandon(struct outputs *outputs)
{
    abandon_rows(&outputs->log);
    abandon_rows(&outputs->processes);
}

const char *
outputs_reason(int rc)
{
    if (rc == -ENXIO)
        return "no process reads it";
    return rc == -EAGAIN ? "its reader is too slow" : error_name(rc);
}

/* Writes what is in the line: so many rows. */
static int
write_rows(struct outputs *outputs, struct rows_file *rows, int64_t count,
           struct error *error)
{
    int failed = rows->file.failed;
    int rc = output_file_write(&rows->file, strbuf_text(&outputs->line),
                               outputs->line.size);

    if (rc == 0)
        rows->rows += count;
    if (rc == 0 || failed < 0)
        return 0;
    return error_set(error, rc, "%s: %s; the step goes on, later rows are lost",
                     rows->path, error_name(rc));
}

int
outputs_row(struct outputs *outputs, const struct row *row, struct error *error)
{
    if (outputs->log.file.fd < 0)
        return 0;
    strbuf_reset(&outputs->line);
    if (outputs->log_format == LOG_JSONL)
        jsonl_log_row(&outputs->line, outputs->with_io, row);
    else
        psrecord_log_row(&outputs->line, outputs->log_format, outputs->with_io,
                         row);
    return write_rows(outputs, &outputs->log, 1, error);
}

int
outputs_processes(struct outputs *outputs, const struct process_row *rows,
                  size_t count, struct error *error)
{
    if (outputs->processes.file.fd < 0 || count == 0)
        return 0;
    strbuf_reset(&outputs->line);
    for (size_t i = 0; i < count; i++)
        process_row_append(&outputs->line, &rows[i]);
    return write_rows(outputs, &outputs->processes, (int64_t)count, error);
}

int
outputs_end_rows(struct rows_file *rows, struct error *error)
{
    int failed = rows->file.failed;
    const char *gone = NULL;
    int rc;

    if (rows->file.fd < 0)
        return 0;
    if (output_file_is_removed(&rows->file))
        gone = "was removed while the step ran, its rows are lost";
    else if (output_file_is_elsewhere(&rows->file, rows->path))
        gone =
            "was renamed while the step ran, its rows are in the renamed file";
    rc = output_file_close(&rows->file, OUTPUTS_CLOSE_WAIT_MS * NUM_NS_PER_MS);
    rows->file.failed = gone != NULL ? -ENOENT : rc;
    if (gone != NULL)
        return error_set(error, -ENOENT, "%s: %s", rows->path, gone);
    if (rc == 0 || failed < 0)
        return 0;
    return error_set(error, rc, "%s: %s; its last %zu bytes are lost",
                     rows->path, outputs_reason(rc), rows->file.lost);
}

void
outputs_done(struct outputs *outputs)
{
    output_file_close(&outputs->log.file, 0);
    output_file_close(&outputs->processes.file, 0);
    free(outputs->log.path);
    free(outputs->processes.path);
    free(outputs->profile_path);
    free(outputs->summary_path);
    free(outputs->plot_path);
    strbuf_done(&outputs->line);
    *outputs = (struct outputs){.log.file.fd = -1, .processes.file.fd = -1};
}
