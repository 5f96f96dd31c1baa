/* SPDX-License-Identifier: MIT */
/* The curve of a run as a summary holds it, while it is made. */
#ifndef PMON_MODEL_SERIES_H
#define PMON_MODEL_SERIES_H

#include "model/row.h"
#include "model/run.h"
#include "model/timeline.h"

/* Slots by time, each with the largest RSS, and the largest CPU %. */
struct series {
    struct timeline rss_bytes;
    struct timeline cpu_percent;
};

/* width_ns is the expected distance of rows. */
void series_init(struct series *series, int64_t width_ns);
void series_done(struct series *series);

/* 0 or -ENOMEM, with the row left out. */
int series_push(struct series *series, const struct row *row);

/* Replaces the points of a run.  0 or -ENOMEM. */
int series_take(const struct series *series, struct run_series *ret_series);

#endif
