/* SPDX-License-Identifier: MIT */
/* Standard input as a file that can be read more than once. */
#ifndef PMON_COMMANDS_STANDARD_INPUT_H
#define PMON_COMMANDS_STANDARD_INPUT_H

#include "base/error.h"

/*
 * Replaces each `-` of files, which ends in NULL, by /dev/stdin.  If that is
 * used and is a pipe, copies it to a file in memory that replaces it, because
 * readers open a file by its name, after its first bytes were read. 0 or a
 * negative errno with one line in error.
 */
int standard_input_prepare(char **files, struct error *error);

#endif
