/* SPDX-License-Identifier: MIT */
/* The argument of a command that may be shown, and says what it works on. */
#ifndef PMON_HOST_COMMAND_ARGUMENT_H
#define PMON_HOST_COMMAND_ARGUMENT_H

#include <stdbool.h>

/*
 * The first argument that is a source file, or neither an option nor possibly
 * the value of one; else a data file behind an option, else a folder.  Of a
 * linker it is the output.  Never an argument with blanks, an assignment, or
 * what looks like a secret.  NULL without one.  The text is argv's.
 */
char *command_find_argument(char *const *argv);

/*
 * Whether an argument looks like a secret: a word such as `password`, a name
 * and a password before `@`, or a long run of hexadecimal or base64 digits.
 */
bool command_is_secret(const char *argument);

#endif
