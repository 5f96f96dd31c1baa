/* SPDX-License-Identifier: MIT */
/* Sorts regions by their start and gives each the first lane that is free. */
#include "views/lanes.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/num.h"

struct span {
    const char *name;
    size_t name_number;
    int64_t begin_ns;
    int64_t end_ns;
};

static int
compare(const void *a, const void *b)
{
    const struct span *one = a;
    const struct span *two = b;

    if (one->begin_ns != two->begin_ns)
        return one->begin_ns < two->begin_ns ? -1 : 1;
    if (one->end_ns != two->end_ns) /* what holds others comes first */
        return one->end_ns > two->end_ns ? -1 : 1;
    return 0;
}

static size_t
count_spans(const struct regions *regions)
{
    const char *name;
    int64_t ns;
    size_t count = 0;

    for (size_t i = 0; i < regions->count; i++)
        for (size_t k = 0; regions_span(regions, i, k, &name, &ns, &ns); k++)
            count++;
    return count;
}

/* All that is seen, in order; returns how many. */
static size_t
take_spans(const struct regions *regions, int64_t from_ns, int64_t to_ns,
           struct span *spans)
{
    struct span span;
    size_t count = 0;
    int64_t ns;

    for (size_t i = 0; i < regions->count; i++)
        for (size_t k = 0;
             regions_span(regions, i, k, &span.name, &span.begin_ns, &ns);
             k++) {
            span.name_number = i;
            span.end_ns = num_add(num_max(span.begin_ns, 0), ns);
            if (span.end_ns < from_ns || span.begin_ns > to_ns)
                continue;
            span.begin_ns = num_max(span.begin_ns, from_ns);
            if (span.end_ns > to_ns)
                span.end_ns = to_ns;
            spans[count++] = span;
        }
    qsort(spans, count, sizeof(*spans), compare);
    return count;
}

/* Puts a box behind the last one of its lane, or makes that longer. */
static int
add_box(struct lanes *lanes, size_t *allocated, long *last,
        const struct lane_box *box)
{
    struct lane_box *before = *last >= 0 ? &lanes->boxes[*last] : NULL;
    struct lane_box added = *box;
    struct lane_box *boxes;

    if (before != NULL && before->name_number == box->name_number &&
        box->begin < before->end + 1) {
        before->end = before->end > box->end ? before->end : box->end;
        return 0;
    }
    if (before != NULL && added.begin < before->end)
        added.begin = before->end;
    if (added.end - added.begin < 0.5)
        return 0;
    if (lanes->count == *allocated) {
        *allocated = *allocated < 64 ? 64 : *allocated * 2;
        boxes = realloc(lanes->boxes, *allocated * sizeof(*boxes));
        if (boxes == NULL)
            return -ENOMEM;
        lanes->boxes = boxes;
    }
    *last = (long)lanes->count;
    lanes->boxes[lanes->count++] = added;
    return 0;
}

int
lanes_init(struct lanes *lanes, const struct regions *regions, int64_t from_ns,
           int64_t to_ns, int width, int most)
{
    FREE_AUTO struct span *spans =
        calloc(count_spans(regions) + 1, sizeof(*spans));
    double scale = (double)width / (double)num_max(to_ns - from_ns, 1);
    int64_t ends[LANES_MOST];
    long last[LANES_MOST];
    size_t allocated = 0;
    size_t count;

    *lanes = (struct lanes){0};
    if (spans == NULL)
        return -ENOMEM;
    for (int i = 0; i < LANES_MOST; i++)
        ends[i] = last[i] = -1;
    count = take_spans(regions, from_ns, to_ns, spans);
    for (size_t i = 0; i < count; i++) {
        struct lane_box box = {
            .name = spans[i].name,
            .name_number = spans[i].name_number,
            .begin = (double)(spans[i].begin_ns - from_ns) * scale,
            .end = (double)(spans[i].end_ns - from_ns) * scale};

        if (box.end < box.begin + 1)
            box.end = box.begin + 1;
        if (box.end > width) {
            box.begin -= box.end - width;
            box.end = width;
        }
        while (box.lane < most && ends[box.lane] > spans[i].begin_ns)
            box.lane++;
        if (box.lane == most) {
            lanes->left++;
            continue;
        }
        if (lanes->used <= box.lane)
            lanes->used = box.lane + 1;
        ends[box.lane] = spans[i].end_ns;
        if (add_box(lanes, &allocated, &last[box.lane], &box) < 0)
            return -ENOMEM;
    }
    return 0;
}

void
lanes_done(struct lanes *lanes)
{
    free(lanes->boxes);
    *lanes = (struct lanes){0};
}
