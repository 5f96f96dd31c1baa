/* SPDX-License-Identifier: MIT */
/*
 * Regions that `pmon region --begin` has opened and `--end` has not closed
 * yet, in the file .open_regions of the regions' folder.
 */
#ifndef PMON_REGIONS_MARKS_H
#define PMON_REGIONS_MARKS_H

#include <stdint.h>

#include "base/error.h"

struct region_mark {
    int64_t start_ns;      /* CLOCK_REALTIME */
    int64_t start_mono_ns; /* CLOCK_MONOTONIC */
};

/*
 * The run whose marks are used: that of the pmon that runs the step, by
 * PMON_REGIONS_RUN.  Concurrent runs may share a folder.
 */
const char *marks_run(const char *(*environment)(const char *name));

/* Stores that name has begun in a run. 0 or a negative errno. */
int marks_begin(const char *folder, const char *run, const char *name,
                const struct region_mark *mark, struct error *error);

/*
 * Removes the newest mark of the name, of the run if it has one.  0; -ENOENT
 * when none is open, or another negative errno.
 */
int marks_end(const char *folder, const char *run, const char *name,
              struct region_mark *ret_mark, struct error *error);

/*
 * Removes all marks of the run that began at since_ns or later, and passes each
 * to take_mark.  0 or a negative errno, -ENOENT where there are no marks.
 */
int marks_take_all(const char *folder, const char *run, int64_t since_ns,
                   void (*take_mark)(const char *name,
                                     const struct region_mark *mark,
                                     void *context),
                   void *context);

/*
 * Removes the marks of runs whose pmon was killed, as far as this host can
 * tell; does not wait for the lock.
 */
void marks_remove_lost(const char *folder);

#endif
