/* SPDX-License-Identifier: MIT */
/*
 * Summaries that say running: of a run that goes on, or of one that was lost
 * because its pmon was killed.  A lost run is never taken for a complete one.
 */
#ifndef PMON_COMMANDS_UNFINISHED_H
#define PMON_COMMANDS_UNFINISHED_H

#include <stdbool.h>

#include "base/error.h"
#include "model/run.h"

/*
 * Reads the summary at path into run, as summary_read does; where it has no
 * end, with the figures of its log, which has them up to the last row.  A lost
 * run gets REASON_LOST and is reported on stderr.
 */
int unfinished_read(struct run *run, const char *path, struct error *error);

/* Whether the run came to an end of its own: its figures can be judged. */
bool unfinished_is_whole(const struct run *run);

#endif
