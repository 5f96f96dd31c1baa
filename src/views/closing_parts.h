/* SPDX-License-Identifier: MIT */
/* Whole lines of the closing words; nothing if the list is empty. */
#ifndef PMON_VIEWS_CLOSING_PARTS_H
#define PMON_VIEWS_CLOSING_PARTS_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "model/run.h"

/* `sim, rank 3, job 991`, escaped; name is hostile. */
void closing_name(struct strbuf *out, const struct run *run, const char *name);

/*
 * The three names with the most time:
 * `SOLVE 3 × 1.2 s (total 3.6 s, …), CPU 3.4 s, peak at least 120 MiB; …`
 */
void closing_regions(struct strbuf *out, const struct run *run);

/* `max-rss 1.2 GiB of 4.00 GiB, kept; max-time 12.0 s of 10.0 s, exceeded` */
void closing_budgets(struct strbuf *out, const struct run *run);

/*
 * `CPU quota of 0.5 cores held it back for 12 s of 20 s`: what explains that
 * the run was slow, without a line end; nothing for a run below a second.
 */
void closing_slowed(struct strbuf *out, const struct run *run);

/*
 * `118 × cc1 10.2 s, 84.1 MiB; make 0.5 s, 3.4 MiB; others 1.3 s`: the CPU time
 * and the largest RSS sum of the three commands that used most, without a line
 * end; nothing for one command alone.
 */
void closing_commands(struct strbuf *out, const struct run *run);

/* Replaces pmon's own signs that are not ASCII; names stay as they are. */
void closing_replace_signs(struct strbuf *out);

/*
 * Ends the last line of out with a curve of the run, as wide as columns allow
 * (0: any width); series NULL: no curve.
 */
void closing_curve(struct strbuf *out, const struct run_series *series,
                   bool is_cpu, int columns);

enum { SPARKLINE_WIDTH = 20, SPARKLINE_LEAST_ROWS = 8 };

/*
 * A curve in a few characters: at most SPARKLINE_WIDTH blocks of Unicode, and
 * at most `most`, each the largest value of its time: RSS, or CPU.  Nothing for
 * fewer points than SPARKLINE_LEAST_ROWS, or if they do not fit.
 */
void closing_sparkline(struct strbuf *out, const struct run_series *series,
                       bool is_cpu, int most);

#endif
