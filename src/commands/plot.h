/* SPDX-License-Identifier: MIT */
/* pmon plot: draws runs, to a file or in the terminal. */
#ifndef PMON_COMMANDS_PLOT_H
#define PMON_COMMANDS_PLOT_H

#include "commands/commands.h"

/* pmon plot FILE... [-o FILE] [options]. */
int plot_command(int argc, char **argv, const struct context *context,
                 struct error *error);

#endif
