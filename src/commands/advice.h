/* SPDX-License-Identifier: MIT */
/* Advice for command lines that pmon does not accept. */
#ifndef PMON_COMMANDS_ADVICE_H
#define PMON_COMMANDS_ADVICE_H

#include "base/error.h"
#include "record/options.h"

/*
 * The error for a command line with a word at argv[at] that is not an option
 * and has no -- before it.  Always -EINVAL.
 */
int advice_word(int argc, char **argv, int at, struct error *error);

/* Prints a line for each option that has no effect on this run. */
void advice_say_idle(const struct options *options);

#endif
