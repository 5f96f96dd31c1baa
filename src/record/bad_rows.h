/* SPDX-License-Identifier: MIT */
/*
 * The bad rows of one file: the first ones are reported, the others counted.
 * Reads region files this way.
 */
#ifndef PMON_RECORD_BAD_ROWS_H
#define PMON_RECORD_BAD_ROWS_H

#include <stdint.h>

#include "base/error.h"
#include "formats/region_rows.h"

struct bad_rows {
    int64_t count; /* 0 when a file begins */
};

/* Reports a bad row, unless twenty of this file were reported. */
void bad_rows_say(struct bad_rows *bad, const struct error *error);

/* The end of the file: reports how many more there were, if any. */
void bad_rows_end(const struct bad_rows *bad, const char *path);

/* Takes one row; 0, or a negative errno that ends the reading. */
typedef int region_file_take(const struct region_row *row, void *context);

/*
 * Gives each row of the file at path to take.  Bad rows, and a file that
 * cannot be read, are reported on stderr and cost nothing else.  0, or what
 * take returned.
 */
int region_file_read(const char *path, region_file_take *take, void *context);

#endif
