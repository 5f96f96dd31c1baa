/* SPDX-License-Identifier: MIT */
/*
 * The file of --processes: a header, then a row for each process and tick whose
 * figures have changed; see pmon-formats(5).
 */
#ifndef PMON_FORMATS_PROCESS_ROWS_H
#define PMON_FORMATS_PROCESS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "formats/bad_rows.h"
#include "formats/csv_text.h"
#include "formats/row_file.h"
#include "model/process_row.h"

/* Appends the line with the names of the columns. */
void process_rows_header(struct strbuf *out);

/* Whether a line, without its line end, is that header. */
bool process_rows_is_header(const char *line, size_t size);

/*
 * Appends a row as one line: control characters and invalid UTF-8 in the
 * command become '?'.
 */
void process_row_append(struct strbuf *out, const struct process_row *row);

struct process_reader {
    struct row_file rows;
    struct csv_text csv;
    struct bad_rows *bad; /* the caller's */
    int64_t run;     /* number of the current run, from 1; 0: no header yet */
    int64_t last_ns; /* of the last row of this run; NUM_UNKNOWN */
};

int process_reader_open(struct process_reader *reader, const char *path,
                        struct bad_rows *bad, struct error *error);
void process_reader_close(struct process_reader *reader);

/*
 * Counts the runs that have rows, and goes back to the beginning.  Negative if
 * the file cannot be read, with error.
 */
int64_t process_reader_count_runs(struct process_reader *reader,
                                  struct error *error);

/*
 * The next row, whose command is valid until the next call: 0; 1 at the end; a
 * negative errno, final, if the file cannot be read or is not such a file
 * (-EINVAL).  Bad and incomplete lines are reported to bad and skipped.
 */
int process_reader_next(struct process_reader *reader,
                        struct process_row *ret_row, struct error *error);

#endif
