/* SPDX-License-Identifier: MIT */
/* Reads what is to be drawn: logs, summaries, mprof, processes, regions. */
#ifndef PMON_COMMANDS_PLOT_LOAD_H
#define PMON_COMMANDS_PLOT_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/log_figures.h"
#include "model/recording.h"

struct plot_load {
    int64_t from_ns;
    int64_t to_ns;
    const char *regions;    /* a folder; NULL: the summary's */
    int64_t start_epoch_ns; /* of bare logs; NUM_UNKNOWN */
    enum layers_by by;
    bool has_by;             /* --by was given: a log has no layers */
    struct layer_keys *keys; /* of all files of --processes; the caller's */
};

/*
 * Reads the whole file at path; reports and skips bad rows. 0, or a negative
 * errno with error: -ENODATA if it has no rows.  Free it with recording_done in
 * both cases.
 */
int plot_load(struct recording *recording, const char *path,
              const struct plot_load *load, struct error *error);

/*
 * All files were loaded: chooses the keys, and fills the runs that have layers.
 * 0, or a negative errno with error.
 */
int plot_load_layers(struct recording *runs, size_t count,
                     struct layer_keys *keys, struct error *error);

/* The functions below read one kind of file: 0, or negative with error. */

/* With match, also passes the rows of the log to it. */
int plot_load_log(struct recording *recording, const char *path,
                  struct log_match *match, struct error *error);

/* Reads a summary, and the files that it names. */
int plot_load_summary(struct recording *recording, const char *path,
                      const struct plot_load *load, struct error *error);

/* Reads the regions of a folder that began within the run. */
int plot_load_regions(struct recording *recording, const char *folder,
                      struct error *error);

/* The layers of a file of --processes, which plot_load_layers fills. */
int plot_load_processes(struct recording *recording, const char *path,
                        const struct plot_load *load, struct error *error);

int plot_load_name(struct recording *recording, const char *name,
                   struct error *error);

#endif
