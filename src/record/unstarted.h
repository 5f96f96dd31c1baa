/* SPDX-License-Identifier: MIT */
/* Words for a command that could not be executed. */
#ifndef PMON_RECORD_UNSTARTED_H
#define PMON_RECORD_UNSTARTED_H

#include "base/error.h"

/*
 * Fills error for argv, which execve(2) refused with the errno failed;
 * path_list is the PATH that it was looked up in, shell how a line for the
 * shell is given to pmon.  Returns STATUS_NOT_FOUND or STATUS_NOT_EXECUTABLE.
 */
int unstarted_error(char *const *argv, const char *path_list, int failed,
                    const char *shell, struct error *error);

#endif
