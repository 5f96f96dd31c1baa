/* SPDX-License-Identifier: MIT */
/* The summaries of a folder and of the folders in it. */
#ifndef PMON_COMMANDS_SUMMARY_FOLDER_H
#define PMON_COMMANDS_SUMMARY_FOLDER_H

#include "base/error.h"

/*
 * Calls visit for each, in the order of names, until it returns a negative
 * errno, which is returned; links to folders are not followed.  A folder
 * without a summary is an error.
 */
int summary_folder_read(const char *path,
                        int (*visit)(const char *path, void *context,
                                     struct error *error),
                        void *context, struct error *error);

#endif
