/* SPDX-License-Identifier: MIT */
/* Standard input as a file that can be read more than once. */
#ifndef PMON_COMMANDS_STANDARD_INPUT_H
#define PMON_COMMANDS_STANDARD_INPUT_H

#include "base/error.h"

/*
 * Replaces each `-` of files, which ends in NULL, by /dev/stdin.  Where that is
 * among them and is a pipe, what comes from it is copied to a file without a
 * name that takes its place: readers open a file by its name, and look at its
 * first bytes before.  0 or a negative errno with one line in error.
 */
int standard_input_prepare(char **files, struct error *error);

#endif
