/* SPDX-License-Identifier: MIT */
/* Reads the region files of a folder, and reports what is wrong in them. */
#ifndef PMON_RECORD_REGION_FOLDER_H
#define PMON_RECORD_REGION_FOLDER_H

#include "formats/region_rows.h"

/* Takes one row; 0, or a negative errno that ends the reading. */
typedef int region_folder_take(const struct region_row *row, void *context);

/*
 * Gives each row of each region file of the folder to take.  Bad rows, and a
 * file that cannot be read, are reported on stderr and cost nothing else.
 * 0, what take returned, or the negative errno of a folder that cannot be read.
 */
int region_folder_read(const char *folder, region_folder_take *take,
                       void *context);

#endif
