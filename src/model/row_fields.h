/* SPDX-License-Identifier: MIT */
/*
 * The figures of a row as a table: key and unit, once, for the jsonl
 * log, axes and the manual.
 */
#ifndef PMON_MODEL_ROW_FIELDS_H
#define PMON_MODEL_ROW_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/row.h"

enum metric_unit {
    METRIC_SECONDS,
    METRIC_PERCENT,
    METRIC_BYTES,
    METRIC_COUNT,
};

struct row_field {
    const char *key; /* ends in the unit, where it has one */
    enum metric_unit unit;
    double (*value)(const struct row *row); /* negative: not known */
    bool is_io;                             /* there with --include-io only */
};

/* The metric at index; NULL beyond the last. */
const struct row_field *row_field_at(size_t index);

#endif
