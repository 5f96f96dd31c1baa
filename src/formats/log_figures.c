/* SPDX-License-Identifier: MIT */
/* Adds up the rows of a log, and compares them with the curve of a summary. */
#include "formats/log_figures.h"

#include <errno.h>
#include <math.h>

#include "base/num.h"

/* A row's CPU covers at least this time. */
static const double window_s = 0.1;

void
log_figures_init(struct log_figures *figures)
{
    *figures = (struct log_figures){0};
    series_init(&figures->series, 10 * NUM_NS_PER_MS);
}

void
log_figures_done(struct log_figures *figures)
{
    series_done(&figures->series);
    *figures = (struct log_figures){0};
}

void
log_figures_reset(struct log_figures *figures)
{
    log_figures_done(figures);
    log_figures_init(figures);
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
        /* The CPU of a closer row covers more than the time between them. */
        if (since_s > window_s - 0.0006)
            figures->cpu_s += row->cpu_percent * since_s / 100;
        figures->cpu_area += row->cpu_percent * since_s;
        figures->rss_area += figures->last.rss_mib * since_s;
    }
    figures->end_s = num_max_double(figures->end_s, row->elapsed_s);
    figures->cpu_max = num_max_double(figures->cpu_max, row->cpu_percent);
    figures->rss_max = num_max_double(figures->rss_max, row->rss_mib);
    figures->vms_max = num_max_double(figures->vms_max, row->vms_mib);
    figures->lacks_cpu |= row->lacks_cpu;
    figures->lacks_vms |= row->lacks_vms;
    figures->last = *row;
    figures->rows++;
    if (curve.elapsed_ns != NUM_UNKNOWN && curve.rss_bytes != NUM_UNKNOWN)
        series_push(&figures->series, &curve);
}

int
log_figures_take(const struct log_figures *figures, const char *path,
                 struct run *run)
{
    double span_s = figures->span_s;

    run->quality.rows = figures->rows;
    if (run_set_text(&run->file, path) < 0 ||
        series_take(&figures->series, &run->series) < 0)
        return -ENOMEM;
    if (figures->rows == 0)
        return 0;
    run->time.wall_ns = num_from_double(figures->end_s * (double)NUM_NS_PER_S);
    run->memory.peak_rss_word = WORD_AT_LEAST;
    run->memory.peak_rss_bytes =
        num_from_double(figures->rss_max * (double)NUM_MIB);
    if (span_s > 0)
        run->memory.mean_rss_bytes =
            num_from_double(figures->rss_area / span_s * (double)NUM_MIB);
    if (!figures->lacks_vms)
        run->memory.peak_vms_bytes =
            num_from_double(figures->vms_max * (double)NUM_MIB);
    if (figures->lacks_cpu)
        return 0;
    run->cpu.max_percent = figures->cpu_max;
    if (span_s > 0)
        run->cpu.mean_percent = figures->cpu_area / span_s;
    return 0;
}

int
log_figures_extend(const struct log_figures *figures, struct run *run)
{
    int64_t cpu_ns = num_from_double(figures->cpu_s * (double)NUM_NS_PER_S);
    struct run log;
    int rc;

    run_init(&log);
    rc = log_figures_take(figures, run->file, &log);
    if (rc == 0) {
        run->time.wall_ns = num_max(run->time.wall_ns, log.time.wall_ns);
        if (figures->cpu_s > 0)
            run->cpu.total_ns = num_max(run->cpu.total_ns, cpu_ns);
        run->cpu.total_word =
            run->cpu.total_ns != NUM_UNKNOWN ? WORD_AT_LEAST : WORD_UNKNOWN;
        if (!(run->cpu.max_percent > log.cpu.max_percent))
            run->cpu.max_percent = log.cpu.max_percent;
        run->memory.peak_rss_bytes =
            num_max(run->memory.peak_rss_bytes, log.memory.peak_rss_bytes);
        run->memory.peak_rss_upper_bytes = NUM_UNKNOWN;
        run->memory.peak_rss_word = WORD_AT_LEAST;
        run->memory.peak_vms_bytes =
            num_max(run->memory.peak_vms_bytes, log.memory.peak_vms_bytes);
        run->quality.rows = num_max(run->quality.rows, log.quality.rows);
        /* The log is longer than its summary, so its means are used. */
        run->cpu.mean_percent = log.cpu.mean_percent;
        run->memory.mean_rss_bytes = log.memory.mean_rss_bytes;
        rc = series_take(&figures->series, &run->series);
    }
    run_done(&log);
    return rc;
}

/* A plain log rounds to thousandths of a second and of a MiB. */
static const double rounding_s = 0.00051;
static const double rounding_bytes = 1049;

void
log_match_init(struct log_match *match, const struct run *run)
{
    *match = (struct log_match){.run = run};
}

void
log_match_row(struct log_match *match, double elapsed_s, double rss_bytes)
{
    const struct run_series *series = &match->run->series;

    for (; match->at < series->count; match->at++) {
        double point_s = num_seconds(series->elapsed_ns[match->at]);
        double point_bytes = series->rss_bytes[match->at];

        if (point_s > elapsed_s + rounding_s)
            return;
        if (fabs(point_s - elapsed_s) <= rounding_s &&
            fabs(point_bytes - rss_bytes) <= rounding_bytes) {
            match->found++;
            match->at++;
            return;
        }
        match->missed++;
    }
}

bool
log_match_is_same(const struct log_match *match)
{
    return match->found >= match->missed;
}
