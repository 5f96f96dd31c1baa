/* SPDX-License-Identifier: MIT */
/* Two timelines that are always pushed together, so that slots agree. */
#include "model/series.h"

#include <errno.h>

enum { MOST_SLOTS = 512 };

void
series_init(struct series *series, int64_t width_ns)
{
    timeline_init(&series->rss_bytes, MOST_SLOTS, width_ns);
    timeline_init(&series->cpu_percent, MOST_SLOTS, width_ns);
}

void
series_done(struct series *series)
{
    timeline_done(&series->rss_bytes);
    timeline_done(&series->cpu_percent);
}

int
series_push(struct series *series, const struct row *row)
{
    int rc = timeline_push(&series->rss_bytes, row->elapsed_ns,
                           (double)row->rss_bytes);

    return rc < 0 ? rc
                  : timeline_push(&series->cpu_percent, row->elapsed_ns,
                                  row->cpu_percent);
}

int
series_take(const struct series *series, struct run_series *ret_series)
{
    const struct timeline *rss = &series->rss_bytes;
    const struct timeline *cpu = &series->cpu_percent;
    size_t at = 0;

    if (run_series_resize(ret_series, rss->count) < 0)
        return -ENOMEM;
    for (size_t i = 0; i < rss->count && i < cpu->count; i++) {
        if (rss->slots[i].rows == 0)
            continue;
        ret_series->elapsed_ns[at] = rss->slots[i].max_ns;
        ret_series->rss_bytes[at] = rss->slots[i].max;
        ret_series->cpu_percent[at] = cpu->slots[i].max;
        at++;
    }
    ret_series->count = at;
    return 0;
}
