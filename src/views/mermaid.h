/* SPDX-License-Identifier: MIT */
/* A curve as a Mermaid xychart-beta block, which GitHub draws. */
#ifndef PMON_VIEWS_MERMAID_H
#define PMON_VIEWS_MERMAID_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "model/run.h"

enum { MERMAID_MOST_POINTS = 100 };

/*
 * Appends the block of the curve of memory, or of CPU, fenced, with at most
 * MERMAID_MOST_POINTS points evenly spaced, each the largest value of its
 * time.  title is hostile, and is followed by which of the two it is; the line
 * has a colour that is legible on white and on black.  Nothing for less than
 * two points in time.
 */
void mermaid_chart(struct strbuf *out, const char *title,
                   const struct run_series *series, bool is_cpu);

#endif
