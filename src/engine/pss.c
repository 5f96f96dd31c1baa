/* SPDX-License-Identifier: MIT */
/* Reads PSS rarely and at the right moments. */
#include "engine/pss.h"

#include "base/num.h"
#include "engine/reads.h"

/* 1 % of the time. */
enum { PAUSE_FACTOR = 99 };

void
pss_init(struct pss *pss, bool is_wanted, int64_t wanted_over_bytes)
{
    *pss = (struct pss){.is_wanted = is_wanted,
                        .wanted_over_bytes = wanted_over_bytes,
                        .upper_bytes = NUM_UNKNOWN,
                        .peak = {NUM_UNKNOWN, NUM_UNKNOWN, NUM_UNKNOWN,
                                 NUM_UNKNOWN, NUM_UNKNOWN, NUM_UNKNOWN},
                        .swap_bytes = NUM_UNKNOWN,
                        .read_bytes = NUM_UNKNOWN};
}

static bool
is_wanted(const struct pss *pss, int64_t rss_bytes)
{
    return pss->is_wanted || (pss->wanted_over_bytes != NUM_UNKNOWN &&
                              rss_bytes > pss->wanted_over_bytes);
}

bool
pss_is_due(const struct pss *pss, int64_t rss_bytes, int64_t now_ns)
{
    if (!is_wanted(pss, rss_bytes) || rss_bytes <= pss->peak.pss_bytes ||
        rss_bytes == 0)
        return false;
    return now_ns >= pss->next_ns;
}

/* Adds a part; one unknown part makes the sum unknown. */
static int64_t
add_known(int64_t sum, int64_t part)
{
    return sum == NUM_UNKNOWN || part == NUM_UNKNOWN ? NUM_UNKNOWN
                                                     : num_add(sum, part);
}

/* It may not be read: it has not merely ended meanwhile. */
static bool
is_hidden(struct sampler *sampler, struct member *member)
{
    struct proc_stat stat;

    return member->is_unreadable ||
           (reads_stat(sampler, member, &stat) && stat.state != 'Z' &&
            (stat.flags & PROC_FLAG_EXITING) == 0);
}

void
pss_read(struct pss *pss, struct sampler *sampler)
{
    struct proc_pss sum = {0};
    int64_t hidden_bytes = 0;
    int64_t unreadable = 0;
    int64_t read = 0;

    pss->read_bytes = NUM_UNKNOWN;
    for (size_t i = 0; i < sampler->tree.count; i++) {
        struct member *member = sampler->tree.list[i];
        struct proc_pss one;
        char text[PROC_TEXT_SIZE];

        if (!sampler_is_counted(member))
            continue;
        if (sampler->source->read(sampler->source, &member->handle,
                                  PROC_SMAPS_ROLLUP, text, sizeof(text)) <= 0 ||
            proc_parse_pss(text, &one) < 0) {
            if (!is_hidden(sampler, member))
                continue;
            unreadable++;
            hidden_bytes = num_add(hidden_bytes, member->rss_bytes);
            continue;
        }
        read++;
        sum.pss_bytes = num_add(sum.pss_bytes, one.pss_bytes);
        sum.rss_bytes = num_add(sum.rss_bytes, one.rss_bytes);
        sum.anon_bytes = add_known(sum.anon_bytes, one.anon_bytes);
        sum.file_bytes = add_known(sum.file_bytes, one.file_bytes);
        sum.shmem_bytes = add_known(sum.shmem_bytes, one.shmem_bytes);
        sum.swap_bytes = add_known(sum.swap_bytes, one.swap_bytes);
    }
    pss->unreadable = num_max(pss->unreadable, unreadable);
    if (read > 0 || unreadable > 0)
        pss->upper_bytes =
            num_max(pss->upper_bytes, num_add(sum.pss_bytes, hidden_bytes));
    pss->shared_bytes = sum.rss_bytes - sum.pss_bytes;
    if (read == 0)
        return;
    pss->read_bytes = sum.pss_bytes;
    pss->swap_bytes = num_max(pss->swap_bytes, sum.swap_bytes);
    if (sum.pss_bytes > pss->peak.pss_bytes)
        pss->peak = sum;
}

void
pss_spent(struct pss *pss, int64_t begin_ns, int64_t end_ns)
{
    pss->next_ns = end_ns + num_mul(end_ns - begin_ns, PAUSE_FACTOR);
}
