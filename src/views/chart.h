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

struct chart {
    int width; /* columns, 40 or more */
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
