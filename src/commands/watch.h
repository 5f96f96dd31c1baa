/* SPDX-License-Identifier: MIT */
/* pmon watch: a program of its own, which pmon leads to. */
#ifndef PMON_COMMANDS_WATCH_H
#define PMON_COMMANDS_WATCH_H

#include "base/error.h"
#include "commands/commands.h"

/*
 * Becomes pmon-watch: the one beside this pmon, else the one on PATH.
 * Returns only when there is none: STATUS_NOT_FOUND, or a negative errno
 * with error.
 */
int watch_command(int argc, char **argv, const struct context *context,
                  struct error *error);

#endif
