/* SPDX-License-Identifier: MIT */
/* Whether a process descends from another, asked of the process itself. */
#ifndef PMON_STEP_ANCESTRY_H
#define PMON_STEP_ANCESTRY_H

#include <stdbool.h>
#include <sys/types.h>

#include "proc/source.h"

/*
 * Climbs from pid through its parents, to ancestor or to the first that is
 * gone.  True for ancestor itself.
 */
bool ancestry_includes(struct proc_source *source, pid_t pid, pid_t ancestor);

#endif
