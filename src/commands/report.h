/* SPDX-License-Identifier: MIT */
/* pmon report FILE…: tables of what was recorded. */
#ifndef PMON_COMMANDS_REPORT_H
#define PMON_COMMANDS_REPORT_H

#include "commands/commands.h"

/* 0; 1 when a row was bad, said on stderr by file and line. */
int report_command(int argc, char **argv, const struct context *context,
                   struct error *error);

#endif
