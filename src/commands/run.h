/* SPDX-License-Identifier: MIT */
/*
 * The main job: run a step, or follow a process that runs, and record it.
 * The loop pulls rows: while ((rc = run_next(&run, &row)) == 0) …
 */
#ifndef PMON_COMMANDS_RUN_H
#define PMON_COMMANDS_RUN_H

#include "base/error.h"
#include "commands/commands.h"

/*
 * pmon [OPTIONS] -- COMMAND, pmon [OPTIONS] --pid PID.  Returns the status
 * pmon is to exit with, or a negative errno with error filled when the step
 * was not started; may not return when the step was ended by a signal.
 */
int run_command(int argc, char **argv, const struct context *context,
                struct error *error);

#endif
