/* SPDX-License-Identifier: MIT */
/*
 * Regions that `pmon region --begin` has opened and `--end` has not closed
 * yet, in the file .open_regions of the regions' folder.
 */
#ifndef PMON_COMMANDS_REGION_STATE_H
#define PMON_COMMANDS_REGION_STATE_H

#include <stdint.h>

#include "base/error.h"

struct region_mark {
    int64_t start_ns;      /* CLOCK_REALTIME */
    int64_t start_mono_ns; /* CLOCK_MONOTONIC */
};

/* Remembers that name has begun.  0 or a negative errno. */
int region_state_begin(const char *folder, const char *name,
                       const struct region_mark *mark, struct error *error);

/*
 * Takes out the newest of the name.  0; -ENOENT when none is open, or another
 * negative errno.
 */
int region_state_end(const char *folder, const char *name,
                     struct region_mark *ret_mark, struct error *error);

/*
 * Takes out any one that began at since_ns or later, name to be freed by the
 * caller: 0; 1 when none is left.
 */
int region_state_take(const char *folder, int64_t since_ns, char **ret_name,
                      struct region_mark *ret_mark);

#endif
