/* SPDX-License-Identifier: MIT */
/* Groups regions by name and takes their statistics. */
#include "model/regions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"

const struct region_time region_times[REGION_TIMES] = {
    {"total_s", offsetof(struct region_stats, total_ns)},
    {"mean_s", offsetof(struct region_stats, mean_ns)},
    {"min_s", offsetof(struct region_stats, min_ns)},
    {"max_s", offsetof(struct region_stats, max_ns)},
    {"p50_s", offsetof(struct region_stats, p50_ns)},
    {"p95_s", offsetof(struct region_stats, p95_ns)},
    {"cpu_s", offsetof(struct region_stats, cpu_ns)},
};

struct span {
    int64_t start_ns;
    int64_t duration_ns;
};

struct region_name {
    char *name;
    struct span *spans;
    size_t count;
    size_t allocated;
    int64_t unended;
};

void
regions_init(struct regions *regions)
{
    *regions = (struct regions){0};
}

void
regions_done(struct regions *regions)
{
    for (size_t i = 0; i < regions->count; i++) {
        free(regions->names[i].name);
        free(regions->names[i].spans);
    }
    free(regions->names);
    free(regions->slots);
    free(regions->stats);
    regions_init(regions);
}

/* FNV-1a */
static uint64_t
hash_of(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash;
}

/* The slot of a name, or the free slot where it belongs. */
static size_t *
find_slot(const struct regions *regions, const char *name)
{
    size_t at = (size_t)hash_of(name) & (regions->slots_count - 1);

    while (regions->slots[at] != 0 &&
           strcmp(regions->names[regions->slots[at] - 1].name, name) != 0)
        at = (at + 1) & (regions->slots_count - 1);
    return &regions->slots[at];
}

static struct region_name *
find_name(const struct regions *regions, const char *name)
{
    size_t *slot;

    if (regions->count == 0)
        return NULL;
    slot = find_slot(regions, name);
    return *slot != 0 ? &regions->names[*slot - 1] : NULL;
}

/* Puts all names into slots, of which there are at least twice as many. */
static int
index_names(struct regions *regions, size_t slots_count)
{
    if (slots_count != regions->slots_count) {
        free(regions->slots);
        regions->slots_count = slots_count;
        regions->slots = calloc(slots_count, sizeof(*regions->slots));
        if (regions->slots == NULL)
            return -ENOMEM;
    }
    memset(regions->slots, 0, slots_count * sizeof(*regions->slots));
    for (size_t i = 0; i < regions->count; i++)
        *find_slot(regions, regions->names[i].name) = i + 1;
    return 0;
}

static struct region_name *
add_name(struct regions *regions, const char *name)
{
    struct region_name *added;
    size_t allocated = regions->allocated;
    int rc = array_grow(&regions->names, regions->count, &regions->allocated,
                        sizeof(*regions->names));

    if (rc == 0 && regions->allocated != allocated)
        rc = index_names(regions, 2 * regions->allocated);
    if (rc < 0)
        return NULL;
    added = &regions->names[regions->count];
    *added = (struct region_name){.name = strdup(name)};
    if (added->name == NULL)
        return NULL;
    *find_slot(regions, name) = ++regions->count;
    return added;
}

int
regions_add(struct regions *regions, const char *name, int64_t start_ns,
            int64_t duration_ns, bool is_ended)
{
    struct region_name *group = find_name(regions, name);
    int rc;

    if (group == NULL)
        group = add_name(regions, name);
    if (group == NULL)
        return -ENOMEM;
    rc = array_grow(&group->spans, group->count, &group->allocated,
                    sizeof(*group->spans));
    if (rc < 0)
        return rc;
    group->spans[group->count++] =
        (struct span){start_ns, num_max(duration_ns, 0)};
    group->unended += is_ended ? 0 : 1;
    return 0;
}

bool
regions_span(const struct regions *regions, size_t name, size_t at,
             const char **ret_name, int64_t *ret_start_ns,
             int64_t *ret_duration_ns)
{
    const struct region_name *group;

    if (name >= regions->count || at >= regions->names[name].count)
        return false;
    group = &regions->names[name];
    *ret_name = group->name;
    *ret_start_ns = group->spans[at].start_ns;
    *ret_duration_ns = group->spans[at].duration_ns;
    return true;
}

bool
regions_has(const struct regions *regions, const char *name, int64_t start_ns)
{
    const struct region_name *group = find_name(regions, name);

    for (size_t i = 0; group != NULL && i < group->count; i++)
        if (group->spans[i].start_ns == start_ns)
            return true;
    return false;
}

static int
by_duration(const void *a, const void *b)
{
    const struct span *one = a;
    const struct span *two = b;

    return (one->duration_ns > two->duration_ns) -
           (one->duration_ns < two->duration_ns);
}

static int
by_start(const void *a, const void *b)
{
    const struct span *one = a;
    const struct span *two = b;

    return (one->start_ns > two->start_ns) - (one->start_ns < two->start_ns);
}

static int
by_first_start(const void *a, const void *b)
{
    const struct region_name *one = a;
    const struct region_name *two = b;

    return by_start(one->spans, two->spans);
}

/* The smallest duration that percent of all do not exceed. */
static int64_t
percentile(const struct region_name *group, size_t percent)
{
    size_t rank = (group->count * percent + 99) / 100;

    return group->spans[rank > 0 ? rank - 1 : 0].duration_ns;
}

static void
take_times(struct region_name *group, struct region_stats *stats)
{
    qsort(group->spans, group->count, sizeof(struct span), by_duration);
    *stats = (struct region_stats){
        .name = group->name,
        .count = (int64_t)group->count,
        .min_ns = group->spans[0].duration_ns,
        .max_ns = group->spans[group->count - 1].duration_ns,
        .p50_ns = percentile(group, 50),
        .p95_ns = percentile(group, 95),
        .cpu_ns = NUM_UNKNOWN,
        .peak_rss_bytes = NUM_UNKNOWN,
        .unended = group->unended,
    };
    for (size_t i = 0; i < group->count; i++)
        stats->total_ns = num_add(stats->total_ns, group->spans[i].duration_ns);
    stats->mean_ns = stats->total_ns / stats->count;
}

static void
add_interval(struct region_stats *stats, const struct region_samples *samples,
             int64_t begin_ns, int64_t end_ns)
{
    int64_t cpu_ns = region_samples_cpu(samples, begin_ns, end_ns);

    if (cpu_ns != NUM_UNKNOWN)
        stats->cpu_ns = num_add(num_max(stats->cpu_ns, 0), cpu_ns);
    stats->peak_rss_bytes =
        num_max(stats->peak_rss_bytes,
                region_samples_peak_rss(samples, begin_ns, end_ns));
}

/*
 * Samples of the time when at least one region of the name was open.  The group
 * is in the order of starts.
 */
static void
take_samples(const struct region_name *group,
             const struct region_samples *samples, struct region_stats *stats)
{
    int64_t begin_ns = group->spans[0].start_ns;
    int64_t end_ns = begin_ns;

    for (size_t i = 0; i < group->count; i++) {
        const struct span *span = &group->spans[i];

        if (span->start_ns > end_ns) {
            add_interval(stats, samples, begin_ns, end_ns);
            begin_ns = span->start_ns;
        }
        end_ns = num_max(end_ns, num_add(span->start_ns, span->duration_ns));
    }
    add_interval(stats, samples, begin_ns, end_ns);
}

int
regions_summarize(struct regions *regions, const struct region_samples *samples)
{
    free(regions->stats);
    regions->stats = calloc(regions->count + 1, sizeof(*regions->stats));
    if (regions->stats == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < regions->count; i++)
        qsort(regions->names[i].spans, regions->names[i].count,
              sizeof(struct span), by_start);
    if (regions->count > 1) {
        qsort(regions->names, regions->count, sizeof(struct region_name),
              by_first_start);
        if (index_names(regions, regions->slots_count) < 0)
            return -ENOMEM;
    }
    for (size_t i = 0; i < regions->count; i++) {
        struct region_name *group = &regions->names[i];

        take_times(group, &regions->stats[i]);
        qsort(group->spans, group->count, sizeof(struct span), by_start);
        if (samples != NULL)
            take_samples(group, samples, &regions->stats[i]);
    }
    return 0;
}

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

    /* A row with an RSS of 0 comes after the end. */
    return timeline_largest_within(&samples->rss_bytes, begin_ns, end_ns,
                                   &rss_bytes)
               ? num_from_double(rss_bytes)
               : NUM_UNKNOWN;
}
