/* SPDX-License-Identifier: MIT */
/* Words for a command that could not be executed. */
#ifndef PMON_RECORD_UNSTARTED_H
#define PMON_RECORD_UNSTARTED_H

#include "base/error.h"

/*
 * Fills error for argv, on which execve(2) failed with errno failed; path_list
 * is the PATH that was searched, shell the way to pass a shell line to pmon.
 * Returns STATUS_NOT_FOUND or STATUS_NOT_EXECUTABLE.
 */
int unstarted_error(char *const *argv, const char *path_list, int failed,
                    const char *shell, struct error *error);

#endif
