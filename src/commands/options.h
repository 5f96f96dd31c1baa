/* SPDX-License-Identifier: MIT */
/*
 * The command line of the main job: one table that getopt_long(3), --help, the
 * tests and the man page's check all use.
 */
#ifndef PMON_COMMANDS_OPTIONS_H
#define PMON_COMMANDS_OPTIONS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "record/options.h"

/*
 * Parses argv.  0, or -EINVAL with one line in error.  getopt's own messages
 * are never printed.
 */
int options_parse(struct options *options, int argc, char **argv,
                  struct error *error);

/* Appends one line for each option. */
void options_help(struct strbuf *out);

#endif
