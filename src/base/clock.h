/* SPDX-License-Identifier: MIT */
/*
 * The source of time.  Only the event loop reads a clock; everything else gets
 * the time as an argument.  Tests pass a clock that they set themselves.
 */
#ifndef PMON_BASE_CLOCK_H
#define PMON_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

struct clock_source {
    /*
     * The time of id in ns: CLOCK_MONOTONIC, _BOOTTIME or _REALTIME; pmon's
     * own CPU time by CLOCK_THREAD_CPUTIME_ID.
     */
    int64_t (*now)(const struct clock_source *clock, clockid_t id);
};

/* The kernel's clocks, clock_gettime(2). */
extern const struct clock_source clock_system;

static inline int64_t
clock_now(const struct clock_source *clock, clockid_t id)
{
    return clock->now(clock, id);
}

/* The CLOCK_REALTIME of a recent moment of CLOCK_MONOTONIC. */
int64_t clock_epoch_of(const struct clock_source *clock, int64_t monotonic_ns);

#endif
