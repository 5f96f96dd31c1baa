/* SPDX-License-Identifier: MIT */
/*
 * CPU time and RSS of the tree over time, from which the figures of a region
 * are computed after it has ended.
 */
#ifndef PMON_MODEL_REGION_SAMPLES_H
#define PMON_MODEL_REGION_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "model/row.h"
#include "model/timeline.h"

struct region_samples {
    struct timeline cpu_ns; /* total of the tree since the start */
    struct timeline rss_bytes;
};

/* At most most slots, an even number, of width_ns each at first. */
void region_samples_init(struct region_samples *samples, size_t most,
                         int64_t width_ns);
void region_samples_done(struct region_samples *samples);

/* 0 or -ENOMEM, with the row left out. */
int region_samples_push(struct region_samples *samples, const struct row *row);

/*
 * CPU time used from begin to end, both since the start of the run; between two
 * rows it is interpolated.  NUM_UNKNOWN without two rows, or after the last.
 */
int64_t region_samples_cpu(const struct region_samples *samples,
                           int64_t begin_ns, int64_t end_ns);

/* The largest RSS of the rows from begin to end; NUM_UNKNOWN without one. */
int64_t region_samples_peak_rss(const struct region_samples *samples,
                                int64_t begin_ns, int64_t end_ns);

#endif
