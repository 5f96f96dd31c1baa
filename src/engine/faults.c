/* SPDX-License-Identifier: MIT */
/* Sums up the page faults of live members and of what they have reaped. */
#include "engine/faults.h"

#include "base/num.h"
#include "engine/reads.h"

/* A little less, so that a late tick does not skip a second. */
static const int64_t every_ns = 950 * NUM_NS_PER_MS;

void
faults_init(struct faults *faults, bool is_wanted)
{
    *faults = (struct faults){.is_wanted = is_wanted,
                              .next_ns = INT64_MIN,
                              .minor = NUM_UNKNOWN,
                              .major = NUM_UNKNOWN};
}

bool
faults_are_due(const struct faults *faults, int64_t now_ns)
{
    return faults->is_wanted && now_ns >= faults->next_ns;
}

static int64_t
count_of(uint64_t own, uint64_t waited, bool root_only)
{
    uint64_t sum = root_only ? own : own + waited;

    return sum > INT64_MAX ? INT64_MAX : (int64_t)sum;
}

void
faults_read(struct faults *faults, struct sampler *sampler, int64_t ended_minor,
            int64_t ended_major)
{
    for (size_t i = 0; i < sampler->tree.count; i++) {
        struct member *member = sampler->tree.list[i];
        struct proc_stat stat;

        if (member->is_foreign || member->is_gone ||
            !reads_stat(sampler, member, &stat))
            continue;
        ended_minor = num_add(ended_minor, count_of(stat.minflt, stat.cminflt,
                                                    sampler->root_only));
        ended_major = num_add(ended_major, count_of(stat.majflt, stat.cmajflt,
                                                    sampler->root_only));
    }
    faults->next_ns = sampler->now_ns + every_ns;
    faults->minor = num_max(faults->minor, ended_minor);
    faults->major = num_max(faults->major, ended_major);
}
