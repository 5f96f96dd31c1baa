/* SPDX-License-Identifier: MIT */
/*
 * Reads a text file line by line, however long it is: logs, profiles and .dat
 * files of mprof.  For quoted CSV, whose rows may span lines, see csv_file.h.
 */
#ifndef PMON_FORMATS_ROW_FILE_H
#define PMON_FORMATS_ROW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

struct row_file {
    FILE *file;
    const char *path; /* the caller's */
    char *line;       /* NUL-terminated, without its line end */
    size_t size;      /* of the line, which may have NUL bytes */
    size_t allocated;
    int64_t line_number; /* from 1 */
    bool is_torn;        /* the line has no end: the file was cut */
};

/* 0, or a negative errno with error.  Close it in any case. */
int row_file_open(struct row_file *rows, const char *path, struct error *error);
void row_file_close(struct row_file *rows);

/* The next line: 0; 1 at the end; a negative errno, final, with error. */
int row_file_next(struct row_file *rows, struct error *error);

/* Goes back to the first line; the next call reports errors. */
void row_file_rewind(struct row_file *rows);

/* Sets the error for a last line that was cut; returns -EBADMSG. */
int row_file_torn(const struct row_file *rows, struct error *error);

#endif
