/* SPDX-License-Identifier: MIT */
/*
 * The curve of a run in bounded memory: at most 512 slots of equal time, each
 * with its maxima; when they are full, two become one.
 */
#ifndef PMON_MODEL_SERIES_H
#define PMON_MODEL_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "model/row.h"

enum { SERIES_SLOTS = 512 };

struct series_slot {
    int64_t elapsed_ns; /* of the slot's largest RSS; NUM_UNKNOWN: empty */
    int64_t rss_bytes;
    double cpu_percent;
};

struct series {
    struct series_slot *slots;
    size_t count; /* slots in use, empty ones among them */
    int64_t width_ns;
};

/* width_ns is the expected distance of rows.  0 or -ENOMEM. */
int series_init(struct series *series, int64_t width_ns);
void series_done(struct series *series);
void series_push(struct series *series, const struct row *row);

#endif
