/* SPDX-License-Identifier: MIT */
/* pmon region: marks a phase of a shell script. */
#ifndef PMON_COMMANDS_REGION_H
#define PMON_COMMANDS_REGION_H

#include "commands/commands.h"

/*
 * pmon region NAME -- COMMAND…, pmon region --begin NAME, --end NAME.  The
 * status is the command's; may not return when a signal ended it.
 */
int region_command(int argc, char **argv, const struct context *context,
                   struct error *error);

#endif
