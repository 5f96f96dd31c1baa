/* SPDX-License-Identifier: MIT */
/* A curve in a few characters, for the end of a line. */
#ifndef PMON_VIEWS_SPARKLINE_H
#define PMON_VIEWS_SPARKLINE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "model/run.h"

enum { SPARKLINE_WIDTH = 20, SPARKLINE_LEAST_ROWS = 8 };

/*
 * Appends at most SPARKLINE_WIDTH blocks of Unicode, and at most `most`, each
 * the largest value of its time: RSS, or CPU.  Nothing for fewer points than
 * SPARKLINE_LEAST_ROWS, or if they do not fit.
 */
void sparkline(struct strbuf *out, const struct run_series *series, bool is_cpu,
               int most);

#endif
