/* SPDX-License-Identifier: MIT */
/* Axes and the places of panels; draws nothing. */
#include "views/picture_page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

enum {
    LEFT = 72,
    RIGHT = 26,      /* without an axis there */
    RIGHT_AXIS = 72, /* with one */
    BESIDE = 40,     /* what stands there but for the labels */
    TOP = 14,
    TITLE = 26,
    FOOT = 60,  /* ticks and name of the time axis */
    TICKS = 30, /* ticks alone */
    TALL = 330,
    SHORT = 150,
    LAYERED = 220, /* CPU in layers */
    LEAST_BOX = 4, /* of a region of its own */
    MEANS = 60,    /* of a curve */
    FEW_RUNS = 3,  /* whose CPU can be told apart, row by row */
};

/* Room above the largest value, for the label of the peak. */
static const double headroom = 1.2;
/* More for CPU, so that two curves of one shape do not lie on each other. */
static const double cpu_headroom = 1.4;

bool
page_is_named(const struct page *page, size_t run)
{
    return page->colours[run] < PAGE_COLOURS;
}

/* Okabe and Ito's colours, which the colour-blind can tell apart, and grey. */
const char *
page_run_colour(const struct page *page, size_t run)
{
    static const char *const colours[PAGE_COLOURS + 1] = {
        "#0072B2", "#D55E00", "#009E73", "#CC79A7",
        "#E69F00", "#56B4E9", "#000000", "#AAAAAA"};

    return colours[page->colours[run]];
}

/* Of a byte that begins a character, in parts of the font's size. */
static double
width_of(unsigned char byte)
{
    if (byte < 0x80)
        return strchr("iljft.,:;|!'()[] ", byte) != NULL ? 0.4
               : byte >= 'A' && byte <= 'Z'              ? 0.68
                                                         : 0.62;
    if (byte >= 0xE0) /* may be as wide as it is high */
        return 1;
    return byte >= 0xC0 ? 0.65 : 0;
}

double
page_text_width(const char *text, int font_size)
{
    double width = 0;

    for (; *text != '\0'; text++)
        width += width_of((unsigned char)*text);
    return width * font_size;
}

size_t
page_text_most(const char *text, int font_size, double dots)
{
    double width = 0;
    size_t count = 0;

    for (; *text != '\0'; text++) {
        width += width_of((unsigned char)*text) * font_size;
        if (width > dots)
            return count;
        count += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return count;
}

double
page_font(const struct page *page, int font_size)
{
    /* The cairo terminals take points, 4 of which are 3 dots here. */
    return page->picture->format == PICTURE_SVG ? font_size : font_size * 0.75;
}

bool
page_is_overlaid(const struct page *page)
{
    return page->count > 1 && !page->picture->is_stacked;
}

int64_t
page_mean_ns(const struct page *page)
{
    return num_max((page->to_ns - page->from_ns) / MEANS, 1);
}

bool
page_has_means(const struct page *page, const struct timeline *curve,
               unsigned which)
{
    return which >= RECORDING_CPU && page_is_overlaid(page) &&
           page->count > FEW_RUNS && curve->rows > MEANS;
}

double
page_x(const struct page *page, const struct panel *panel, int64_t elapsed_ns)
{
    double part = (double)(elapsed_ns - page->from_ns) /
                  (double)(page->to_ns - page->from_ns);

    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return panel->left + part * (panel->right - panel->left);
}

double
page_memory_y(const struct page *page, const struct panel *panel, double bytes)
{
    double part = bytes / page->memory.scale / page->memory_top;

    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return panel->bottom - part * (panel->bottom - panel->top);
}

static bool
shows(const struct page *page, size_t first, size_t count, unsigned which)
{
    if (!page->picture->shows[which])
        return false;
    for (size_t i = first; i < first + count; i++)
        if (recording_has(&page->runs[i], which))
            return true;
    return false;
}

static double
largest_of(const struct page *page, unsigned first, unsigned last)
{
    double largest = 0;

    for (size_t i = 0; i < page->count; i++)
        for (unsigned k = first; k <= last; k++) {
            struct timeline_point point = {0};

            if (!page->picture->shows[k])
                continue;
            if (page_is_layered(page, i, k))
                point.value = page->runs[i].layers.most[page_layers_kind(k)];
            else
                timeline_largest(&page->runs[i].curves[k], &point);
            largest = num_max_double(largest, point.value);
        }
    return largest;
}

static void
set_time(struct page *page)
{
    page->from_ns = num_max(page->runs[0].from_ns, 0);
    page->to_ns = page->from_ns;
    for (size_t i = 0; i < page->count; i++)
        page->to_ns = num_max(page->to_ns, recording_end(&page->runs[i]));
    if (page->to_ns <= page->from_ns)
        page->to_ns = page->from_ns + NUM_NS_PER_S;
    page->time = ticks_time((double)page->from_ns, (double)page->to_ns, 10);
}

static void
set_axes(struct page *page)
{
    double memory = largest_of(page, RECORDING_RSS, RECORDING_PSS);
    double cpu = largest_of(page, RECORDING_CPU, RECORDING_CPU);
    double io = largest_of(page, RECORDING_READ, RECORDING_WRITE);
    int most = page->count > 1 ? 4 : 6;

    for (size_t i = 0; i < page->count; i++)
        if (page->picture->shows[RECORDING_RSS] &&
            (double)page->runs[i].peak_bytes > memory)
            memory = (double)page->runs[i].peak_bytes;
    /* A limit near the peak is seen, one far above would flatten it. */
    for (size_t i = 0; i < page->count; i++)
        if ((double)page->runs[i].limit_bytes > memory &&
            (double)page->runs[i].limit_bytes < 2 * memory)
            memory = (double)page->runs[i].limit_bytes;
    memory = memory > 0 ? memory : 1024;
    cpu = cpu > 10 ? cpu : 10;
    io = io > 0 ? io : 1024;
    page->memory = ticks_bytes(memory, most);
    page->memory_top = memory / page->memory.scale * headroom;
    page->cpu = ticks_percent(cpu, page->count > 1 ? 3 : most);
    page->cpu_top =
        cpu * (page_is_overlaid(page) || page_is_layered(page, 0, RECORDING_CPU)
                   ? 1.08
                   : cpu_headroom);
    page->io = ticks_bytes(io, 3);
    page->io_top = io / page->io.scale * 1.08;
}

/* Dots of the widest label of an axis that ends at top. */
static double
label_width(const struct ticks *ticks, double top)
{
    double width = 0;
    char text[32];

    for (double at = 0; at <= top; at += ticks->step) {
        snprintf(text, sizeof(text), "%g", at);
        if (page_text_width(text, PAGE_FONT) > width)
            width = page_text_width(text, PAGE_FONT);
    }
    return width;
}

/* Room beside the panels for labels and the name of an axis. */
static void
set_margins(struct page *page)
{
    double memory = label_width(&page->memory, page->memory_top);
    double cpu = label_width(&page->cpu, page->cpu_top);
    double io = label_width(&page->io, page->io_top);
    double widest = memory > io ? memory : io;

    if (cpu > widest)
        widest = cpu;
    page->left = widest + BESIDE > LEFT ? widest + BESIDE : LEFT;
    page->right_axis = cpu + BESIDE > RIGHT_AXIS ? cpu + BESIDE : RIGHT_AXIS;
}

/* How many runs have a larger peak; of equal ones the first is larger. */
static size_t
rank_of(const struct page *page, size_t run)
{
    size_t rank = 0;

    for (size_t i = 0; i < page->count; i++)
        rank +=
            page->runs[i].peak_bytes > page->runs[run].peak_bytes ||
            (page->runs[i].peak_bytes == page->runs[run].peak_bytes && i < run);
    return rank;
}

static int
set_colours(struct page *page)
{
    size_t next = 0;

    page->colours = calloc(page->count, sizeof(*page->colours));
    if (page->colours == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < page->count; i++)
        page->colours[i] = !page_is_overlaid(page)           ? 0
                           : rank_of(page, i) < PAGE_COLOURS ? next++
                                                             : PAGE_COLOURS;
    return 0;
}

int
page_lanes(const struct page *page, size_t run, double width,
           struct lanes *ret_lanes)
{
    const struct lanes_room room = {.from_ns = page->from_ns,
                                    .to_ns = page->to_ns,
                                    .width = (int)width,
                                    .least = LEAST_BOX,
                                    .most = !page_is_overlaid(page) ? LANES_MOST
                                            : page_is_named(page, run) ? 1
                                                                       : 0};

    return lanes_init(ret_lanes, &page->runs[run].regions, &room);
}

static int
set_lanes(struct page *page, struct panel *panel)
{
    bool has_regions = false;

    for (size_t i = 0; i < panel->count; i++)
        has_regions |= page->runs[panel->first + i].regions.count > 0;
    if (!has_regions)
        return 0;
    panel->lanes = calloc(panel->count, sizeof(*panel->lanes));
    if (panel->lanes == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < panel->count; i++)
        if (page_lanes(page, panel->first + i, panel->right - panel->left,
                       &panel->lanes[i]) < 0)
            return -ENOMEM;
    return 0;
}

/* One more panel below *top, which moves below it. */
static int
add_panel(struct page *page, enum panel_kind kind, size_t first, size_t count,
          double *top, bool carries_regions)
{
    struct panel *panel = &page->panels[page->panel_count++];
    bool is_small = kind != PANEL_MEMORY || page->picture->is_stacked;
    bool is_layered = page_is_layered(page, first, RECORDING_CPU);
    double height = page->panel_count == 1 && !is_small ? TALL
                    : is_layered && kind != PANEL_IO    ? LAYERED
                                                        : SHORT;
    bool has_axis = false;

    panel->kind = kind;
    panel->first = first;
    panel->count = count;
    panel->has_cpu = kind == PANEL_MEMORY && count == 1 && !is_layered &&
                     shows(page, first, count, RECORDING_CPU);
    for (size_t i = 0; i < page->panel_count; i++)
        has_axis |= page->panels[i].has_cpu;
    panel->left = page->left;
    panel->right = PAGE_WIDTH - (has_axis ? page->right_axis : RIGHT);
    if (carries_regions && set_lanes(page, panel) < 0)
        return -ENOMEM;
    for (size_t i = 0; panel->lanes != NULL && i < count; i++)
        *top += panel->lanes[i].used * PAGE_LANE;
    if (page_is_overlaid(page) || !page->picture->is_stacked)
        *top += 6;
    else
        *top += 30; /* the name of the run */
    panel->top = *top;
    panel->bottom = *top + height;
    *top = panel->bottom + TICKS;
    return 0;
}

static int
add_panels(struct page *page, size_t first, size_t count, double *top)
{
    bool has_memory = shows(page, first, count, RECORDING_RSS) ||
                      shows(page, first, count, RECORDING_VMS) ||
                      shows(page, first, count, RECORDING_PSS);
    bool has_cpu = shows(page, first, count, RECORDING_CPU);
    bool has_io = shows(page, first, count, RECORDING_READ) ||
                  shows(page, first, count, RECORDING_WRITE);
    int rc = 0;

    if (has_memory || (!has_cpu && !has_io))
        rc = add_panel(page, PANEL_MEMORY, first, count, top, true);
    if (rc == 0 && has_cpu &&
        (count > 1 || !has_memory ||
         page_is_layered(page, first, RECORDING_CPU)))
        rc = add_panel(page, PANEL_CPU, first, count, top, !has_memory);
    if (rc == 0 && has_io)
        rc = add_panel(page, PANEL_IO, first, count, top,
                       !has_memory && !has_cpu);
    return rc;
}

int
page_init(struct page *page, const struct picture *picture,
          const struct recording *runs, size_t count)
{
    double top = TOP;
    int rc = 0;

    *page = (struct page){.picture = picture, .runs = runs, .count = count};
    page->panels = calloc(3 * count, sizeof(*page->panels));
    if (page->panels == NULL || set_colours(page) < 0)
        return -ENOMEM;
    set_time(page);
    set_axes(page);
    set_margins(page);
    page->legend_rows = page_legend(page, NULL);
    top += picture->title != NULL ? TITLE : 0;
    top += page->legend_rows * PAGE_ROW;
    if (page_is_overlaid(page))
        rc = add_panels(page, 0, count, &top);
    for (size_t i = 0; !page_is_overlaid(page) && rc == 0 && i < count; i++)
        rc = add_panels(page, i, 1, &top);
    page->height = top + FOOT - TICKS;
    return rc;
}

void
page_done(struct page *page)
{
    for (size_t i = 0; i < page->panel_count; i++) {
        struct panel *panel = &page->panels[i];

        for (size_t k = 0; panel->lanes != NULL && k < panel->count; k++)
            lanes_done(&panel->lanes[k]);
        free(panel->lanes);
    }
    free(page->panels);
    free(page->colours);
    *page = (struct page){0};
}
