/* SPDX-License-Identifier: MIT */
/*
 * The words for figures, once: how exact, from where, how it ended.  Files,
 * closing words and man pages use these and no others.
 */
#ifndef PMON_ENGINE_METRICS_H
#define PMON_ENGINE_METRICS_H

#include "engine/summary.h"
#include "model/budgets.h"

/* `exact`, `between`, `at least`. */
const char *metrics_word(enum word word);

/* `sampled`, `high_water_mark`, `rusage`, `exit_record`. */
const char *metrics_peak_source(enum peak_source source);

/* `running`, `exited`, … */
const char *metrics_reason(enum reason reason);

/* The option's name: `max-rss`, `max-time`, `max-cpu-time`. */
const char *metrics_budget(enum budget_kind kind);

#endif
