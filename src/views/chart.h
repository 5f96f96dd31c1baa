/* SPDX-License-Identifier: MIT */
/*
 * A chart of one run as text: blocks of Unicode, or ASCII.  Each column shows
 * the largest value of its time.
 */
#ifndef PMON_VIEWS_CHART_H
#define PMON_VIEWS_CHART_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "model/recording.h"

enum { CHART_LEAST_WIDTH = 40, CHART_MOST_WIDTH = 1000 };

struct chart {
    int width; /* columns, CHART_LEAST_WIDTH or more */
    bool is_ascii;
    bool shows[RECORDING_CURVES];
    const char *title; /* hostile; NULL: none */
    /* Runs that share their axes with this one; NULL: it has its own. */
    const struct recording *peers;
    size_t peers_count;
};

/* Appends the lines.  0 or -ENOMEM. */
int chart_text(struct strbuf *out, const struct chart *chart,
               const struct recording *run);

#endif
