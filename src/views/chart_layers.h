/* SPDX-License-Identifier: MIT */
/* The layers of a chart, as letters; used only by chart.c. */
#ifndef PMON_VIEWS_CHART_LAYERS_H
#define PMON_VIEWS_CHART_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/layers.h"
#include "views/cells.h"

/* A cell: a stretch of time, and values from low to high. */
struct chart_cell {
    int64_t begin_ns;
    int64_t end_ns;
    double low;
    double high;
};

/*
 * The letter of the layer in the middle of a cell that is at least half full,
 * or that is not empty and the lowest; NULL for a blank.
 */
const char *chart_layers_letter(const struct layers *layers,
                                enum layers_kind kind,
                                const struct chart_cell *cell, bool is_ascii);

/* Appends lines that explain the letters. */
void chart_layers_legend(struct strbuf *out, struct cells *cells,
                         const struct layers *layers, int left, bool is_ascii);

#endif
