/* SPDX-License-Identifier: MIT */
/* Limits that a run must keep, and whether it did. */
#ifndef PMON_MODEL_BUDGETS_H
#define PMON_MODEL_BUDGETS_H

#include <stdbool.h>
#include <stdint.h>

enum budget_kind {
    BUDGET_RSS,
    BUDGET_TIME,
    BUDGET_CPU_TIME,
    BUDGET_FREE, /* free memory: kept while value is at least the limit */
    BUDGET_KINDS
};

enum budget_action {
    BUDGET_FAIL, /* lets the step go on, and fails at its end */
    BUDGET_STOP, /* ends the step at once */
};

/* The figure that a budget for memory was decided by. */
enum budget_figure {
    BUDGET_BY_UNKNOWN, /* none, or in an older summary */
    BUDGET_BY_RSS,
    BUDGET_BY_PSS,
    BUDGET_FIGURES
};

struct budget {
    int64_t limit;   /* bytes or ns; NUM_UNKNOWN: none was set */
    int64_t value;   /* the largest so far, or for is_least the smallest;
                        NUM_UNKNOWN */
    int64_t percent; /* the limit until its bytes are known; 0: none */
    bool is_least;   /* the limit is a minimum */
    enum budget_action action;
    enum budget_figure figure; /* which figure value is, for memory */
    bool has_stopped; /* the step was ended for it; set by the caller */
};

struct budgets {
    struct budget list[BUDGET_KINDS];
};

/* Memory up to now.  PSS counts each byte once. */
struct budget_memory {
    int64_t rss_bytes;       /* the peak of the sum */
    int64_t pss_bytes;       /* the peak of what was read; NUM_UNKNOWN */
    int64_t pss_upper_bytes; /* with the RSS of what could not be read */
    int64_t alone_bytes;     /* of one process, without shared memory */
};

/* The name of its option without the dashes, as `max-rss`. */
const char *budgets_name(enum budget_kind kind);

/* The kind of that name, or -ENOENT. */
int budgets_find(const char *name);

/* Whether limit and value are in bytes; else in ns. */
bool budgets_is_size(enum budget_kind kind);

void budgets_init(struct budgets *budgets);

/* Takes a value; returns true if the step must be ended for it now. */
bool budgets_take(struct budgets *budgets, enum budget_kind kind,
                  int64_t value);

/*
 * The same for memory: the budget is kept while the RSS sum is within the
 * limit, and above it while PSS is.  An exceeded budget stays exceeded.
 */
bool budgets_take_memory(struct budgets *budgets,
                         const struct budget_memory *memory);

/* rss or pss; NULL if unknown. */
const char *budgets_figure_name(enum budget_figure figure);

/* The figure of that name, NULL accepted. */
enum budget_figure budgets_find_figure(const char *name);

/* Whether a limit was set, and is kept so far. */
bool budgets_is_set(const struct budget *budget);
bool budgets_is_kept(const struct budget *budget);

/* Whether all limits that were set are kept. */
bool budgets_are_kept(const struct budgets *budgets);

#endif
