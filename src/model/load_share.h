/* SPDX-License-Identifier: MIT */
/*
 * What slowed a run down, as a share of its time, and how large a share must be
 * to explain something.
 */
#ifndef PMON_MODEL_LOAD_SHARE_H
#define PMON_MODEL_LOAD_SHARE_H

#include "model/run.h"

enum load_share {
    LOAD_SHARE_THROTTLED, /* by the CPU quota; summed over processors */
    LOAD_SHARE_CPU, /* pressure, as the next two; without that of the quota */
    LOAD_SHARE_MEMORY,
    LOAD_SHARE_IO,
    LOAD_SHARE_STEAL, /* of the time of all processors */
    LOAD_SHARES,
};

/*
 * In percent of the run's time; NAN if unknown, or if the run took less than a
 * second, because a single wait is a large part of that.
 */
double load_share(const struct run *run, enum load_share which);

/* A smaller share explains nothing, in percent. */
int load_share_least(enum load_share which);

/* Whether it is a pressure, whose source is load.pressure_source. */
bool load_share_is_pressure(enum load_share which);

#endif
