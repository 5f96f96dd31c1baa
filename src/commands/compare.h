/* SPDX-License-Identifier: MIT */
/* pmon compare: what changed from one set of runs to another. */
#ifndef PMON_COMMANDS_COMPARE_H
#define PMON_COMMANDS_COMPARE_H

#include "commands/commands.h"

int compare_command(int argc, char **argv, const struct context *context,
                    struct error *error);

#endif
