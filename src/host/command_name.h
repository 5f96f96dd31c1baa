/* SPDX-License-Identifier: MIT */
/*
 * The names of a command, without what may be a secret.  Pure functions on an
 * argument list that ends with NULL and has argv[0].
 */
#ifndef PMON_HOST_COMMAND_NAME_H
#define PMON_HOST_COMMAND_NAME_H

#include <stddef.h>

#include "base/strbuf.h"

/*
 * Appends the name of the program, as people look for it: the base name of
 * argv[0]; of a known interpreter also the base name of its script, or
 * `-m MODULE`: `train`, `python3 work.py`.  Nothing for code on the command
 * line.
 */
void command_name(struct strbuf *out, char *const *argv);

/*
 * Appends what distinguishes this process from others of the same program:
 * the base name and one argument as it was given: `cc1 src/main.c`,
 * `python3 dir/work.py`, `make check`.
 */
void command_label(struct strbuf *out, char *const *argv);

/* The same as a list that ends with NULL; its texts are argv's. */
void command_arguments(char *const *argv, char *shown[3]);

/*
 * Appends the name of the program, as command_name gives it, from a label.
 * Labels of one program have the same group: `cc1` of `cc1 src/main.c`.
 */
void command_group(struct strbuf *out, const char *label);

/*
 * Splits the text of /proc/PID/cmdline, size bytes and a NUL byte behind them,
 * into at most room - 1 arguments and NULL.  Returns how many.
 */
size_t command_split(char *text, size_t size, char **argv, size_t room);

#endif
