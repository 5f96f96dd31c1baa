/* SPDX-License-Identifier: MIT */
/* Region files, and the statistics of their rows. */
#include <string.h>

#include "base/num.h"
#include "formats/region_rows.h"
#include "fuzz/fuzz.h"
#include "model/regions.h"

static void
check_stats(const struct region_stats *stats)
{
    FUZZ_CHECK(stats->count > 0 && stats->unended == 0);
    FUZZ_CHECK(0 <= stats->min_ns && stats->min_ns <= stats->p50_ns);
    FUZZ_CHECK(stats->p50_ns <= stats->p95_ns);
    FUZZ_CHECK(stats->p95_ns <= stats->max_ns);
    FUZZ_CHECK(stats->mean_ns <= stats->max_ns);
    FUZZ_CHECK(stats->max_ns <= stats->total_ns);
    FUZZ_CHECK(stats->cpu_ns == NUM_UNKNOWN || stats->cpu_ns >= 0);
}

/* The usage of a tree for 2 s. */
static void
sample(struct region_samples *samples)
{
    region_samples_init(samples, 64, 100 * NUM_NS_PER_MS);
    for (int64_t i = 0; i <= 20; i++) {
        struct row row = {.elapsed_ns = i * 100 * NUM_NS_PER_MS,
                          .cpu_ns = i * 50 * NUM_NS_PER_MS,
                          .rss_bytes = (i % 5) * NUM_MIB};

        FUZZ_CHECK(region_samples_push(samples, &row) == 0);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct region_samples samples;
    struct region_reader reader;
    struct regions regions;
    struct region_row row;
    struct bad_rows bad = {.say = fuzz_check_line};
    struct error error = {0};
    int rc;

    sample(&samples);
    regions_init(&regions);
    FUZZ_CHECK(
        region_reader_open(&reader, fuzz_file(data, size), &bad, &error) == 0);
    while ((rc = region_reader_next(&reader, &row, &error)) == 0) {
        FUZZ_CHECK(strlen(row.name) <= size);
        FUZZ_CHECK(row.start_ns >= 0 && row.duration_ns >= 0);
        FUZZ_CHECK(regions_add(&regions, row.name, row.start_ns,
                               row.duration_ns, true) == 0);
        FUZZ_CHECK(regions_has(&regions, row.name, row.start_ns));
    }
    FUZZ_CHECK(rc == 1);
    FUZZ_CHECK(regions_summarize(&regions, size % 2 == 0 ? &samples : NULL) ==
               0);
    for (size_t i = 0; i < regions.count; i++)
        check_stats(&regions.stats[i]);
    region_reader_close(&reader);
    regions_done(&regions);
    region_samples_done(&samples);
    return 0;
}
