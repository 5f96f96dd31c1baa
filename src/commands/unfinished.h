/* SPDX-License-Identifier: MIT */
/*
 * Summaries with the reason running: of a run that goes on, or of a lost one,
 * whose pmon was killed.  A lost run is never taken for a complete one.
 */
#ifndef PMON_COMMANDS_UNFINISHED_H
#define PMON_COMMANDS_UNFINISHED_H

#include <stdbool.h>

#include "base/error.h"
#include "model/run.h"

/*
 * Reads the summary at path into run, as summary_read does.  If the run has no
 * end, takes the figures of its log, up to the last row.  A lost run gets
 * REASON_LOST and is reported on stderr.
 */
int unfinished_read(struct run *run, const char *path, struct error *error);

/* Whether the run ended by itself, so that its figures can be judged. */
bool unfinished_is_whole(const struct run *run);

#endif
