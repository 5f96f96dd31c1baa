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
