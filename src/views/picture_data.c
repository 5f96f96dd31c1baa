/* SPDX-License-Identifier: MIT */
/* The data blocks of gnuplot's script, a curve each. */
#include "views/picture_page.h"

enum { FEW_RUNS = 3 }; /* are filled where they are overlaid */

static double
scale_of(const struct page *page, unsigned which)
{
    if (which == RECORDING_CPU)
        return 1;
    return which >= RECORDING_READ ? page->io.scale : page->memory.scale;
}

bool
page_is_filled(const struct page *page, unsigned which)
{
    return which == RECORDING_RSS &&
           (!page_is_overlaid(page) || page->count <= FEW_RUNS);
}

/*
 * The corners of the steps, for the area below them: gnuplot's fillsteps
 * draws a box a step, with seams between.
 */
static void
append_corners(struct strbuf *out, const struct page *page, size_t run,
               unsigned which)
{
    const struct timeline *curve = &page->runs[run].curves[which];
    double scale = scale_of(page, which);
    double before = -1;

    strbuf_printf(out, "$d%zu_%us << EOD\n", run, which);
    for (size_t i = 0; i < curve->count; i++) {
        struct timeline_point points[2];
        size_t count = timeline_points(curve, i, points);

        for (size_t k = 0; k < count; k++) {
            double at = (double)points[k].elapsed_ns / page->time.scale;

            if (before >= 0)
                strbuf_printf(out, "%.7g %.6g\n", at, before);
            before = points[k].value / scale;
            strbuf_printf(out, "%.7g %.6g\n", at, before);
        }
    }
    strbuf_puts(out, "EOD\n");
}

/* The mean of each stretch of time, at its end. */
static void
append_means(struct strbuf *out, const struct page *page,
             const struct timeline *curve, double scale)
{
    int64_t width_ns = page_mean_ns(page);
    bool is_first = true;
    double weight = 0;
    double sum = 0;

    for (size_t i = 0; i < curve->count; i++) {
        int64_t end_ns = curve->base_ns + (int64_t)(i + 1) * curve->width_ns;

        weight += curve->slots[i].weight;
        sum += curve->slots[i].sum;
        if (weight <= 0 || (weight < (double)width_ns && i + 1 < curve->count))
            continue;
        if (end_ns > curve->last_ns)
            end_ns = curve->last_ns;
        if (is_first)
            strbuf_printf(out, "%.7g %.6g\n",
                          (double)curve->base_ns / page->time.scale,
                          sum / weight / scale);
        is_first = false;
        strbuf_printf(out, "%.7g %.6g\n", (double)end_ns / page->time.scale,
                      sum / weight / scale);
        weight = sum = 0;
    }
}

/* Few rows as they are; of many each slot's middle, least, most and mean. */
void
page_data(struct strbuf *out, const struct page *page, size_t run,
          unsigned which)
{
    const struct timeline *curve = &page->runs[run].curves[which];
    double scale = scale_of(page, which);

    bool is_mean = page_has_means(page, curve, which);

    if (page_is_layered(page, run, which)) {
        page_layers_data(out, page, run, which);
        return;
    }
    strbuf_printf(out, "$d%zu_%u << EOD\n", run, which);
    if (is_mean)
        append_means(out, page, curve, scale);
    for (size_t i = 0; i < curve->count && !is_mean; i++) {
        struct timeline_point points[2];
        size_t count = timeline_points(curve, i, points);
        struct timeline_point mean;

        for (size_t k = 0; k < count && !timeline_is_dense(curve); k++)
            strbuf_printf(out, "%.7g %.6g\n",
                          (double)points[k].elapsed_ns / page->time.scale,
                          points[k].value / scale);
        if (count == 0 || !timeline_is_dense(curve))
            continue;
        mean = timeline_mean(curve, i);
        strbuf_printf(out, "%.7g %.6g %.6g %.6g\n",
                      (double)mean.elapsed_ns / page->time.scale,
                      curve->slots[i].min / scale, curve->slots[i].max / scale,
                      mean.value / scale);
    }
    strbuf_puts(out, "EOD\n");
    if (page_is_filled(page, which) && !timeline_is_dense(curve))
        append_corners(out, page, run, which);
}
