/* SPDX-License-Identifier: MIT */
/* The times of the group load as parts of the run's time. */
#include "model/load_share.h"

#include <math.h>

#include "base/num.h"

/* A thread that the quota holds back waits for a processor as well. */
static int64_t
pressure_beyond_quota(const struct run_load *load)
{
    if (load->pressure_cpu_ns == NUM_UNKNOWN || load->throttled_ns <= 0)
        return load->pressure_cpu_ns;
    return num_max(load->pressure_cpu_ns - load->throttled_ns, 0);
}

/* Without a quota nothing is held back, though no group may count it. */
static int64_t
throttled(const struct run_load *load)
{
    bool has_none =
        isfinite(load->cpus_allowed) && isnan(load->cpu_quota_cores);

    return load->throttled_ns == NUM_UNKNOWN && has_none ? 0
                                                         : load->throttled_ns;
}

double
load_share(const struct run *run, enum load_share which)
{
    const struct run_load *load = &run->load;
    const int64_t parts[LOAD_SHARES] = {
        [LOAD_SHARE_THROTTLED] = throttled(load),
        [LOAD_SHARE_CPU] = pressure_beyond_quota(load),
        [LOAD_SHARE_MEMORY] = load->pressure_memory_ns,
        [LOAD_SHARE_IO] = load->pressure_io_ns,
        [LOAD_SHARE_STEAL] = load->steal_ns,
    };
    double whole = (double)run->time.wall_ns;

    if (which == LOAD_SHARE_STEAL)
        whole *= (double)num_max(run->host.cores, 1);
    if (parts[which] == NUM_UNKNOWN || run->time.wall_ns < NUM_NS_PER_S)
        return (double)NAN;
    return (double)parts[which] / whole * 100;
}

int
load_share_least(enum load_share which)
{
    static const int percent[LOAD_SHARES] = {
        [LOAD_SHARE_THROTTLED] = 5, [LOAD_SHARE_CPU] = 10,
        [LOAD_SHARE_MEMORY] = 5,    [LOAD_SHARE_IO] = 20,
        [LOAD_SHARE_STEAL] = 5,
    };

    return percent[which];
}

bool
load_share_is_pressure(enum load_share which)
{
    return which == LOAD_SHARE_CPU || which == LOAD_SHARE_MEMORY ||
           which == LOAD_SHARE_IO;
}
