/* SPDX-License-Identifier: MIT */
/* Rows from the top: regions, then each curve with its axes. */
#include "views/chart.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "views/cells.h"
#include "views/chart_layers.h"
#include "views/chart_regions.h"
#include "views/human.h"
#include "views/ticks.h"

enum {
    GUTTER = 9, /* labels of the value axis */
    TALL = 10,
    SHORT = 5,
};

/* What lines are made of. */
struct glyphs {
    const char *levels[9]; /* of a cell's fill, in eighths */
    const char *axis;
    const char *tick;
    const char *corner;
    const char *line;
    const char *line_tick;
    const char *mark;
};

static const struct glyphs unicode = {
    {"", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, "│", "┤", "└", "─", "┴", "▼"};
static const struct glyphs ascii = {
    {"", ".", ".", ":", ":", ":", "#", "#", "#"}, "|", "+", "+", "-", "+", "v"};

struct plan {
    const struct chart *chart;
    const struct recording *run;
    const struct glyphs *glyphs;
    struct cells cells;
    int columns; /* of the curves, behind gutter and axis */
    int64_t from_ns;
    int64_t to_ns;
    struct ticks time;
};

static const char *const names[RECORDING_CURVES] = {
    [RECORDING_RSS] = "RSS",     [RECORDING_VMS] = "VMS",
    [RECORDING_PSS] = "PSS",     [RECORDING_CPU] = "CPU",
    [RECORDING_READ] = "read/s", [RECORDING_WRITE] = "write/s"};

static void
end_line(struct plan *plan, struct strbuf *out)
{
    cells_append(&plan->cells, out);
    cells_clear(&plan->cells);
}

static int64_t
time_of(const struct plan *plan, int column)
{
    return plan->from_ns +
           num_from_double((double)(plan->to_ns - plan->from_ns) * column /
                           plan->columns);
}

static int
column_of(const struct plan *plan, double elapsed_ns)
{
    return num_to_int((elapsed_ns - (double)plan->from_ns) /
                          (double)(plan->to_ns - plan->from_ns) * plan->columns,
                      plan->columns - 1);
}

/* ---- time axis ---- */

static void
append_line(struct plan *plan, struct strbuf *out)
{
    const struct ticks *time = &plan->time;
    double end = (double)plan->to_ns / time->scale;

    cells_put_right(&plan->cells, GUTTER - 1, "0");
    cells_put(&plan->cells, GUTTER, plan->glyphs->corner);
    for (int i = 0; i < plan->columns; i++)
        cells_put(&plan->cells, GUTTER + 1 + i, plan->glyphs->line);
    for (double at = ticks_first(time, (double)plan->from_ns / time->scale);
         at <= end * (1 + 1e-9); at += time->step)
        cells_put(&plan->cells, GUTTER + 1 + column_of(plan, at * time->scale),
                  plan->glyphs->line_tick);
    end_line(plan, out);
}

static void
append_times(struct plan *plan, struct strbuf *out)
{
    const struct ticks *time = &plan->time;
    double end = (double)plan->to_ns / time->scale;
    int free_from = 0;

    for (double at = ticks_first(time, (double)plan->from_ns / time->scale);
         at <= end * (1 + 1e-9); at += time->step) {
        char text[48];
        int width;
        int left;

        snprintf(text, sizeof(text), "%.9g %s", at, time->unit);
        width = cells_width(text);
        left = GUTTER + 1 + column_of(plan, at * time->scale) - width / 2;
        if (left + width > plan->cells.width)
            left = plan->cells.width - width;
        if (left < free_from)
            continue;
        cells_put(&plan->cells, left, text);
        free_from = left + width + 2;
    }
    end_line(plan, out);
}

/* ---- one curve ---- */

struct panel {
    enum recording_curve which;
    int height;
    struct ticks ticks;
    double top;         /* of the axis, in the curve's unit */
    struct strbuf peak; /* its words; empty: none is marked */
    int peak_at;        /* where the words begin */
    int peak_row;
    int mark_at; /* 0: the peak has no time, and no mark */
    int mark_row;
};

/* To the largest value of a curve; of RSS to its peak, if that is larger. */
static void
raise_to(double *largest, const struct recording *run,
         enum recording_curve which)
{
    struct timeline_point point;

    if (timeline_largest(&run->curves[which], &point) && point.value > *largest)
        *largest = point.value;
    if (which == RECORDING_RSS && (double)run->peak_bytes > *largest)
        *largest = (double)run->peak_bytes;
}

static void
init_panel(const struct plan *plan, enum recording_curve which,
           struct panel *panel)
{
    bool is_cpu = which == RECORDING_CPU;
    double largest = is_cpu ? 10 : 1024;
    double count;

    *panel = (struct panel){.which = which,
                            .height = which == RECORDING_RSS ? TALL : SHORT};
    raise_to(&largest, plan->run, which);
    for (size_t i = 0; i < plan->chart->peers_count; i++)
        raise_to(&largest, &plan->chart->peers[i], which);
    panel->ticks = is_cpu ? ticks_percent(largest, SHORT / 2 + 1)
                          : ticks_bytes(largest, panel->height == TALL ? 5 : 3);
    count = ticks_first(&panel->ticks, largest / panel->ticks.scale);
    panel->top = count * panel->ticks.scale;
}

/* Eighths of a row that a value fills; what is not 0 is seen. */
static int
eighths(const struct panel *panel, double value)
{
    int most = panel->height * 8;
    int filled = num_to_int(value / panel->top * most + 0.5, most);

    return filled == 0 && value > 0 ? 1 : filled;
}

/*
 * The words of the peak stand behind its mark, before it, or else in the row
 * above it.
 */
static void
place_peak(const struct plan *plan, struct panel *panel)
{
    const struct recording *run = plan->run;
    int most = plan->cells.width;
    int width;

    human_peak_recording(&panel->peak, run);
    panel->mark_row = (eighths(panel, (double)run->peak_bytes) + 7) / 8;
    panel->peak_row = panel->mark_row;
    panel->peak_at = GUTTER + 2;
    if (run->peak_elapsed_ns == NUM_UNKNOWN)
        return;
    strbuf_puts(&panel->peak, ", ");
    human_duration(&panel->peak, run->peak_elapsed_ns);
    width = cells_width(strbuf_text(&panel->peak));
    panel->mark_at = GUTTER + 1 + column_of(plan, (double)run->peak_elapsed_ns);
    if (panel->mark_at + 2 + width <= most) {
        panel->peak_at = panel->mark_at + 2;
    } else if (panel->mark_at - 1 - width > GUTTER) {
        panel->peak_at = panel->mark_at - 1 - width;
    } else {
        panel->peak_row++;
        if (width < most - panel->peak_at)
            panel->peak_at += (most - panel->peak_at - width) / 2;
    }
}

static void
append_peak(struct plan *plan, const struct panel *panel, int row)
{
    struct cells *cells = &plan->cells;

    if (row == panel->mark_row && panel->mark_at > 0)
        cells_put(cells, panel->mark_at, plan->glyphs->mark);
    if (row == panel->peak_row && panel->peak.size > 0)
        cells_put_most(cells, panel->peak_at, cells->width - panel->peak_at,
                       strbuf_text(&panel->peak));
}

static void
append_unit(struct plan *plan, const struct panel *panel, int row)
{
    const struct ticks *ticks = &panel->ticks;
    char text[48];

    cells_put(&plan->cells, GUTTER, plan->glyphs->axis);
    for (double at = ticks->step; at <= panel->top / ticks->scale * (1 + 1e-9);
         at += ticks->step) {
        if (num_to_int(at * ticks->scale / panel->top * panel->height + 0.5,
                       panel->height) -
                1 !=
            row)
            continue;
        snprintf(text, sizeof(text), "%.9g %s", at, ticks->unit);
        cells_put_right(&plan->cells, GUTTER - 1, text);
        cells_put(&plan->cells, GUTTER, plan->glyphs->tick);
    }
}

/* What fills a cell of the curve or of its layers; NULL: it stays blank. */
static const char *
glyph_of(const struct plan *plan, const struct panel *panel, int row,
         int column)
{
    double height = panel->top / panel->height;
    struct chart_cell cell = {.begin_ns = time_of(plan, column),
                              .end_ns = column + 1 == plan->columns
                                            ? plan->to_ns + 1
                                            : time_of(plan, column + 1),
                              .low = row * height,
                              .high = (row + 1) * height};
    enum recording_curve which = panel->which;
    double value;
    int filled;

    if (recording_is_layered(plan->run) &&
        (which == RECORDING_RSS || which == RECORDING_CPU))
        return chart_layers_letter(&plan->run->layers,
                                   which == RECORDING_CPU ? LAYERS_CPU
                                                          : LAYERS_MEMORY,
                                   &cell, plan->chart->is_ascii);
    if (!timeline_at(&plan->run->curves[which], cell.begin_ns, cell.end_ns,
                     recording_holds(which), &value))
        return NULL;
    filled = eighths(panel, value) - 8 * row;
    return filled <= 0 ? NULL : plan->glyphs->levels[filled > 8 ? 8 : filled];
}

static void
append_panel(struct plan *plan, enum recording_curve which, struct strbuf *out)
{
    struct panel panel;
    int top;

    init_panel(plan, which, &panel);
    if (which == RECORDING_RSS && plan->run->peak_bytes != NUM_UNKNOWN)
        place_peak(plan, &panel);
    top = panel.peak_row > panel.height ? panel.peak_row : panel.height;
    for (int row = top; row >= 0; row--) {
        if (row == top) {
            cells_put_right(&plan->cells, GUTTER - 1, names[which]);
            cells_put(&plan->cells, GUTTER, plan->glyphs->axis);
        } else {
            append_unit(plan, &panel, row);
        }
        append_peak(plan, &panel, row);
        for (int i = 0; i < plan->columns && row < panel.height; i++) {
            const char *glyph = glyph_of(plan, &panel, row, i);

            if (glyph != NULL)
                cells_put(&plan->cells, GUTTER + 1 + i, glyph);
        }
        end_line(plan, out);
    }
    strbuf_done(&panel.peak);
    append_line(plan, out);
}

int
chart_text(struct strbuf *out, const struct chart *chart,
           const struct recording *run)
{
    struct plan plan = {.chart = chart,
                        .run = run,
                        .glyphs = chart->is_ascii ? &ascii : &unicode,
                        .columns = chart->width - GUTTER - 1,
                        .from_ns = run->from_ns,
                        .to_ns = recording_end(run)};
    int rc = cells_init(&plan.cells, chart->width, chart->is_ascii);

    if (rc < 0)
        return rc;
    for (size_t i = 0; i < chart->peers_count; i++)
        plan.to_ns = num_max(plan.to_ns, recording_end(&chart->peers[i]));
    if (plan.to_ns <= plan.from_ns)
        plan.to_ns = plan.from_ns + NUM_NS_PER_S;
    plan.time =
        ticks_time((double)plan.from_ns, (double)plan.to_ns, plan.columns / 12);
    if (chart->title != NULL) {
        cells_put_most(&plan.cells, 0, chart->width, chart->title);
        end_line(&plan, out);
    }
    if (recording_is_layered(run))
        chart_layers_legend(out, &plan.cells, &run->layers, GUTTER + 1,
                            chart->is_ascii);
    rc = chart_regions(out, &plan.cells, &run->regions,
                       &(struct chart_regions_room){.left = GUTTER + 1,
                                                    .columns = plan.columns,
                                                    .from_ns = plan.from_ns,
                                                    .to_ns = plan.to_ns},
                       chart->is_ascii);
    for (unsigned i = 0; i < RECORDING_CURVES && rc == 0; i++)
        if (chart->shows[i] && recording_has(run, i))
            append_panel(&plan, i, out);
    if (rc == 0)
        append_times(&plan, out);
    cells_done(&plan.cells);
    return rc < 0 || out->failed ? -ENOMEM : 0;
}
