/* SPDX-License-Identifier: MIT */
/* Slots of equal duration, merged in pairs when all are in use. */
#include "model/timeline.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/num.h"

void
timeline_init(struct timeline *timeline, size_t most, int64_t width_ns)
{
    *timeline =
        (struct timeline){.most = most, .width_ns = num_max(width_ns, 1)};
}

void
timeline_done(struct timeline *timeline)
{
    free(timeline->slots);
    *timeline = (struct timeline){0};
}

/* Adds slot from, which follows into. */
static void
merge(struct timeline_slot *into, const struct timeline_slot *from)
{
    if (from->rows == 0)
        return;
    if (into->rows == 0) {
        *into = *from;
        return;
    }
    if (from->min < into->min) {
        into->min = from->min;
        into->min_ns = from->min_ns;
    }
    if (from->max > into->max) {
        into->max = from->max;
        into->max_ns = from->max_ns;
    }
    into->end_ns = from->end_ns;
    into->last = from->last;
    into->rows += from->rows;
    into->sum += from->sum;
    into->weight += from->weight;
}

static void
halve(struct timeline *timeline)
{
    size_t kept = (timeline->count + 1) / 2;

    for (size_t i = 0; i < kept; i++) {
        struct timeline_slot slot = timeline->slots[2 * i];

        if (2 * i + 1 < timeline->count)
            merge(&slot, &timeline->slots[2 * i + 1]);
        timeline->slots[i] = slot;
    }
    timeline->count = kept;
    timeline->width_ns = num_mul(timeline->width_ns, 2);
}

int
timeline_push(struct timeline *timeline, int64_t elapsed_ns, double value)
{
    struct timeline_slot slot = {.rows = 1,
                                 .begin_ns = elapsed_ns,
                                 .end_ns = elapsed_ns,
                                 .first = value,
                                 .last = value,
                                 .min_ns = elapsed_ns,
                                 .max_ns = elapsed_ns,
                                 .min = value,
                                 .max = value};
    int64_t offset_ns;
    size_t at;

    if (timeline->rows == 0)
        timeline->base_ns = timeline->last_ns = elapsed_ns;
    slot.weight = (double)num_max(elapsed_ns - timeline->last_ns, 0);
    slot.sum = slot.weight * value;
    offset_ns = num_max(elapsed_ns - timeline->base_ns, 0);
    while (offset_ns / timeline->width_ns >= (int64_t)timeline->most)
        halve(timeline);
    at = (size_t)(offset_ns / timeline->width_ns);
    while (timeline->count <= at) {
        if (array_grow(&timeline->slots, timeline->count, &timeline->allocated,
                       sizeof(*timeline->slots)) < 0)
            return -ENOMEM;
        timeline->slots[timeline->count++] = (struct timeline_slot){0};
    }
    merge(&timeline->slots[at], &slot);
    timeline->last_ns = num_max(timeline->last_ns, elapsed_ns);
    timeline->rows++;
    return 0;
}

size_t
timeline_points(const struct timeline *timeline, size_t slot,
                struct timeline_point points[2])
{
    const struct timeline_slot *from = &timeline->slots[slot];
    struct timeline_point min = {from->min_ns, from->min};
    struct timeline_point max = {from->max_ns, from->max};

    if (from->rows == 0)
        return 0;
    points[0] = from->min_ns <= from->max_ns ? min : max;
    points[1] = from->min_ns <= from->max_ns ? max : min;
    return from->min_ns == from->max_ns ? 1 : 2;
}

struct timeline_point
timeline_mean(const struct timeline *timeline, size_t slot)
{
    const struct timeline_slot *from = &timeline->slots[slot];

    return (struct timeline_point){
        .elapsed_ns = from->rows == 1 ? from->max_ns
                                      : timeline->base_ns +
                                            (int64_t)slot * timeline->width_ns +
                                            timeline->width_ns / 2,
        .value = from->weight > 0 ? from->sum / from->weight : from->max};
}

bool
timeline_is_dense(const struct timeline *timeline)
{
    return timeline->rows > 4 * (int64_t)timeline->most;
}

bool
timeline_largest(const struct timeline *timeline,
                 struct timeline_point *ret_point)
{
    struct timeline_slot all = {0};

    for (size_t i = 0; i < timeline->count; i++)
        merge(&all, &timeline->slots[i]);
    if (all.rows == 0)
        return false;
    *ret_point = (struct timeline_point){all.max_ns, all.max};
    return true;
}

bool
timeline_at(const struct timeline *timeline, int64_t begin_ns, int64_t end_ns,
            bool holds, double *ret_value)
{
    double before = -1;
    bool has_before = false;
    bool is_found = false;

    for (size_t i = 0; i < timeline->count; i++) {
        struct timeline_point points[2];
        size_t count = timeline_points(timeline, i, points);

        for (size_t k = 0; k < count; k++) {
            if (points[k].elapsed_ns < begin_ns) {
                before = points[k].value;
                has_before = true;
            } else if (points[k].elapsed_ns < end_ns) {
                if (!is_found || points[k].value > *ret_value)
                    *ret_value = points[k].value;
                is_found = true;
            } else if (is_found || !has_before) {
                return is_found;
            } else {
                *ret_value = holds ? before : points[k].value;
                return true;
            }
        }
    }
    return is_found;
}

/* The first slot with rows that ends at or after a time; count if none does. */
static size_t
find(const struct timeline *timeline, int64_t elapsed_ns)
{
    int64_t offset_ns = num_max(elapsed_ns - timeline->base_ns, 0);
    size_t at = timeline->count;

    if (offset_ns / timeline->width_ns < (int64_t)timeline->count)
        at = (size_t)(offset_ns / timeline->width_ns);
    while (at < timeline->count && (timeline->slots[at].rows == 0 ||
                                    timeline->slots[at].end_ns < elapsed_ns))
        at++;
    return at;
}

/* The value on the line between two points. */

static double
between(int64_t begin_ns, double begin, int64_t end_ns, double end,
        int64_t at_ns)
{
    if (end_ns <= begin_ns)
        return end;
    return begin + (end - begin) * (double)(at_ns - begin_ns) /
                       (double)(end_ns - begin_ns);
}

double
timeline_value(const struct timeline *timeline, int64_t elapsed_ns)
{
    size_t at = find(timeline, elapsed_ns);
    size_t before = at;
    const struct timeline_slot *slot = &timeline->slots[at];
    const struct timeline_slot *last;

    while (before > 0 && timeline->slots[before - 1].rows == 0)
        before--;
    last = before > 0 ? &timeline->slots[before - 1] : NULL;
    if (last == NULL && at == timeline->count)
        return 0; /* no row at all */
    if (at == timeline->count)
        return last->last;
    if (elapsed_ns >= slot->begin_ns)
        return between(slot->begin_ns, slot->first, slot->end_ns, slot->last,
                       elapsed_ns);
    if (last == NULL)
        return slot->first;
    return between(last->end_ns, last->last, slot->begin_ns, slot->first,
                   elapsed_ns);
}

bool
timeline_largest_within(const struct timeline *timeline, int64_t begin_ns,
                        int64_t end_ns, double *ret_value)
{
    double largest = 0;

    for (size_t at = find(timeline, begin_ns); at < timeline->count; at++) {
        const struct timeline_slot *slot = &timeline->slots[at];

        if (slot->rows == 0)
            continue;
        if (slot->begin_ns > end_ns)
            break;
        if (slot->max_ns >= begin_ns && slot->max_ns <= end_ns)
            largest = num_max_double(largest, slot->max);
    }
    if (!(largest > 0))
        return false;
    *ret_value = largest;
    return true;
}
