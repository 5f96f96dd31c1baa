/* SPDX-License-Identifier: MIT */
/* pmon without the name of a command: record a step. */
#ifndef PMON_COMMANDS_MAIN_JOB_H
#define PMON_COMMANDS_MAIN_JOB_H

#include "base/context.h"
#include "base/error.h"

/*
 * pmon [OPTIONS] -- COMMAND, pmon [OPTIONS] --pid PID.  Returns the status
 * pmon is to exit with, or a negative errno with error filled when the step
 * was not started; may not return when the step was ended by a signal.
 */
int main_job_command(int argc, char **argv, const struct context *context,
                     struct error *error);

#endif
