/* SPDX-License-Identifier: MIT */
/* The command line of the main job. */
#ifndef PMON_COMMANDS_OPTIONS_H
#define PMON_COMMANDS_OPTIONS_H

#include "base/error.h"
#include "base/option_table.h"
#include "record/options.h"

extern const struct option_table options_table;

/*
 * Parses argv.  0; OPTION_HELP or OPTION_VERSION where that was asked for; or
 * -EINVAL with error.
 */
int options_parse(struct options *options, int argc, char **argv,
                  struct error *error);

/* For a row of option_table.h: takes the name of a picture. */
int options_take_picture(const struct option_row *row, void *settings,
                         const char *value, struct error *error);

#define OPTIONS_PICTURE           \
    .take = options_take_picture, \
    .allowed = "a name that ends in .svg, .png or .pdf"

#endif
