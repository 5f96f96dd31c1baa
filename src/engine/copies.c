/* SPDX-License-Identifier: MIT */
/* The rule that distinguishes a copy from a worker; a pure function. */
#include "engine/copies.h"

#include "base/num.h"

static const int64_t worker_age_ns = 200 * NUM_NS_PER_MS;
static const int64_t worker_cpu_ns = 5 * NUM_NS_PER_MS;

static bool
is_asleep(char state)
{
    return state == 'S' || state == 'D' || state == 'T' || state == 't';
}

void
copies_update(struct member *member, const struct proc_stat *stat,
              int64_t boot_ns, int64_t ticks_per_s)
{
    int64_t born_ns =
        num_mul((int64_t)stat->start_ticks, NUM_NS_PER_S / ticks_per_s);

    member->is_copy = (stat->flags & PROC_FLAG_FORKNOEXEC) != 0;
    if (!member->is_copy)
        member->is_left_out = false;
    if (member->is_left_out && boot_ns - born_ns >= worker_age_ns &&
        (is_asleep(stat->state) || member->clock_ns >= worker_cpu_ns))
        member->is_left_out = false;
}

/* NULL where member is no copy. */
static const struct member *
origin_of(const struct member *member, const struct member *root)
{
    /*
     * Whom an adopted one is a copy of is not known: at most of the root.  The
     * same while its parent is ending and has nothing any more.
     */
    const struct member *origin =
        member->parent != NULL && member->parent->rss_bytes > 0 ? member->parent
                                                                : root;

    return member->is_copy && origin != member ? origin : NULL;
}

bool
copies_may_share_all(const struct member *member, const struct member *root)
{
    const struct member *origin = origin_of(member, root);
    int64_t origin_bytes;

    if (origin == NULL)
        return false;
    origin_bytes = origin->rss_bytes;
    return member->rss_bytes <=
           origin_bytes + num_max(origin_bytes / 100, NUM_MIB);
}

int64_t
copies_may_share(const struct member *member, const struct member *root)
{
    const struct member *origin = origin_of(member, root);

    if (origin == NULL)
        return 0;
    return copies_may_share_all(member, root) ||
                   member->rss_bytes < origin->rss_bytes
               ? member->rss_bytes
               : origin->rss_bytes;
}

void
copies_compare(struct member *member, const struct member *root)
{
    if (member->is_left_out && !copies_may_share_all(member, root))
        member->is_left_out = false;
}
