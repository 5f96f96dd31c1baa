/* SPDX-License-Identifier: MIT */
/*
 * The figures of a row as a table of keys and units, for the jsonl log, axes
 * and the manual.
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
    const char *key; /* ends in the unit, if it has one */
    enum metric_unit unit;
    double (*value)(const struct row *row); /* negative: unknown */
    bool is_io;                             /* only with --include-io */
};

/* The metric at index; NULL beyond the last. */
const struct row_field *row_field_at(size_t index);

#endif
