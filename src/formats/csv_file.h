/* SPDX-License-Identifier: MIT */
/*
 * Records of a CSV file, read piece by piece: a file of GiB, sparse or not,
 * costs no more memory than its longest record.
 */
#ifndef PMON_FORMATS_CSV_FILE_H
#define PMON_FORMATS_CSV_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/csv_text.h"

struct csv_file {
    int fd;           /* -1: closed */
    const char *path; /* the caller's */
    struct strbuf piece;
    struct csv_text csv; /* of the piece; fields and line of the record */
    bool is_at_end;      /* nothing follows the piece */
};

/* Opens a regular file.  0 or a negative errno, -EINVAL for a pipe. */
int csv_file_open(struct csv_file *file, const char *path, struct error *error);
void csv_file_close(struct csv_file *file);

/*
 * The next record: 0; 1 at the end; -EBADMSG, without error, for a bad one,
 * which is skipped; another negative errno, final, if the file cannot be read.
 */
int csv_file_next(struct csv_file *file, struct error *error);

#endif
