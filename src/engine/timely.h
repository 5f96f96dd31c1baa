/* SPDX-License-Identifier: MIT */
/* A sample, and the moment that it is of. */
#ifndef PMON_ENGINE_TIMELY_H
#define PMON_ENGINE_TIMELY_H

#include "base/clock.h"
#include "engine/sampler.h"

/* A moment: all clocks, read once by the event loop. */
struct moment {
    int64_t monotonic_ns;
    int64_t boottime_ns;
};

/*
 * Samples at now.  pmon may have waited for its turn in the middle of the
 * pass: then now becomes the moment of its end, and the clocks are read again,
 * in one go; after a long wait all is read again.   Where
 * nothing lives, now is a moment when nothing did.  0 or what sampler_pass
 * returns.
 */
int timely_sample(struct sampler *sampler, const struct clock_source *clock,
                  struct moment *now, struct sample *sample);

#endif
