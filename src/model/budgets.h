/* SPDX-License-Identifier: MIT */
/* Limits that a run is to keep, and whether it did. */
#ifndef PMON_MODEL_BUDGETS_H
#define PMON_MODEL_BUDGETS_H

#include <stdbool.h>
#include <stdint.h>

enum budget_kind {
    BUDGET_RSS,
    BUDGET_TIME,
    BUDGET_CPU_TIME,
    BUDGET_FREE, /* what is to be left: kept while value is not below */
    BUDGET_KINDS
};

enum budget_action {
    BUDGET_FAIL, /* the run goes on, and fails at its end */
    BUDGET_STOP, /* the step is ended at once */
};

/* The figure that a budget for memory was decided by. */
enum budget_figure {
    BUDGET_BY_UNKNOWN, /* none, or an older summary's */
    BUDGET_BY_RSS,
    BUDGET_BY_PSS,
    BUDGET_FIGURES
};

struct budget {
    int64_t limit;   /* bytes or ns; NUM_UNKNOWN: none was set */
    int64_t value;   /* the largest so far, or the least; NUM_UNKNOWN */
    int64_t percent; /* the limit, as long as its bytes are not known; 0 */
    bool is_least;   /* value is not to be below the limit */
    enum budget_action action;
    enum budget_figure figure; /* that value is, for memory */
    bool has_stopped; /* the step was ended for it; the caller's to set */
};

struct budgets {
    struct budget list[BUDGET_KINDS];
};

/* Memory up to now, of which each byte of PSS is there once. */
struct budget_memory {
    int64_t rss_bytes;       /* the peak of the sum */
    int64_t pss_bytes;       /* the peak of what was read; NUM_UNKNOWN */
    int64_t pss_upper_bytes; /* with the RSS of what could not be read */
    int64_t alone_bytes;     /* one process's, without what is shared */
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

/*
 * The same of memory: the budget is kept while the RSS sum is, and beyond its
 * limit while PSS is.  What was exceeded once stays so.
 */
bool budgets_take_memory(struct budgets *budgets,
                         const struct budget_memory *memory);

/* rss or pss; NULL where it is not known. */
const char *budgets_figure_name(enum budget_figure figure);

/* The figure of that name, NULL accepted. */
enum budget_figure budgets_find_figure(const char *name);

/* Whether a limit was set, and is kept so far. */
bool budgets_is_set(const struct budget *budget);
bool budgets_is_kept(const struct budget *budget);

/* Whether all limits that were set are kept. */
bool budgets_are_kept(const struct budgets *budgets);

#endif
