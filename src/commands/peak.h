/* SPDX-License-Identifier: MIT */
/* pmon peak LOG…: the peak block of logs that exist. */
#ifndef PMON_COMMANDS_PEAK_H
#define PMON_COMMANDS_PEAK_H

#include "commands/commands.h"

/*
 * Prints one block a log on stdout, in order.  0; 1 when a log had no rows or
 * was none, said on stderr, the others printed all the same.
 */
int peak_command(int argc, char **argv, const struct context *context,
                 struct error *error);

#endif
