/* SPDX-License-Identifier: MIT */
/*
 * What slowed a run down, as a part of its time, and from which part on it
 * explains something.
 */
#ifndef PMON_MODEL_LOAD_SHARE_H
#define PMON_MODEL_LOAD_SHARE_H

#include "model/run.h"

enum load_share {
    LOAD_SHARE_THROTTLED, /* by the CPU quota; summed over processors */
    LOAD_SHARE_CPU, /* pressure, as the next two; that of the quota left out */
    LOAD_SHARE_MEMORY,
    LOAD_SHARE_IO,
    LOAD_SHARE_STEAL, /* of the time of all processors */
    LOAD_SHARES,
};

/*
 * In percent of the run's time; NAN if it is not known, or if the run took
 * less than a second, in which a single wait is a large part.
 */
double load_share(const struct run *run, enum load_share which);

/* A smaller share explains nothing, in percent. */
int load_share_least(enum load_share which);

/* Whether it is a pressure, of which load.pressure_source says whose it is. */
bool load_share_is_pressure(enum load_share which);

#endif
