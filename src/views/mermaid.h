/* SPDX-License-Identifier: MIT */
/* A curve as a Mermaid xychart-beta block, which GitHub draws. */
#ifndef PMON_VIEWS_MERMAID_H
#define PMON_VIEWS_MERMAID_H

#include <stddef.h>

#include "base/strbuf.h"
#include "engine/figures.h"

enum { MERMAID_MOST_POINTS = 100 };

/*
 * Appends the block, fenced, with at most MERMAID_MOST_POINTS points evenly
 * spaced, each the largest value of its time; unit is UNIT_BYTES or
 * UNIT_PERCENT, which the title ends in: memory or CPU.  title is hostile; the
 * line has a colour that is seen on white and on black.  Nothing for less than
 * two points in time.
 */
void mermaid_chart(struct strbuf *out, const char *title, enum unit unit,
                   const double *elapsed_s, const double *values, size_t count);

#endif
