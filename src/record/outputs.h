/* SPDX-License-Identifier: MIT */
/*
 * The files of a run: log, processes, profile CSV, summary.  Opened while the
 * step waits at its gate, so that a typo never wipes yesterday's files.  Write
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

/* How long a stuck reader may delay the end. */
enum { OUTPUTS_CLOSE_WAIT_MS = 2000 };

/* What in a name gives each run a file of its own. */
#define OUTPUTS_OWN_NAMES "%p, %r or %a"

/* A file with a row for each tick or more, which no other pmon writes. */
struct rows_file {
    char *path;              /* with its letters replaced; NULL: none */
    struct output_file file; /* fd -1: not open */
    bool has_header;
    int64_t rows; /* written */
};

struct outputs {
    struct rows_file log;
    struct rows_file processes;

    /* Names with their letters replaced; NULL: not asked for. */
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

/* Whether two names are those of one file, there or to be made; NULL: none. */
bool outputs_is_same(const char *a, const char *b);

/* Two outputs on one file are an error, whatever they are called. */
int outputs_check_distinct(const struct outputs *outputs, struct error *error);

/*
 * Opens and locks the files of rows and checks the folders of the others.
 * -EINTR: interrupted (by interrupted()) while a FIFO had no reader.
 */
int outputs_open(struct outputs *outputs, bool (*interrupted)(void *context),
                 void *context, struct error *error);

/* The step runs: the files of rows are emptied and begun. */
int outputs_begin(struct outputs *outputs, struct error *error);

/* The step does not run: all is left as it was. */
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

/* Closes a file of rows; reports what could not be written in the end. */
int outputs_end_rows(struct rows_file *rows, struct error *error);

/*
 * Appends block to the profile CSV, locked if possible, in one write.  Notes (0
 * to 2 lines without prefix) go to notes.  On failure the caller prints the
 * block.
 */
int outputs_append_peak(struct outputs *outputs, const char *block, size_t size,
                        int64_t start_epoch_ns, struct strbuf *notes,
                        struct error *error);

/* Whether a later summary takes the place of one, not a reader both. */
bool outputs_replaces_summary(const struct outputs *outputs);

/*
 * Writes the summary: a temporary file beside it, renamed.  Reports the same
 * failure only once.
 */
int outputs_write_summary(struct outputs *outputs, const char *text,
                          size_t size, struct error *error);

/* Removes the summary of an earlier run; whether there was one. */
bool outputs_remove_summary(const struct outputs *outputs);

/*
 * Writes a whole file: a temporary one beside it, renamed, with the mode and
 * owner of the one that it replaces; pipes and devices directly, and a file
 * where that is impossible.  0 or a negative errno.
 */
int outputs_write_file(const char *path, const char *text, size_t size);

/*
 * Why a write has failed, as error_name; for pipes, what is wrong with the
 * reader.
 */
const char *outputs_reason(int rc);

/* Whether path can be written, or made. */
int outputs_check_writable(const char *path, struct error *error);

void outputs_done(struct outputs *outputs);

#endif
