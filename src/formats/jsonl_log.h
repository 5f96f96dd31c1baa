/* SPDX-License-Identifier: MIT */
/*
 * The jsonl log: one object a line, keys and units of the metrics table;
 * unknown values are null.  See pmon-formats(5).
 */
#ifndef PMON_FORMATS_JSONL_LOG_H
#define PMON_FORMATS_JSONL_LOG_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "measure/row.h"

/* Appends the object of a row and a line end. */
void jsonl_log_row(struct strbuf *out, bool with_io, const struct row *row);

#endif
