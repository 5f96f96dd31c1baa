/* SPDX-License-Identifier: MIT */
/* psrecord's command line, for `alias psrecord='pmon psrecord'`. */
#ifndef PMON_COMMANDS_PSRECORD_H
#define PMON_COMMANDS_PSRECORD_H

#include "commands/commands.h"

/*
 * pmon psrecord PID|COMMAND [OPTIONS]: the main job with psrecord's defaults.
 * Returns the status of the step, of a process that ran already 0; may not
 * return when the step was ended by a signal.
 */
int psrecord_command(int argc, char **argv, const struct context *context,
                     struct error *error);

#endif
