/* SPDX-License-Identifier: MIT */
/*
 * Region files as libpmon(3) writes them, in both styles, and their header
 * files, older ones too; see pmon-formats(5).
 */
#ifndef PMON_FORMATS_REGION_ROWS_H
#define PMON_FORMATS_REGION_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/bad_rows.h"
#include "formats/csv_file.h"

struct region_row {
    const char *name;    /* valid until the next row; hostile */
    int64_t start_ns;    /* CLOCK_REALTIME since the epoch */
    int64_t duration_ns; /* CLOCK_MONOTONIC */
};

struct region_reader {
    struct csv_file file;
    struct bad_rows *bad; /* the caller's */
};

/* Whether a line of NAME_headers belongs to a region file. */
bool region_rows_is_header(const char *text, size_t size);

/* Parses a record: 0 or -EBADMSG. */
int region_row_parse(const struct csv_text *csv, struct region_row *ret_row);

int region_reader_open(struct region_reader *reader, const char *path,
                       struct bad_rows *bad, struct error *error);
void region_reader_close(struct region_reader *reader);

/*
 * The next good row: 0; 1 at the end; a negative errno, final, if the file
 * cannot be read.
 */
int region_reader_next(struct region_reader *reader, struct region_row *ret_row,
                       struct error *error);

#endif
