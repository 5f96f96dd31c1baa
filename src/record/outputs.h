/* SPDX-License-Identifier: MIT */
/*
 * The files of a run: log, processes, profile CSV, summary.  Opened while the
 * step waits at its gate, so that a typo never destroys old files.  Write
 * errors never affect the step.
 */
#ifndef PMON_RECORD_OUTPUTS_H
#define PMON_RECORD_OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/output_file.h"
#include "host/names.h"
#include "model/process_row.h"
#include "record/options.h"

/* How long a blocked reader may delay the end. */
enum { OUTPUTS_CLOSE_WAIT_MS = 2000 };

/* Letters that give each run its own file. */
#define OUTPUTS_OWN_NAMES "%p, %r or %a"

/* A file with a row for each tick or more, which no other pmon writes. */
struct rows_file {
    char *path;              /* expanded; NULL: none */
    struct output_file file; /* fd -1: not open */
    bool has_header;
    int64_t rows; /* written */
};

struct outputs {
    struct rows_file log;
    struct rows_file processes;

    /* Expanded names; NULL: not requested. */
    char *profile_path;
    char *summary_path;
    char *plot_path;

    const struct clock_source *clock;

    enum log_format log_format;
    const char *way_out; /* how to get a log that no other pmon writes */
    bool with_io;
    struct strbuf line;
    bool profile_is_appended;
    int summary_failed; /* negative errno of the last write, reported once */
};

/*
 * Replaces the letters of all names and makes the folder of --results.  With
 * pid 0, before the fork, it only checks them.
 */
int outputs_name(struct outputs *outputs, const struct options *options,
                 const struct names *names, struct error *error);

/*
 * Whether two names mean the same file, even if it does not exist yet; NULL is
 * no file.
 */
bool outputs_is_same(const char *a, const char *b);

/* Two outputs to one file are an error, whatever its names. */
int outputs_check_distinct(const struct outputs *outputs, struct error *error);

/*
 * Opens and locks the files of rows and checks the folders of the others.
 * -EINTR: interrupted (by interrupted()) while a FIFO had no reader.
 */
int outputs_open(struct outputs *outputs, bool (*interrupted)(void *context),
                 void *context, struct error *error);

/* Call when the step runs: truncates and begins the files of rows. */
int outputs_begin(struct outputs *outputs, struct error *error);

/* Call if the step does not run: leaves all files unchanged. */
void outputs_abandon(struct outputs *outputs);

/* Appends a row.  A failure is reported once; then rows are dropped. */
int outputs_row(struct outputs *outputs, const struct row *row,
                struct error *error);

/*
 * Appends the rows of the processes of one tick, in one write.  A failure is
 * reported once; then rows are dropped.
 */
int outputs_processes(struct outputs *outputs, const struct process_row *rows,
                      size_t count, struct error *error);

/* Closes a file of rows; reports rows that could not be written. */
int outputs_end_rows(struct rows_file *rows, struct error *error);

/*
 * Appends block to the profile CSV, locked if possible, in one write.  Notes (0
 * to 2 lines without prefix) go to notes.  On failure the caller prints the
 * block.
 */
int outputs_append_peak(struct outputs *outputs, const char *block, size_t size,
                        int64_t start_epoch_ns, struct strbuf *notes,
                        struct error *error);

/*
 * Whether a later summary replaces the first, instead of a reader getting both.
 */
bool outputs_replaces_summary(const struct outputs *outputs);

/*
 * Writes the summary: a temporary file beside it, renamed.  Reports the same
 * failure only once.
 */
int outputs_write_summary(struct outputs *outputs, const char *text,
                          size_t size, struct error *error);

/* Removes the summary of an earlier run; returns whether there was one. */
bool outputs_remove_summary(const struct outputs *outputs);

/*
 * Writes a whole file: a temporary one beside it, renamed, with the mode and
 * owner of the old one; directly if it is a pipe or a device, or cannot be
 * replaced. 0 or a negative errno.
 */
int outputs_write_file(const char *path, const char *text, size_t size);

/* The reason of a failed write, as error_name; for pipes, about the reader. */
const char *outputs_reason(int rc);

/* Whether path can be written or created. */
int outputs_check_writable(const char *path, struct error *error);

void outputs_done(struct outputs *outputs);

#endif
