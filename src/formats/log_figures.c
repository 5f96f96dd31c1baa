/* SPDX-License-Identifier: MIT */
/* Adds up the rows of a log. */
#include "formats/log_figures.h"

#include <math.h>

#include "base/num.h"

/* The least window of a row's CPU. */
static const double window_s = 0.1;

int
log_figures_init(struct log_figures *figures)
{
    *figures = (struct log_figures){0};
    return series_init(&figures->series, 10 * NUM_NS_PER_MS);
}

void
log_figures_done(struct log_figures *figures)
{
    series_done(&figures->series);
    *figures = (struct log_figures){0};
}

int
log_figures_reset(struct log_figures *figures)
{
    log_figures_done(figures);
    return log_figures_init(figures);
}

void
log_figures_push(struct log_figures *figures, const struct psrecord_row *row)
{
    struct row curve = {
        .elapsed_ns = num_from_double(row->elapsed_s * (double)NUM_NS_PER_S),
        .cpu_percent = row->cpu_percent,
        .rss_bytes = num_from_double(row->rss_mib * (double)NUM_MIB)};
    double since_s;

    if (figures->rows == 0)
        figures->last = *row;
    since_s = row->elapsed_s - figures->last.elapsed_s;
    if (since_s > 0) {
        figures->span_s += since_s;
        /* A closer row stands for more than the time since the last. */
        if (since_s > window_s - 0.0006)
            figures->cpu_s += row->cpu_percent * since_s / 100;
        figures->cpu_area += row->cpu_percent * since_s;
        figures->rss_area += figures->last.rss_mib * since_s;
    }
    figures->end_s = figures_max(figures->end_s, row->elapsed_s);
    figures->cpu_max = figures_max(figures->cpu_max, row->cpu_percent);
    figures->rss_max = figures_max(figures->rss_max, row->rss_mib);
    figures->vms_max = figures_max(figures->vms_max, row->vms_mib);
    figures->lacks_cpu |= row->lacks_cpu;
    figures->lacks_vms |= row->lacks_vms;
    figures->last = *row;
    figures->rows++;
    if (curve.elapsed_ns != NUM_UNKNOWN && curve.rss_bytes != NUM_UNKNOWN)
        series_push(&figures->series, &curve);
}

void
log_figures_take(const struct log_figures *figures, double *values)
{
    double span_s = figures->span_s;

    for (int i = 0; i < FIGURES; i++)
        values[i] = FIGURE_UNKNOWN;
    values[FIGURE_ROWS] = (double)figures->rows;
    if (figures->rows == 0)
        return;
    values[FIGURE_WALL] = figures->end_s;
    values[FIGURE_PEAK_RSS] = figures_round(figures->rss_max * (double)NUM_MIB);
    if (!figures->lacks_cpu)
        values[FIGURE_CPU_MAX] = figures->cpu_max;
    if (!figures->lacks_vms)
        values[FIGURE_PEAK_VMS] =
            figures_round(figures->vms_max * (double)NUM_MIB);
    if (span_s > 0) {
        if (!figures->lacks_cpu)
            values[FIGURE_CPU_MEAN] = figures->cpu_area / span_s;
        values[FIGURE_MEAN_RSS] =
            figures_round(figures->rss_area / span_s * (double)NUM_MIB);
    }
}
