/* SPDX-License-Identifier: MIT */
/* Slots of a curve; see curve.h.  Knows nothing of what is drawn. */
#include "model/curve.h"

#include <errno.h>
#include <stdlib.h>

#include "base/num.h"

void
curve_init(struct curve *curve)
{
    *curve = (struct curve){.width_ns = NUM_NS_PER_MS};
}

void
curve_done(struct curve *curve)
{
    free(curve->slots);
    curve_init(curve);
}

static void
merge(struct curve_slot *into, const struct curve_slot *from)
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
    into->rows += from->rows;
    into->sum += from->sum;
    into->weight += from->weight;
}

static void
halve(struct curve *curve)
{
    size_t kept = (curve->count + 1) / 2;

    for (size_t i = 0; i < kept; i++) {
        struct curve_slot slot = curve->slots[2 * i];

        if (2 * i + 1 < curve->count)
            merge(&slot, &curve->slots[2 * i + 1]);
        curve->slots[i] = slot;
    }
    curve->count = kept;
    curve->width_ns = num_mul(curve->width_ns, 2);
}

int
curve_push(struct curve *curve, int64_t elapsed_ns, double value)
{
    struct curve_slot slot = {.rows = 1,
                              .min_ns = elapsed_ns,
                              .max_ns = elapsed_ns,
                              .min = value,
                              .max = value};
    int64_t offset_ns;
    size_t at;

    if (curve->slots == NULL) {
        curve->slots = calloc(CURVE_SLOTS, sizeof(*curve->slots));
        if (curve->slots == NULL)
            return -ENOMEM;
        curve->base_ns = curve->last_ns = elapsed_ns;
    }
    slot.weight = (double)num_max(elapsed_ns - curve->last_ns, 0);
    slot.sum = slot.weight * value;
    offset_ns = num_max(elapsed_ns - curve->base_ns, 0);
    while (offset_ns / curve->width_ns >= CURVE_SLOTS)
        halve(curve);
    at = (size_t)(offset_ns / curve->width_ns);
    while (curve->count <= at)
        curve->slots[curve->count++] = (struct curve_slot){0};
    merge(&curve->slots[at], &slot);
    curve->last_ns = num_max(curve->last_ns, elapsed_ns);
    curve->rows++;
    return 0;
}

size_t
curve_points(const struct curve *curve, size_t slot,
             struct curve_point points[2])
{
    const struct curve_slot *from = &curve->slots[slot];
    struct curve_point min = {from->min_ns, from->min};
    struct curve_point max = {from->max_ns, from->max};

    if (from->rows == 0)
        return 0;
    points[0] = from->min_ns <= from->max_ns ? min : max;
    points[1] = from->min_ns <= from->max_ns ? max : min;
    return from->min_ns == from->max_ns ? 1 : 2;
}

struct curve_point
curve_mean(const struct curve *curve, size_t slot)
{
    const struct curve_slot *from = &curve->slots[slot];

    return (struct curve_point){
        .elapsed_ns = from->rows == 1
                          ? from->max_ns
                          : curve->base_ns + (int64_t)slot * curve->width_ns +
                                curve->width_ns / 2,
        .value = from->weight > 0 ? from->sum / from->weight : from->max};
}

bool
curve_is_dense(const struct curve *curve)
{
    return curve->rows > 4 * CURVE_SLOTS;
}

bool
curve_largest(const struct curve *curve, struct curve_point *ret_point)
{
    struct curve_slot all = {0};

    for (size_t i = 0; i < curve->count; i++)
        merge(&all, &curve->slots[i]);
    if (all.rows == 0)
        return false;
    *ret_point = (struct curve_point){all.max_ns, all.max};
    return true;
}

bool
curve_at(const struct curve *curve, int64_t begin_ns, int64_t end_ns,
         bool holds, double *ret_value)
{
    double before = -1;
    bool has_before = false;
    bool is_found = false;

    for (size_t i = 0; i < curve->count; i++) {
        struct curve_point points[2];
        size_t count = curve_points(curve, i, points);

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
