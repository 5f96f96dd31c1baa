/* SPDX-License-Identifier: MIT */
/*
 * Layout of regions for a picture or a chart: boxes, with overlapping ones in
 * separate lanes, and never more boxes than fit.
 */
#ifndef PMON_VIEWS_LANES_H
#define PMON_VIEWS_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/regions.h"

enum {
    LANES_MOST = 4,
    LANES_NAMED = 3, /* names that a box of several has */
};

/* One region, several of one name, or short ones that follow each other. */
struct lane_box {
    const char *names[LANES_NAMED]; /* the regions'; hostile; NULL: no more */
    size_t name_number;             /* of the first, which has most time */
    bool has_several;               /* names */
    bool is_mixed;                  /* none has nine tenths of the time */
    bool has_more;                  /* names than are listed */
    int64_t regions;
    int lane;     /* from 0 */
    double begin; /* in dots or characters, 0 to width */
    double end;
};

struct lanes {
    struct lane_box *boxes; /* by lane, then by time */
    size_t count;
    int used;     /* lanes */
    int64_t left; /* regions for which no lane was free */
};

/* The regions to draw, and the width in dots or characters. */
struct lanes_room {
    int64_t from_ns;
    int64_t to_ns;
    int width;
    int least; /* regions that are narrower share a box with their neighbours */
    int most;  /* lanes */
};

/*
 * Lays out the regions between from and to on width dots; a box is at least one
 * dot wide.  0 or -ENOMEM.
 */
int lanes_init(struct lanes *lanes, const struct regions *regions,
               const struct lanes_room *room);
void lanes_done(struct lanes *lanes);

/* `SOLVE`, `SOLVE Ã 20` or `parse, SOLVE: 300 regions`. */
void lanes_label(struct strbuf *out, const struct lane_box *box, bool is_ascii);

#endif
