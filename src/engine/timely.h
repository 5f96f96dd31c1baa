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
 * Samples at now.  If pmon was not scheduled in the middle of the pass, now
 * becomes the end of the pass and all clocks are read again; after a long wait,
 * everything is read again.  Where nothing lives, now is a moment when nothing
 * did.  0 or what sampler_pass returns.
 */
int timely_sample(struct sampler *sampler, const struct clock_source *clock,
                  struct moment *now, struct sample *sample);

#endif
