/* SPDX-License-Identifier: MIT */
/*
 * Whether a log belongs to a summary: the points of the summary's curve must be
 * rows of the log.  A later run may have overwritten the log.
 */
#ifndef PMON_FORMATS_LOG_MATCH_H
#define PMON_FORMATS_LOG_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "model/run.h"

struct log_match {
    const struct run *run; /* stays the caller's */
    size_t at;             /* the next point of its curve */
    size_t found;          /* points that were rows, */
    size_t missed;         /* and that were none */
};

void log_match_init(struct log_match *match, const struct run *run);

/* The next row of the log. */
void log_match_row(struct log_match *match, double elapsed_s, double rss_bytes);

/* After the last row; a few points may be missing, as rows may be torn. */
bool log_match_is_same(const struct log_match *match);

#endif
