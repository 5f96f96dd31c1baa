/* SPDX-License-Identifier: MIT */
/* The files of a folder and of the folders in it; its summaries. */
#ifndef PMON_COMMANDS_SUMMARY_FOLDER_H
#define PMON_COMMANDS_SUMMARY_FOLDER_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Calls visit for each regular file that is wanted, in the order of names,
 * hidden ones left out, until it returns a negative errno, which is returned;
 * links to folders are not followed.  Else how many there were, without those
 * for which it returned -ENOMSG, as they are none of pmon's.
 */
int summary_folder_each(const char *path, bool (*is_wanted)(const char *path),
                        int (*visit)(const char *path, void *context,
                                     struct error *error),
                        void *context, struct error *error);

/* Whether the file at path is a summary, by its name and its beginning. */
bool summary_folder_has(const char *path);

/* The same for the summaries: 0, and a folder without one is an error. */
int summary_folder_read(const char *path,
                        int (*visit)(const char *path, void *context,
                                     struct error *error),
                        void *context, struct error *error);

#endif
