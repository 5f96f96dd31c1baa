/* SPDX-License-Identifier: MIT */
/*
 * The jsonl log: one object a line, keys and units of the metrics table;
 * unknown values are null.  See pmon-formats(5).
 */
#ifndef PMON_FORMATS_JSONL_LOG_H
#define PMON_FORMATS_JSONL_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "formats/psrecord_log.h"
#include "model/row.h"

/* Appends the object of a row and a line end. */
void jsonl_log_row(struct strbuf *out, bool with_io, const struct row *row);

/* Reads one line, without its line end: 0, or -EBADMSG for anything else. */
int jsonl_log_parse(const char *line, size_t size,
                    struct psrecord_row *ret_row);

#endif
