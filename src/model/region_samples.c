/* SPDX-License-Identifier: MIT */
/* Two timelines, of which regions are asked. */
#include "model/region_samples.h"

#include "base/num.h"

void
region_samples_init(struct region_samples *samples, size_t most,
                    int64_t width_ns)
{
    timeline_init(&samples->cpu_ns, most, width_ns);
    timeline_init(&samples->rss_bytes, most, width_ns);
}

void
region_samples_done(struct region_samples *samples)
{
    timeline_done(&samples->cpu_ns);
    timeline_done(&samples->rss_bytes);
}

int
region_samples_push(struct region_samples *samples, const struct row *row)
{
    int rc =
        timeline_push(&samples->cpu_ns, row->elapsed_ns, (double)row->cpu_ns);

    return rc < 0 ? rc
                  : timeline_push(&samples->rss_bytes, row->elapsed_ns,
                                  (double)row->rss_bytes);
}

int64_t
region_samples_cpu(const struct region_samples *samples, int64_t begin_ns,
                   int64_t end_ns)
{
    const struct timeline *cpu_ns = &samples->cpu_ns;

    if (cpu_ns->rows < 2 || begin_ns >= cpu_ns->last_ns)
        return NUM_UNKNOWN;
    return num_max(num_from_double(timeline_value(cpu_ns, end_ns) -
                                   timeline_value(cpu_ns, begin_ns)),
                   0);
}

int64_t
region_samples_peak_rss(const struct region_samples *samples, int64_t begin_ns,
                        int64_t end_ns)
{
    double rss_bytes;

    /* A row of nothing is one after the end. */
    return timeline_largest_within(&samples->rss_bytes, begin_ns, end_ns,
                                   &rss_bytes)
               ? num_from_double(rss_bytes)
               : NUM_UNKNOWN;
}
