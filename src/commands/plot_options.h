/* SPDX-License-Identifier: MIT */
/* The options of pmon plot; texts belong to argv. */
#ifndef PMON_COMMANDS_PLOT_OPTIONS_H
#define PMON_COMMANDS_PLOT_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/option_table.h"
#include "commands/plot_load.h"
#include "views/picture.h"

/* How many runs can be drawn. */
enum { PLOT_MOST_RUNS = 64 };

struct plot_options {
    const char *output; /* NULL: the terminal */
    const char *script; /* NULL: not kept */
    struct picture picture;
    struct plot_load load;
    char **files; /* of argv, count of them */
    int count;
    bool has_metrics; /* --metric was given */
};

/*
 * Parses argv, options and files in any order.  0, OPTION_HELP, or -EINVAL with
 * error.
 */
int plot_options_parse(struct plot_options *options, int argc, char **argv,
                       struct error *error);

extern const struct option_table plot_options_table;

#endif
