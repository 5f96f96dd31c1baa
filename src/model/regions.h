/* SPDX-License-Identifier: MIT */
/* Regions by name: how often, how long, and the usage of the tree meanwhile. */
#ifndef PMON_MODEL_REGIONS_H
#define PMON_MODEL_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/row.h"
#include "model/timeline.h"

/* One name; times in ns.  CPU and peak: NUM_UNKNOWN without samples. */
struct region_stats {
    char *name; /* hostile */
    int64_t count;
    int64_t total_ns;
    int64_t mean_ns;
    int64_t min_ns;
    int64_t max_ns;
    int64_t p50_ns;
    int64_t p95_ns;
    int64_t cpu_ns; /* of the tree while at least one was open */
    int64_t peak_rss_bytes;
    int64_t unended; /* of count: the process ended before the region */
};

enum { REGION_TIMES = 7 };

/* The times of one name by their keys in the summary. */
extern const struct region_time {
    const char *key;
    size_t offset; /* of an int64_t in struct region_stats */
} region_times[REGION_TIMES];

/*
 * CPU time and RSS of the tree over time, from which the figures of a region
 * are computed after it has ended.
 */
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

struct regions {
    struct region_name *names;
    size_t count;
    size_t allocated;
    size_t *slots; /* by hash of the name: its index + 1; 0: free */
    size_t slots_count;
    struct region_stats *stats; /* of regions_summarize */
};

void regions_init(struct regions *regions);
void regions_done(struct regions *regions);

/*
 * Adds one region; start_ns counts from the start of the run, or from any time
 * if no samples are used. 0 or -ENOMEM.
 */
int regions_add(struct regions *regions, const char *name, int64_t start_ns,
                int64_t duration_ns, bool is_ended);

/* Whether a region of this name and start was added. */
bool regions_has(const struct regions *regions, const char *name,
                 int64_t start_ns);

/*
 * Finds a region by the number of its name and its own number; false beyond the
 * last of a name.  Names are in no special order.
 */
bool regions_span(const struct regions *regions, size_t name, size_t at,
                  const char **ret_name, int64_t *ret_start_ns,
                  int64_t *ret_duration_ns);

/*
 * Fills stats, in the order of the first start; samples may be NULL.
 * Percentiles by nearest rank.  0 or -ENOMEM.
 */
int regions_summarize(struct regions *regions,
                      const struct region_samples *samples);

#endif
