/* SPDX-License-Identifier: MIT */
/*
 * Reads a log of psrecord or pmon row by row, however long it is.  A log may
 * have several runs; a new one begins with a header, or when the time falls
 * below half of the last one.
 */
#ifndef PMON_FORMATS_LOG_READER_H
#define PMON_FORMATS_LOG_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/bad_rows.h"
#include "formats/psrecord_log.h"
#include "formats/row_file.h"

struct log_reader {
    struct row_file rows;
    struct bad_rows *bad; /* the caller's */
    struct psrecord_layout layout;
    bool has_begun; /* it is a log: a header or a row was read */
    int64_t run;    /* number of the last row's run, from 1 */
    double last_s;  /* time of the last row */
    bool has_rows;  /* of that run */
};

int log_reader_open(struct log_reader *reader, const char *path,
                    struct bad_rows *bad, struct error *error);
void log_reader_close(struct log_reader *reader);

/*
 * The next good row: 0; 1 at the end; a negative errno, final, if the file
 * cannot be read or is not a log (-EINVAL).
 */
int log_reader_next(struct log_reader *reader, struct psrecord_row *ret_row,
                    struct error *error);

#endif
