/* SPDX-License-Identifier: MIT */
/* Regions above the curves of a chart: a box for each, in up to two lanes. */
#ifndef PMON_VIEWS_CHART_REGIONS_H
#define PMON_VIEWS_CHART_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/regions.h"
#include "views/cells.h"

/* Where the curves are: columns of cells, and the time that they show. */
struct chart_regions_room {
    int left;
    int columns;
    int64_t from_ns;
    int64_t to_ns;
};

/*
 * Appends a line for each lane, and one for the regions that have no room in
 * them.  cells are the chart's, blank before and after.  0 or -ENOMEM.
 */
int chart_regions(struct strbuf *out, struct cells *cells,
                  const struct regions *regions,
                  const struct chart_regions_room *room, bool is_ascii);

#endif
