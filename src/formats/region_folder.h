/* SPDX-License-Identifier: MIT */
/* The region files of a folder: each NAME whose NAME_headers says so. */
#ifndef PMON_FORMATS_REGION_FOLDER_H
#define PMON_FORMATS_REGION_FOLDER_H

/*
 * Calls take with the path of each; stops at its first negative result, which
 * is returned.  Else 0, or the negative errno of a folder that cannot be read.
 */
int region_folder_each(const char *folder,
                       int (*take)(const char *path, void *context),
                       void *context);

#endif
