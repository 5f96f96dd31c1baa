/* SPDX-License-Identifier: MIT */
/*
 * Regions laid out for a picture or a chart: boxes in as many lanes as
 * overlap, never more boxes than there is room for.
 */
#ifndef PMON_VIEWS_LANES_H
#define PMON_VIEWS_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "measure/regions.h"

enum { LANES_MOST = 4 };

struct lane_box {
    const char *name; /* the regions'; hostile */
    size_t name_number;
    int lane;     /* from 0 */
    double begin; /* in dots or characters, 0 to width */
    double end;
};

struct lanes {
    struct lane_box *boxes;
    size_t count;
    int used;     /* lanes */
    int64_t left; /* regions for which no lane was free */
};

/*
 * What lies between from and to on width dots.  A region is at least one dot
 * wide; of those on one dot the first is kept.  0 or -ENOMEM.
 */
int lanes_init(struct lanes *lanes, const struct regions *regions,
               int64_t from_ns, int64_t to_ns, int width, int most);
void lanes_done(struct lanes *lanes);

#endif
