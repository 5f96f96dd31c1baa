/* SPDX-License-Identifier: MIT */
/* Labels on and around the curves, placed so that none overlap. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "views/human.h"
#include "views/picture_page.h"

/* Dots for which a name is worth to be cut. */
enum { LEAST_CUT = 40 };

const char *
page_region_colour(size_t number)
{
    static const char *const colours[] = {"#E69F00", "#009E73", "#CC79A7",
                                          "#F0E442", "#D55E00", "#56B4E9",
                                          "#0072B2"};

    return colours[number % (ARRAY_SIZE(colours))];
}

/* The same, cut to most dots. */
static void
put_text_within(struct strbuf *out, const struct page *page, double x, double y,
                double most, const char *align, int font_size, const char *text,
                bool is_boxed)
{
    strbuf_puts(out, "set label ");
    picture_quote(out, text, page_text_most(text, font_size, most));
    strbuf_printf(out, " at screen %.5f,%.5f %s font ',%g' front%s\n",
                  x / PAGE_WIDTH, 1 - y / page->height, align,
                  page_font(page, font_size), is_boxed ? " boxed" : "");
}

void
page_put_box(struct strbuf *out, const struct page *page, double left,
             double top, double right, double bottom, const char *colour,
             double solid)
{
    strbuf_printf(out,
                  "set object rectangle from screen %.5f,%.5f to screen "
                  "%.5f,%.5f behind fc rgb '%s' fs transparent solid %.2f "
                  "noborder\n",
                  left / PAGE_WIDTH, 1 - bottom / page->height,
                  right / PAGE_WIDTH, 1 - top / page->height, colour, solid);
}

static void
put_line(struct strbuf *out, const struct page *page, const struct panel *panel,
         double y, const char *colour)
{
    strbuf_printf(out,
                  "set arrow from screen %.5f,%.5f to screen %.5f,%.5f nohead "
                  "lc rgb '%s' lw 1.2 dt (6,4)\n",
                  panel->left / PAGE_WIDTH, 1 - y / page->height,
                  panel->right / PAGE_WIDTH, 1 - y / page->height, colour);
}

void
page_put_text(struct strbuf *out, const struct page *page, double x, double y,
              const char *align, int font_size, const char *text, bool is_boxed)
{
    put_text_within(out, page, x, y, PAGE_WIDTH - 110, align, font_size, text,
                    is_boxed);
}

/* ---- axes ---- */

static void
put_upright(struct strbuf *out, const struct page *page, double x, double y,
            const char *colour, const char *text)
{
    strbuf_printf(out,
                  "set label '%s' at screen %.5f,%.5f center rotate by 90 "
                  "font ',%g' tc rgb '%s' front\n",
                  text, x / PAGE_WIDTH, 1 - y / page->height,
                  page_font(page, PAGE_FONT), colour);
}

static bool
has_means(const struct page *page, const struct panel *panel)
{
    unsigned first = panel->kind == PANEL_CPU ? RECORDING_CPU : RECORDING_READ;
    unsigned last = panel->kind == PANEL_CPU ? RECORDING_CPU : RECORDING_WRITE;

    for (size_t run = panel->first; run < panel->first + panel->count; run++)
        for (unsigned i = first; i <= last; i++)
            if (page_has_means(page, &page->runs[run].curves[i], i))
                return true;
    return false;
}

static void
put_axes(struct strbuf *out, const struct page *page, const struct panel *panel)
{
    const bool *shows = page->picture->shows;
    bool is_rss =
        shows[RECORDING_RSS] && !shows[RECORDING_VMS] && !shows[RECORDING_PSS];
    bool is_blue = panel->kind == PANEL_MEMORY && is_rss && panel->count == 1 &&
                   !page_is_layered(page, panel->first, RECORDING_RSS);
    bool is_short = panel->bottom - panel->top < 200;
    double middle = (panel->top + panel->bottom) / 2;
    bool is_mean = has_means(page, panel);
    char text[64];

    if (panel->kind == PANEL_MEMORY)
        snprintf(text, sizeof(text), "%s (%s)",
                 is_rss && !is_short ? "memory, RSS"
                 : is_rss            ? "RSS"
                                     : "memory",
                 page->memory.unit);
    else if (panel->kind == PANEL_CPU)
        snprintf(text, sizeof(text), "CPU (%%%s)", is_mean ? ", mean" : "");
    else
        snprintf(text, sizeof(text), "I/O (%s/s%s)", page->io.unit,
                 is_mean ? ", mean" : "");
    put_upright(out, page, 16, middle, is_blue ? "#0072B2" : "#000000", text);
    if (panel->has_cpu)
        put_upright(out, page, PAGE_WIDTH - 14, middle, "#D55E00",
                    is_short ? "CPU (%)" : "CPU (%), 100 = one core");
    if (panel != &page->panels[page->panel_count - 1])
        return;
    snprintf(text, sizeof(text), "time (%s)", page->time.unit);
    page_put_text(out, page, (panel->left + panel->right) / 2,
                  panel->bottom + 47, "center", PAGE_FONT, text, false);
}

/* ---- regions ---- */

static bool
fits(const char *text, double width)
{
    return page_text_width(text, PAGE_TINY) + 4 <= width;
}

/* One name that is too long stands in the legend, those of more runs do not. */
static void
put_region(struct strbuf *out, const struct page *page,
           const struct panel *panel, const struct lane_box *box, double top,
           const char *colour)
{
    double left = panel->left + box->begin;
    double right = panel->left + box->end;
    double middle = top + PAGE_LANE / 2.0;
    STRBUF_AUTO label = {0};
    char count[32];

    lanes_label(&label, box, false);
    if (box->has_several)
        snprintf(count, sizeof(count), "%lld regions", (long long)box->regions);
    page_put_box(out, page, left, top + 1, right, top + PAGE_LANE - 1, colour,
                 0.55);
    if (fits(strbuf_text(&label), right - left))
        page_put_text(out, page, (left + right) / 2, middle, "center",
                      PAGE_TINY, strbuf_text(&label), false);
    else if (box->has_several && fits(count, right - left))
        page_put_text(out, page, (left + right) / 2, middle, "center",
                      PAGE_TINY, count, false);
    else if (page->count > 1 && right - left >= LEAST_CUT)
        put_text_within(out, page, (left + right) / 2, middle,
                        right - left - 4 - PAGE_TINY, "center", PAGE_TINY,
                        strbuf_text(&label), false);
}

static void
put_regions(struct strbuf *out, const struct page *page,
            const struct panel *panel)
{
    double top = panel->top - 4;

    for (size_t i = 0; panel->lanes != NULL && i < panel->count; i++)
        top -= panel->lanes[i].used * PAGE_LANE;
    for (size_t i = 0; panel->lanes != NULL && i < panel->count; i++) {
        const struct lanes *lanes = &panel->lanes[i];

        for (size_t k = 0; k < lanes->count; k++) {
            const struct lane_box *box = &lanes->boxes[k];
            const char *colour =
                panel->count > 1 ? page_run_colour(page, panel->first + i)
                : box->is_mixed  ? PAGE_SEVERAL_COLOUR
                                 : page_region_colour(box->name_number);

            put_region(out, page, panel, box, top + box->lane * PAGE_LANE,
                       colour);
            if (panel->count == 1 && box->lane == 0 && !box->is_mixed)
                page_put_box(out, page, panel->left + box->begin, panel->top,
                             panel->left + box->end, panel->bottom, colour,
                             0.10);
        }
        top += lanes->used * PAGE_LANE;
    }
}

/* ---- peak and limit ---- */

static void
put_point(struct strbuf *out, const struct page *page, double x, double y,
          const char *colour, bool is_full)
{
    strbuf_printf(out,
                  "set label '' at screen %.5f,%.5f point pt %d ps 0.7 "
                  "lc rgb '%s' front\n",
                  x / PAGE_WIDTH, 1 - y / page->height, is_full ? 7 : 6,
                  colour);
}

/* Of several runs in a panel a point each; their figures are the legend's. */
static void
put_peak_point(struct strbuf *out, const struct page *page,
               const struct panel *panel, size_t number)
{
    const struct recording *run = &page->runs[number];
    struct timeline_point point = {run->peak_elapsed_ns,
                                   (double)run->peak_bytes};

    if (point.elapsed_ns == NUM_UNKNOWN &&
        !timeline_largest(&run->curves[RECORDING_RSS], &point))
        return;
    put_point(out, page, page_x(page, panel, point.elapsed_ns),
              page_memory_y(page, panel, point.value),
              page_run_colour(page, number),
              run->peak_elapsed_ns != NUM_UNKNOWN);
}

/* A point, or a line where the time is not known, and a label inside. */
static void
put_peak(struct strbuf *out, const struct page *page, const struct panel *panel)
{
    const struct recording *run = &page->runs[panel->first];
    bool is_known = run->peak_elapsed_ns != NUM_UNKNOWN;
    double x = page_x(page, panel, num_max(run->peak_elapsed_ns, 0));
    double y = page_memory_y(page, panel, (double)run->peak_bytes);
    STRBUF_AUTO text = {0};
    double half;

    human_peak_recording(&text, run);
    if (is_known) {
        put_point(out, page, x, y, "#000000", true);
        strbuf_puts(&text, ", ");
        human_duration(&text, run->peak_elapsed_ns);
    } else {
        put_line(out, page, panel, y, "#000000");
    }
    half = page_text_width(strbuf_text(&text), PAGE_SMALL) / 2 + 6;
    if (x < panel->left + half)
        x = panel->left + half;
    if (x > panel->right - half)
        x = panel->right - half;
    page_put_text(out, page, x, y - 14, "center", PAGE_SMALL,
                  strbuf_text(&text), true);
}

/* The limit of all runs of a panel; NUM_UNKNOWN where they differ. */
static int64_t
limit_of(const struct page *page, const struct panel *panel)
{
    int64_t limit_bytes = page->runs[panel->first].limit_bytes;

    for (size_t i = 1; i < panel->count; i++)
        if (page->runs[panel->first + i].limit_bytes != limit_bytes)
            return NUM_UNKNOWN;
    return limit_bytes;
}

/* A line with its label, or a note where it is far above. */
static void
put_limit(struct strbuf *out, const struct page *page,
          const struct panel *panel)
{
    const struct recording *run = &page->runs[panel->first];
    int64_t limit_bytes = limit_of(page, panel);
    bool is_seen = (double)limit_bytes / page->memory.scale <= page->memory_top;
    bool is_left = run->peak_elapsed_ns != NUM_UNKNOWN &&
                   page_x(page, panel, run->peak_elapsed_ns) >
                       (panel->left + panel->right) / 2;
    STRBUF_AUTO text = {0};
    double y;

    if (limit_bytes == NUM_UNKNOWN)
        return;
    y = is_seen ? page_memory_y(page, panel, (double)limit_bytes) : panel->top;
    if (is_seen)
        put_line(out, page, panel, y, "#000000");
    strbuf_puts(&text, "limit ");
    human_bytes(&text, limit_bytes);
    strbuf_puts(&text, is_seen ? "" : ", above");
    page_put_text(out, page, is_left ? panel->left + 6 : panel->right - 6,
                  y + 10, is_left ? "left" : "right", PAGE_SMALL,
                  strbuf_text(&text), false);
}

void
page_marks(const struct page *page, const struct panel *panel,
           struct strbuf *out)
{
    bool is_first = panel == page->panels;

    if (is_first && page->picture->title != NULL)
        page_put_text(out, page, 72, 22, "left", PAGE_LARGE,
                      page->picture->title, false);
    if (is_first)
        page_legend(page, out);
    if (page->picture->is_stacked && panel->kind == PANEL_MEMORY &&
        page->runs[panel->first].name != NULL) {
        double top = panel->top - 12;

        if (panel->lanes != NULL)
            top -= panel->lanes[0].used * PAGE_LANE + 4;
        page_put_text(out, page, panel->left, top, "left", PAGE_SMALL,
                      page->runs[panel->first].name, false);
    }
    put_axes(out, page, panel);
    put_regions(out, page, panel);
    if (panel->kind != PANEL_MEMORY || !page->picture->shows[RECORDING_RSS])
        return;
    for (size_t i = panel->first; i < panel->first + panel->count; i++)
        if (panel->count > 1 && page_is_named(page, i) &&
            page->runs[i].peak_bytes != NUM_UNKNOWN)
            put_peak_point(out, page, panel, i);
    if (panel->count == 1 && page->runs[panel->first].peak_bytes != NUM_UNKNOWN)
        put_peak(out, page, panel);
    put_limit(out, page, panel);
}
