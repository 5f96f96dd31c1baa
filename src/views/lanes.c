/* SPDX-License-Identifier: MIT */
/*
 * Sorts regions by their start, gives each the first lane that is free, and
 * puts those that are too short to be seen into one box with their neighbours.
 */
#include "views/lanes.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/num.h"

struct span {
    const char *name;
    size_t name_number;
    int64_t begin_ns;
    int64_t end_ns;
    int lane;
};

/* The boxes of one lane; times are those of the newest box, by name. */
struct layout {
    struct lanes *lanes;
    const struct lanes_room *room;
    size_t allocated;
    int64_t *times_ns;  /* by number of the name */
    const char **names; /* likewise */
    size_t *touched;    /* numbers that have a time */
    size_t touched_count;
    long last;     /* the newest box; -1: none in this lane */
    bool is_short; /* it is of short regions alone */
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
take_spans(const struct regions *regions, const struct lanes_room *room,
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
            if (span.end_ns < room->from_ns || span.begin_ns > room->to_ns)
                continue;
            span.begin_ns = num_max(span.begin_ns, room->from_ns);
            if (span.end_ns > room->to_ns)
                span.end_ns = room->to_ns;
            spans[count++] = span;
        }
    qsort(spans, count, sizeof(*spans), compare);
    return count;
}

/* Gives each the first lane that is free. */
static void
assign(struct lanes *lanes, struct span *spans, size_t count, int most)
{
    int64_t ends[LANES_MOST];

    for (int i = 0; i < LANES_MOST; i++)
        ends[i] = -1;
    for (size_t i = 0; i < count; i++) {
        struct span *span = &spans[i];

        span->lane = 0;
        while (span->lane < most && ends[span->lane] > span->begin_ns)
            span->lane++;
        if (span->lane == most) {
            lanes->left++;
            continue;
        }
        if (lanes->used <= span->lane)
            lanes->used = span->lane + 1;
        ends[span->lane] = span->end_ns;
    }
}

/* Names the newest box by the times of its regions. */
static void
close_box(struct layout *layout)
{
    struct lane_box *box;
    int64_t total_ns = 0;

    if (layout->last < 0)
        return;
    box = &layout->lanes->boxes[layout->last];
    for (size_t i = 0; i < layout->touched_count; i++)
        total_ns = num_add(total_ns, layout->times_ns[layout->touched[i]]);
    for (int k = 0; k < LANES_NAMED && (size_t)k < layout->touched_count; k++) {
        size_t best = (size_t)k;
        size_t number;

        for (size_t i = best + 1; i < layout->touched_count; i++)
            if (layout->times_ns[layout->touched[i]] >
                layout->times_ns[layout->touched[best]])
                best = i;
        number = layout->touched[best];
        layout->touched[best] = layout->touched[k];
        layout->touched[k] = number;
        box->names[k] = layout->names[number];
        if (k > 0)
            continue;
        box->name_number = number;
        box->is_mixed = layout->times_ns[number] < total_ns - total_ns / 10;
    }
    box->has_several = layout->touched_count > 1;
    box->has_more = layout->touched_count > LANES_NAMED;
    for (size_t i = 0; i < layout->touched_count; i++)
        layout->times_ns[layout->touched[i]] = 0;
    layout->touched_count = 0;
}

/* One more region in the newest box. */
static void
join(struct layout *layout, const struct span *span, double end)
{
    struct lane_box *box = &layout->lanes->boxes[layout->last];

    if (layout->times_ns[span->name_number] == 0)
        layout->touched[layout->touched_count++] = span->name_number;
    layout->names[span->name_number] = span->name;
    /* One that took no time is in the list too. */
    layout->times_ns[span->name_number] =
        num_add(layout->times_ns[span->name_number],
                num_max(span->end_ns - span->begin_ns, 1));
    box->regions++;
    if (end > box->end)
        box->end = end;
}

static int
add_box(struct layout *layout, const struct lane_box *box)
{
    struct lanes *lanes = layout->lanes;

    if (array_grow(&lanes->boxes, lanes->count, &layout->allocated,
                   sizeof(*lanes->boxes)) < 0)
        return -ENOMEM;
    close_box(layout);
    layout->last = (long)lanes->count;
    lanes->boxes[lanes->count++] = *box;
    return 0;
}

/* Whether a region belongs to the newest box. */
static bool
joins(const struct layout *layout, const struct span *span, double begin,
      bool is_short)
{
    const struct lane_box *box;

    if (layout->last < 0)
        return false;
    box = &layout->lanes->boxes[layout->last];
    if (layout->is_short && is_short)
        return begin < box->end + layout->room->least;
    return layout->touched_count == 1 &&
           layout->touched[0] == span->name_number && begin < box->end + 1;
}

static int
lay_out(struct layout *layout, const struct span *span)
{
    const struct lanes_room *room = layout->room;
    double scale =
        room->width / (double)num_max(room->to_ns - room->from_ns, 1);
    double end = (double)(span->end_ns - room->from_ns) * scale;
    struct lane_box box = {.lane = span->lane,
                           .begin = (double)(span->begin_ns - room->from_ns) *
                                    scale};
    bool is_short = end - box.begin < room->least;

    if (end < box.begin + 1)
        end = box.begin + 1;
    if (end > room->width) {
        box.begin -= end - room->width;
        end = room->width;
    }
    if (!joins(layout, span, box.begin, is_short)) {
        if (layout->last >= 0 &&
            box.begin < layout->lanes->boxes[layout->last].end)
            box.begin = layout->lanes->boxes[layout->last].end;
        if (end - box.begin < 0.5) /* on the dot of a longer one */
            return 0;
        if (add_box(layout, &box) < 0)
            return -ENOMEM;
        layout->is_short = true;
    }
    layout->is_short = layout->is_short && is_short;
    join(layout, span, end);
    return 0;
}

int
lanes_init(struct lanes *lanes, const struct regions *regions,
           const struct lanes_room *room)
{
    FREE_AUTO struct span *spans =
        calloc(count_spans(regions) + 1, sizeof(*spans));
    FREE_AUTO int64_t *times_ns = calloc(regions->count + 1, sizeof(*times_ns));
    FREE_AUTO const char **names = calloc(regions->count + 1, sizeof(*names));
    FREE_AUTO size_t *touched = calloc(regions->count + 1, sizeof(*touched));
    struct layout layout = {.lanes = lanes,
                            .room = room,
                            .times_ns = times_ns,
                            .names = names,
                            .touched = touched};
    size_t count;

    *lanes = (struct lanes){0};
    if (spans == NULL || times_ns == NULL || names == NULL || touched == NULL)
        return -ENOMEM;
    count = take_spans(regions, room, spans);
    assign(lanes, spans, count, room->most);
    for (int lane = 0; lane < lanes->used; lane++) {
        layout.last = -1;
        for (size_t i = 0; i < count; i++)
            if (spans[i].lane == lane && lay_out(&layout, &spans[i]) < 0)
                return -ENOMEM;
        close_box(&layout);
    }
    return 0;
}

void
lanes_done(struct lanes *lanes)
{
    free(lanes->boxes);
    *lanes = (struct lanes){0};
}

void
lanes_label(struct strbuf *out, const struct lane_box *box, bool is_ascii)
{
    for (int i = 0; i < LANES_NAMED && box->names[i] != NULL; i++) {
        strbuf_puts(out, i > 0 ? ", " : "");
        strbuf_puts(out, box->names[i]);
    }
    if (box->has_several)
        strbuf_printf(out, "%s: %lld regions", box->has_more ? ", ..." : "",
                      (long long)box->regions);
    else if (box->regions > 1)
        strbuf_printf(out, " %s %lld", is_ascii ? "x" : "\xC3\x97",
                      (long long)box->regions);
}
