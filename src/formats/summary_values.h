/* SPDX-License-Identifier: MIT */
/*
 * Values and lists of the summary as JSON, for formats/summary_json.c alone.
 * Each returns a new reference, the caller's; NULL when memory ran out, which
 * jansson's functions that take it over pass on.
 */
#ifndef PMON_FORMATS_SUMMARY_VALUES_H
#define PMON_FORMATS_SUMMARY_VALUES_H

#include <stdint.h>

#include <jansson.h>

#include "engine/at_peak.h"
#include "model/budgets.h"
#include "model/regions.h"
#include "model/series.h"

/* An empty text is not known: NULL. */
const char *summary_known(const char *text);

/* null for NULL; bytes that are no UTF-8 become U+FFFD. */
json_t *summary_text(const char *text);

/* null for NUM_UNKNOWN; ns as seconds. */
json_t *summary_integer(int64_t value);
json_t *summary_seconds(int64_t ns);

/* null for less than 0. */
json_t *summary_percent(double percent);

json_t *summary_at_peak(const struct at_peak *at_peak);
json_t *summary_regions(const struct regions *regions);
json_t *summary_budgets(const struct budgets *budgets);
json_t *summary_series(const struct series *series);

#endif
