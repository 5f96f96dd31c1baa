/* SPDX-License-Identifier: MIT */
/* The bounded curve; see series.h. */
#include "model/series.h"

#include <errno.h>
#include <stdlib.h>

#include "base/num.h"

static const struct series_slot empty = {.elapsed_ns = NUM_UNKNOWN};

int
series_init(struct series *series, int64_t width_ns)
{
    *series = (struct series){.width_ns = num_max(width_ns, 1)};
    series->slots = calloc(SERIES_SLOTS, sizeof(*series->slots));
    return series->slots != NULL ? 0 : -ENOMEM;
}

void
series_done(struct series *series)
{
    free(series->slots);
    *series = (struct series){0};
}

static void
merge(struct series_slot *into, const struct series_slot *from)
{
    double cpu_percent = into->cpu_percent;

    if (from->elapsed_ns == NUM_UNKNOWN)
        return;
    if (into->elapsed_ns == NUM_UNKNOWN) {
        *into = *from;
        return;
    }
    if (from->rss_bytes > into->rss_bytes)
        *into = *from;
    if (into->cpu_percent < cpu_percent)
        into->cpu_percent = cpu_percent;
    if (into->cpu_percent < from->cpu_percent)
        into->cpu_percent = from->cpu_percent;
}

static void
halve(struct series *series)
{
    size_t kept = (series->count + 1) / 2;

    for (size_t i = 0; i < kept; i++) {
        struct series_slot slot = series->slots[2 * i];

        if (2 * i + 1 < series->count)
            merge(&slot, &series->slots[2 * i + 1]);
        series->slots[i] = slot;
    }
    series->count = kept;
    series->width_ns = num_mul(series->width_ns, 2);
}

void
series_push(struct series *series, const struct row *row)
{
    struct series_slot slot = {.elapsed_ns = row->elapsed_ns,
                               .rss_bytes = row->rss_bytes,
                               .cpu_percent = row->cpu_percent};
    size_t at;

    while (row->elapsed_ns / series->width_ns >= SERIES_SLOTS)
        halve(series);
    at = (size_t)(row->elapsed_ns / series->width_ns);
    while (series->count <= at)
        series->slots[series->count++] = empty;
    merge(&series->slots[at], &slot);
}
