/* SPDX-License-Identifier: MIT */
/*
 * Computes the figures of a run from its log, in one pass and in bounded
 * memory.  Means are weighted by time, because rows may be unevenly spaced.
 * Also tells whether a log belongs to a summary.
 */
#ifndef PMON_FORMATS_LOG_FIGURES_H
#define PMON_FORMATS_LOG_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/psrecord_log.h"
#include "model/run.h"

struct log_figures {
    int64_t rows;
    bool lacks_cpu; /* a row lacked it, as the next */
    bool lacks_vms;
    struct psrecord_row last;
    double end_s;    /* of the latest row */
    double span_s;   /* time between rows whose times rise */
    double cpu_area; /* percent × s, and MiB × s, of that time */
    double rss_area;
    double cpu_s; /* of rows at least 0.1 s after the last */
    double cpu_max;
    double rss_max;
    double vms_max;
    struct series series;
};

void log_figures_init(struct log_figures *figures);
void log_figures_done(struct log_figures *figures);

/* Forgets all rows, for another run. */
void log_figures_reset(struct log_figures *figures);

void log_figures_push(struct log_figures *figures,
                      const struct psrecord_row *row);

/*
 * Fills an initialised run from its log at path.  A row's CPU covers the time
 * before it, its memory the time until the next. 0 or -ENOMEM.
 */
int log_figures_take(const struct log_figures *figures, const char *path,
                     struct run *run);

/*
 * Adds a log that continues after its summary: takes the larger of each figure,
 * and the curve.  Then no figure is exact.  0 or -ENOMEM.
 */
int log_figures_extend(const struct log_figures *figures, struct run *run);

/*
 * Whether a log belongs to a summary: the points of the summary's curve must be
 * rows of the log.  A later run may have overwritten the log.
 */
struct log_match {
    const struct run *run; /* owned by the caller */
    size_t at;             /* the next point of its curve */
    size_t found;          /* points that are rows */
    size_t missed;         /* points that are not */
};

void log_match_init(struct log_match *match, const struct run *run);

/* The next row of the log. */
void log_match_row(struct log_match *match, double elapsed_s, double rss_bytes);

/* After the last row; a few points may be missing, as rows may be torn. */
bool log_match_is_same(const struct log_match *match);

#endif
