/* SPDX-License-Identifier: MIT */
/* The kernel's clocks behind struct clock_source. */
#include "base/clock.h"

#include "base/num.h"

static int64_t
system_now(const struct clock_source *clock, clockid_t id)
{
    struct timespec ts = {0};

    (void)clock;
    clock_gettime(id, &ts);
    return ts.tv_sec * NUM_NS_PER_S + ts.tv_nsec;
}

const struct clock_source clock_system = {system_now};

int64_t
clock_epoch_of(const struct clock_source *clock, int64_t monotonic_ns)
{
    enum { TRIES = 5 };
    static const int64_t close_ns = 20000;
    int64_t least_ns = INT64_MAX;
    int64_t epoch_ns = 0;

    /* pmon may be preempted between two clocks: take the closest pair. */
    for (int i = 0; i < TRIES && least_ns > close_ns; i++) {
        int64_t before_ns = clock_now(clock, CLOCK_MONOTONIC);
        int64_t real_ns = clock_now(clock, CLOCK_REALTIME);
        int64_t gap_ns = clock_now(clock, CLOCK_MONOTONIC) - before_ns;

        if (gap_ns < least_ns) {
            least_ns = gap_ns;
            epoch_ns = real_ns - (before_ns + gap_ns / 2 - monotonic_ns);
        }
    }
    return epoch_ns;
}
