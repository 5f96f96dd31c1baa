/* SPDX-License-Identifier: MIT */
/* Points of a run in order of time. */
#include "model/history.h"

#include <errno.h>
#include <stdlib.h>

#include "base/num.h"

void
history_init(struct history *history, size_t limit)
{
    *history = (struct history){.limit = limit, .stride = 1};
}

void
history_done(struct history *history)
{
    free(history->points);
    *history = (struct history){0};
}

/* from follows into. */
static void
merge(struct history_point *into, const struct history_point *from)
{
    into->end_ns = from->end_ns;
    into->end_cpu_ns = from->end_cpu_ns;
    if (from->rss_bytes >= into->rss_bytes) {
        into->rss_bytes = from->rss_bytes;
        into->rss_at_ns = from->rss_at_ns;
    }
}

static int
make_room(struct history *history)
{
    size_t allocated = history->allocated < 256 ? 256 : history->allocated * 2;
    struct history_point *points;

    if (history->count < history->allocated)
        return 0;
    points = realloc(history->points, allocated * sizeof(*points));
    if (points == NULL)
        return -ENOMEM;
    history->points = points;
    history->allocated = allocated;
    return 0;
}

static void
halve(struct history *history)
{
    for (size_t i = 0; i < history->count / 2; i++) {
        struct history_point point = history->points[2 * i];

        merge(&point, &history->points[2 * i + 1]);
        history->points[i] = point;
    }
    history->count /= 2;
    history->stride *= 2;
}

int
history_push(struct history *history, const struct row *row)
{
    struct history_point point = {.begin_ns = row->elapsed_ns,
                                  .begin_cpu_ns = row->cpu_ns,
                                  .end_ns = row->elapsed_ns,
                                  .end_cpu_ns = row->cpu_ns,
                                  .rss_at_ns = row->elapsed_ns,
                                  .rss_bytes = row->rss_bytes};

    if (history->count > 0 && history->pushed < history->stride) {
        merge(&history->points[history->count - 1], &point);
        history->pushed++;
        return 0;
    }
    if (history->count == history->limit)
        halve(history);
    if (make_room(history) < 0)
        return -ENOMEM;
    history->points[history->count++] = point;
    history->pushed = 1;
    return 0;
}

/* The first point that ends at or after a time; count for none. */
static size_t
find(const struct history *history, int64_t elapsed_ns)
{
    size_t low = 0;
    size_t high = history->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (history->points[middle].end_ns < elapsed_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* On the line from one moment to a later one. */
static double
between(int64_t begin_ns, int64_t begin_cpu_ns, int64_t end_ns,
        int64_t end_cpu_ns, int64_t at_ns)
{
    if (end_ns <= begin_ns)
        return (double)end_cpu_ns;
    return (double)begin_cpu_ns + (double)(end_cpu_ns - begin_cpu_ns) *
                                      (double)(at_ns - begin_ns) /
                                      (double)(end_ns - begin_ns);
}

static double
cpu_at(const struct history *history, int64_t elapsed_ns)
{
    size_t at = find(history, elapsed_ns);
    const struct history_point *point = &history->points[at];

    if (at == history->count)
        return (double)point[-1].end_cpu_ns;
    if (elapsed_ns >= point->begin_ns)
        return between(point->begin_ns, point->begin_cpu_ns, point->end_ns,
                       point->end_cpu_ns, elapsed_ns);
    if (at == 0)
        return (double)point->begin_cpu_ns;
    return between(point[-1].end_ns, point[-1].end_cpu_ns, point->begin_ns,
                   point->begin_cpu_ns, elapsed_ns);
}

int64_t
history_cpu(const struct history *history, int64_t begin_ns, int64_t end_ns)
{
    if (history->count < 2 ||
        begin_ns >= history->points[history->count - 1].end_ns)
        return NUM_UNKNOWN;
    return num_max(
        num_from_double(cpu_at(history, end_ns) - cpu_at(history, begin_ns)),
        0);
}

int64_t
history_peak_rss(const struct history *history, int64_t begin_ns,
                 int64_t end_ns)
{
    int64_t peak = NUM_UNKNOWN;

    for (size_t at = find(history, begin_ns);
         at < history->count && history->points[at].begin_ns <= end_ns; at++) {
        const struct history_point *point = &history->points[at];

        /* A row of nothing is one after the end. */
        if (point->rss_bytes > 0 && point->rss_at_ns >= begin_ns &&
            point->rss_at_ns <= end_ns)
            peak = num_max(peak, point->rss_bytes);
    }
    return peak;
}
