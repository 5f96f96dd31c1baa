/* SPDX-License-Identifier: MIT */
/* The runs that pmon plot draws. */
#ifndef PMON_COMMANDS_PLOT_RUNS_H
#define PMON_COMMANDS_PLOT_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "commands/plot_options.h"
#include "commands/summary_folder.h"

struct plot_runs {
    struct recording *list;
    char **paths; /* of each */
    size_t count;
    size_t allocated;
    size_t paths_allocated;
    struct seen_files seen;
    const struct plot_options *options;
    struct layer_keys keys; /* of those that have layers */
    bool lacks_some;        /* a file could not be read, and was reported */
    int too_many;           /* runs beyond those that can be drawn */
};

/* options are the caller's, and get the place of the keys. */
void plot_runs_init(struct plot_runs *runs, struct plot_options *options);
void plot_runs_done(struct plot_runs *runs);

/*
 * Loads all files and folders of the options.  What cannot be read is reported,
 * and the others are loaded.  0, or a negative errno with error: a file of its
 * own that cannot be read, too many runs, or nothing to draw.
 */
int plot_runs_load(struct plot_runs *runs, struct error *error);

bool plot_runs_have_layers(const struct plot_runs *runs);

#endif
