/* SPDX-License-Identifier: MIT */
/* Reads one region file of a run's folder, and reports what is wrong in it. */
#ifndef PMON_RECORD_REGION_FILE_H
#define PMON_RECORD_REGION_FILE_H

#include "formats/region_rows.h"

/* Takes one row; 0, or a negative errno that ends the reading. */
typedef int region_file_take(const struct region_row *row, void *context);

/*
 * Gives each row of the file at path to take.  Bad rows, and a file that
 * cannot be read, are reported on stderr and cost nothing else.  0, or what
 * take returned.
 */
int region_file_read(const char *path, region_file_take *take, void *context);

#endif
