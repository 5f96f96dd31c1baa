/* SPDX-License-Identifier: MIT */
/* Limits that a run is to keep, and whether it did. */
#ifndef PMON_MODEL_BUDGETS_H
#define PMON_MODEL_BUDGETS_H

#include <stdbool.h>
#include <stdint.h>

enum budget_kind { BUDGET_RSS, BUDGET_TIME, BUDGET_CPU_TIME, BUDGET_KINDS };

enum budget_action {
    BUDGET_FAIL, /* the run goes on, and fails at its end */
    BUDGET_STOP, /* the step is ended at once */
};

struct budget {
    int64_t limit; /* bytes or ns; NUM_UNKNOWN: none was set */
    int64_t value; /* the largest so far; NUM_UNKNOWN */
    enum budget_action action;
    bool has_stopped; /* the step was ended for it; the caller's to set */
};

struct budgets {
    struct budget list[BUDGET_KINDS];
};

/* The name of its option without the dashes, as `max-rss`. */
const char *budgets_name(enum budget_kind kind);

/* The kind of that name, or -ENOENT. */
int budgets_find(const char *name);

/* Whether limit and value are in bytes; else in ns. */
bool budgets_is_size(enum budget_kind kind);

void budgets_init(struct budgets *budgets);

/* Takes a value of a kind; true when the step is to be ended for it now. */
bool budgets_take(struct budgets *budgets, enum budget_kind kind,
                  int64_t value);

/* Whether a limit was set, and is kept so far. */
bool budgets_is_set(const struct budget *budget);
bool budgets_is_kept(const struct budget *budget);

/* Whether all limits that were set are kept. */
bool budgets_are_kept(const struct budgets *budgets);

#endif
