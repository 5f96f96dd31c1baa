/* SPDX-License-Identifier: MIT */
/*
 * The figures of a whole run that are reported and compared: one table of
 * names, units and places in a summary.  Here an unknown one is NAN, which
 * makes every sum unknown that it is a part of.
 */
#ifndef PMON_ENGINE_FIGURES_H
#define PMON_ENGINE_FIGURES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/num.h"
#include "base/strbuf.h"

#define FIGURE_UNKNOWN ((double)NAN)

/* Without libm, which the main program does not load. */
static inline double
figures_max(double a, double b)
{
    return b > a ? b : a;
}

/* To a whole number; unknown for one that num_from_double does not take. */
static inline double
figures_round(double value)
{
    int64_t whole = num_from_double(value);

    return whole != NUM_UNKNOWN ? (double)whole : FIGURE_UNKNOWN;
}

enum unit {
    UNIT_TEXT,
    UNIT_BOOL,
    UNIT_COUNT,
    UNIT_SECONDS,
    UNIT_BYTES,
    UNIT_PERCENT,
};

enum figure {
    FIGURE_WALL,
    FIGURE_CPU,
    FIGURE_CPU_MEAN,
    FIGURE_CPU_MAX,
    FIGURE_PEAK_RSS,
    FIGURE_PEAK_RSS_UPPER,
    FIGURE_PEAK_PSS,
    FIGURE_PEAK_VMS,
    FIGURE_PEAK_SWAP,
    FIGURE_CGROUP_PEAK,
    FIGURE_MEAN_RSS,
    FIGURE_READ_BYTES,
    FIGURE_WRITE_BYTES,
    FIGURE_READ_CALLS,
    FIGURE_WRITE_CALLS,
    FIGURE_MINOR_FAULTS,
    FIGURE_MAJOR_FAULTS,
    FIGURE_PROCESSES,
    FIGURE_MAX_ALIVE,
    FIGURE_MAX_THREADS,
    FIGURE_ROWS,
    FIGURES,
};

struct figure_info {
    const char *name;  /* as options call it */
    const char *label; /* as people do */
    enum unit unit;
    const char *group; /* of the summary; NULL: not in it */
    const char *key;
};

const struct figure_info *figures_info(enum figure figure);

/* By its name, of those that stand in a summary; FIGURES for none. */
enum figure figures_find(const char *name, size_t size);

/* Appends these names, with commas between. */
void figures_names(struct strbuf *out);

/* Of count > 0 values, which are put in order. */
double figures_median(double *values, size_t count);

#endif
