/* SPDX-License-Identifier: MIT */
/* Passes that were interrupted are made up for. */
#include "engine/timely.h"

#include "base/num.h"

/* A pass that took longer is one in which pmon had to wait for its turn. */
static const int64_t long_pass_ns = 5 * NUM_NS_PER_MS;

/* In one that took longer than this a tree may have become another. */
static const int64_t lost_pass_ns = 50 * NUM_NS_PER_MS;

/*
 * Samples again, at the end of a pass that took long.  True when this one has
 * lost its time in waiting too, and not at work on a large tree.
 */
static bool
sample_again(struct sampler *sampler, const struct clock_source *clock,
             struct moment *now, struct sample *sample, int *ret_rc)
{
    int64_t cpu_ns = clock_now(clock, CLOCK_THREAD_CPUTIME_ID);
    int64_t took_ns;

    now->monotonic_ns = clock_now(clock, CLOCK_MONOTONIC);
    now->boottime_ns = clock_now(clock, CLOCK_BOOTTIME);
    *ret_rc =
        sampler_pass(sampler, now->monotonic_ns, now->boottime_ns, sample);
    took_ns = clock_now(clock, CLOCK_MONOTONIC) - now->monotonic_ns;
    return took_ns > lost_pass_ns &&
           clock_now(clock, CLOCK_THREAD_CPUTIME_ID) - cpu_ns < took_ns / 2;
}

int
timely_sample(struct sampler *sampler, const struct clock_source *clock,
              struct moment *now, struct sample *sample)
{
    enum { CLOCKS = 2, PASSES = 4 };
    int rc = sampler_pass(sampler, now->monotonic_ns, now->boottime_ns, sample);
    int64_t end_ns;
    int64_t pass_cpu_ns;

    end_ns = clock_now(clock, CLOCK_MONOTONIC);
    if (rc == 0 && end_ns - now->monotonic_ns > lost_pass_ns) {
        for (int i = 0; i < PASSES; i++)
            if (!sample_again(sampler, clock, now, sample, &rc) || rc < 0)
                break;
        end_ns = clock_now(clock, CLOCK_MONOTONIC);
    }
    /* The last may have ended after now, however short the pass was. */
    if (sample->processes == 0) {
        now->monotonic_ns = end_ns;
        now->boottime_ns = clock_now(clock, CLOCK_BOOTTIME);
    }
    pass_cpu_ns = sample->cpu_ns;
    for (int i = 0; i < CLOCKS && end_ns - now->monotonic_ns > long_pass_ns;
         i++) {
        now->monotonic_ns = end_ns;
        now->boottime_ns = clock_now(clock, CLOCK_BOOTTIME);
        sampler_refresh_clocks(sampler, end_ns, pass_cpu_ns, sample);
        end_ns = clock_now(clock, CLOCK_MONOTONIC);
    }
    return rc;
}
