/* SPDX-License-Identifier: MIT */
/* The legend: entries from left to right, in as many rows as they take. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "views/human.h"
#include "views/picture_page.h"

enum {
    NAME_MOST = 60,
    REGIONS_MOST = 12,
};

struct legend {
    const struct page *page;
    struct strbuf *out; /* NULL: only counts rows */
    double x;
    int row;
};

static void
legend_add(struct legend *legend, const char *colour, double solid,
           const char *text)
{
    const struct page *page = legend->page;
    STRBUF_AUTO label = {0};
    double width;
    double y;

    strbuf_append(&label, text, strnlen(text, 4 * NAME_MOST));
    width = page_text_width(strbuf_text(&label), PAGE_SMALL) + 34;
    if (legend->row == 0 || legend->x + width > PAGE_WIDTH - 20) {
        legend->row++;
        legend->x = 72;
    }
    if (legend->out != NULL) {
        y = 14 + (page->picture->title != NULL ? 26 : 0) +
            (legend->row - 0.5) * PAGE_ROW;
        page_put_box(legend->out, page, legend->x, y - 5, legend->x + 14, y + 5,
                     colour, solid);
        page_put_text(legend->out, page, legend->x + 19, y, "left", PAGE_SMALL,
                      strbuf_text(&label), false);
    }
    legend->x += width;
}

static void
legend_runs(struct legend *legend)
{
    const struct page *page = legend->page;

    size_t others = 0;
    char text_others[64];

    for (size_t i = 0; i < page->count; i++) {
        STRBUF_AUTO text = {0};

        if (!page_is_named(page, i)) {
            others++;
            continue;
        }
        strbuf_append(
            &text, page->runs[i].name != NULL ? page->runs[i].name : "",
            page->runs[i].name != NULL ? strnlen(page->runs[i].name, NAME_MOST)
                                       : 0);
        if (page->picture->shows[RECORDING_RSS] &&
            page->runs[i].peak_bytes != NUM_UNKNOWN) {
            strbuf_puts(&text, ": ");
            human_peak_recording(&text, &page->runs[i]);
        }
        legend_add(legend, page_run_colour(page, i), 1, strbuf_text(&text));
    }
    if (others == 0)
        return;
    snprintf(text_others, sizeof(text_others),
             "%zu other run%s, with smaller peaks", others,
             others == 1 ? "" : "s");
    legend_add(legend, "#AAAAAA", 1, text_others);
}

static bool
some_run_has(const struct page *page, enum recording_curve which)
{
    for (size_t i = 0; i < page->count; i++)
        if (recording_has(&page->runs[i], which))
            return true;
    return false;
}

/* By colour; of overlaid runs, which have these, by the kind of line. */
static void
legend_curves(struct legend *legend)
{
    static const struct {
        enum recording_curve which;
        const char *colour;
        const char *name;
    } curves[] = {{RECORDING_RSS, "#0072B2", "RSS"},
                  {RECORDING_VMS, "#009E73", "VMS (dashed)"},
                  {RECORDING_PSS, "#CC79A7", "PSS (dotted)"},
                  {RECORDING_CPU, "#D55E00", "CPU"},
                  {RECORDING_READ, "#56B4E9", "read"},
                  {RECORDING_WRITE, "#E69F00", "written (dashed)"}};
    const struct page *page = legend->page;
    const bool *shows = page->picture->shows;
    STRBUF_AUTO kinds = {0};

    if (!shows[RECORDING_VMS] && !shows[RECORDING_PSS] &&
        !shows[RECORDING_READ])
        return;
    for (size_t i = 0; i < ARRAY_SIZE(curves); i++) {
        if (!shows[curves[i].which] || !some_run_has(page, curves[i].which))
            continue;
        if (!page_is_overlaid(page))
            legend_add(legend, curves[i].colour, 1, curves[i].name);
        strbuf_printf(&kinds, "%s%s", kinds.size > 0 ? ", " : "",
                      curves[i].name);
    }
    if (page_is_overlaid(page) && kinds.size > 0)
        legend_add(legend, "#ffffff", 0, strbuf_text(&kinds));
}

/* Whether the label stands in the box. */
static bool
is_labelled(const struct lane_box *box)
{
    STRBUF_AUTO label = {0};

    lanes_label(&label, box, false);
    return page_text_width(strbuf_text(&label), PAGE_TINY) + 4 <=
           box->end - box->begin;
}

/* Whether a box before this one, or a labelled one, has its first name. */
static bool
is_explained(const struct lanes *lanes, size_t at)
{
    const struct lane_box *box = &lanes->boxes[at];

    for (size_t i = 0; i < lanes->count; i++)
        if (lanes->boxes[i].name_number == box->name_number &&
            !lanes->boxes[i].is_mixed &&
            (i < at || is_labelled(&lanes->boxes[i])))
            return true;
    return false;
}

static void
add_count(struct legend *legend, const char *colour, int64_t count,
          const char *before, const char *behind)
{
    STRBUF_AUTO text = {0};

    if (count == 0)
        return;
    strbuf_printf(&text, "%lld %sregion%s%s", (long long)count, before,
                  count == 1 ? "" : "s", behind);
    legend_add(legend, colour, colour[1] == 'f' ? 0 : 0.55, strbuf_text(&text));
}

/* Regions of one run whose labels do not fit above the curves. */
static void
legend_regions(struct legend *legend, const struct lanes *lanes)
{
    int64_t listed = 0;
    int64_t more = 0;
    int64_t several = 0;

    for (size_t i = 0; i < lanes->count; i++) {
        const struct lane_box *box = &lanes->boxes[i];

        if (box->is_mixed)
            several += is_labelled(box) ? 0 : box->regions;
        else if (is_labelled(box) || is_explained(lanes, i))
            continue;
        else if (listed++ < REGIONS_MOST)
            legend_add(legend, page_region_colour(box->name_number), 0.6,
                       box->names[0]);
        else
            more++;
    }
    add_count(legend, "#ffffff", more, "more ", "");
    add_count(legend, PAGE_SEVERAL_COLOUR, several, "",
              " too short to be drawn one by one");
}

/* Regions that the lanes of all runs omit, and the names of one run. */
static void
legend_lanes(struct legend *legend)
{
    const struct page *page = legend->page;
    double width = PAGE_WIDTH - page->right_axis - page->left;
    int64_t left = 0;

    for (size_t i = 0; i < page->count; i++) {
        struct lanes lanes;

        if (page->runs[i].regions.count > 0 && page_is_named(page, i) &&
            page_lanes(page, i, width, &lanes) == 0) {
            left += lanes.left;
            if (page->count == 1)
                legend_regions(legend, &lanes);
            lanes_done(&lanes);
        }
    }
    add_count(legend, "#ffffff", left, "", " inside others not shown");
}

static void
legend_layer(void *context, const char *colour, const char *label)
{
    legend_add(context, colour, 1, label);
}

int
page_legend(const struct page *page, struct strbuf *out)
{
    struct legend legend = {.page = page, .out = out};

    if (page_is_overlaid(page))
        legend_runs(&legend);
    legend_curves(&legend);
    page_layers_legend(page, legend_layer, &legend);
    legend_lanes(&legend);
    return legend.row;
}
