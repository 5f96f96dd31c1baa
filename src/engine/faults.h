/* SPDX-License-Identifier: MIT */
/*
 * Page faults of the tree, as totals that never fall.  They are in stat, which
 * a pass reads for few processes and not at each tick.  Faults are therefore
 * read about once a second, and rows in between have none.
 */
#ifndef PMON_ENGINE_FAULTS_H
#define PMON_ENGINE_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/sampler.h"

struct faults {
    bool is_wanted;
    int64_t next_ns; /* no read before, CLOCK_MONOTONIC */
    int64_t minor;   /* of the last read; NUM_UNKNOWN before the first */
    int64_t major;
};

void faults_init(struct faults *faults, bool is_wanted);

/* Whether a row at this time has them. */
bool faults_are_due(const struct faults *faults, int64_t now_ns);

/*
 * Reads stat of all members: their faults, and those of the children that they
 * have waited for.  Faults of processes that pmon has reaped are in ended_minor
 * and ended_major.
 */
void faults_read(struct faults *faults, struct sampler *sampler,
                 int64_t ended_minor, int64_t ended_major);

#endif
