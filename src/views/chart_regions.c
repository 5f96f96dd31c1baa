/* SPDX-License-Identifier: MIT */
/* Places boxes in lanes, and their names in the boxes. */
#include "views/chart_regions.h"

#include <stdio.h>

#include "views/lanes.h"

enum {
    MOST_LANES = 2,
    LEAST_BOX = 2, /* columns of one region */
};

/* What boxes are made of. */
struct glyphs {
    const char *begin;
    const char *line;
    const char *end;
    const char *one; /* a box of one column */
};

static void
put_box(struct cells *cells, const struct lane_box *box, int left,
        bool is_ascii)
{
    static const struct glyphs unicode = {"├", "─", "┤", "╎"};
    static const struct glyphs ascii = {"[", "-", "]", "|"};
    const struct glyphs *glyphs = is_ascii ? &ascii : &unicode;
    int begin = left + (int)box->begin;
    int end = left - 1 + (int)box->end;
    int room = end - begin - 1;
    STRBUF_AUTO label = {0};
    int width;

    if (end <= begin) {
        cells_put(cells, begin, glyphs->one);
        return;
    }
    lanes_label(&label, box, is_ascii);
    width = cells_width(strbuf_text(&label));
    cells_put(cells, begin, glyphs->begin);
    for (int i = begin + 1; i < end; i++)
        cells_put(cells, i, glyphs->line);
    cells_put(cells, end, glyphs->end);
    if (width <= room)
        cells_put(cells, begin + 1 + (room - width) / 2, strbuf_text(&label));
    else if (room >= 4)
        cells_put_most(cells, begin + 1, room, strbuf_text(&label));
}

static void
end_line(struct cells *cells, struct strbuf *out)
{
    cells_append(cells, out);
    cells_clear(cells);
}

int
chart_regions(struct strbuf *out, struct cells *cells,
              const struct regions *regions,
              const struct chart_regions_room *room, bool is_ascii)
{
    const struct lanes_room lanes_room = {.from_ns = room->from_ns,
                                          .to_ns = room->to_ns,
                                          .width = room->columns,
                                          .least = LEAST_BOX,
                                          .most = MOST_LANES};
    struct lanes lanes;
    char text[64];
    int rc = lanes_init(&lanes, regions, &lanes_room);

    for (int lane = 0; lane < lanes.used && rc == 0; lane++) {
        for (size_t i = 0; i < lanes.count; i++)
            if (lanes.boxes[i].lane == lane)
                put_box(cells, &lanes.boxes[i], room->left, is_ascii);
        end_line(cells, out);
    }
    if (lanes.left > 0 && rc == 0) {
        snprintf(text, sizeof(text), "%lld region%s inside others not shown",
                 (long long)lanes.left, lanes.left == 1 ? "" : "s");
        cells_put_most(cells, room->left, room->columns, text);
        end_line(cells, out);
    }
    lanes_done(&lanes);
    return rc;
}
