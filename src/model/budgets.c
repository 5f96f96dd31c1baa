/* SPDX-License-Identifier: MIT */
/* Compares values with limits; the caller acts on the result. */
#include "model/budgets.h"

#include <errno.h>
#include <string.h>

#include "base/num.h"

static const char *const names[] = {
    [BUDGET_RSS] = "max-rss",
    [BUDGET_TIME] = "max-time",
    [BUDGET_CPU_TIME] = "max-cpu-time",
    [BUDGET_FREE] = "min-free",
};

static const char *const figures[] = {
    [BUDGET_BY_RSS] = "rss",
    [BUDGET_BY_PSS] = "pss",
};

const char *
budgets_name(enum budget_kind kind)
{
    return names[kind];
}

int
budgets_find(const char *name)
{
    for (int i = 0; i < BUDGET_KINDS; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -ENOENT;
}

bool
budgets_is_size(enum budget_kind kind)
{
    return kind == BUDGET_RSS || kind == BUDGET_FREE;
}

const char *
budgets_figure_name(enum budget_figure figure)
{
    return figures[figure];
}

enum budget_figure
budgets_find_figure(const char *name)
{
    for (int i = BUDGET_BY_RSS; name != NULL && i < BUDGET_FIGURES; i++)
        if (strcmp(figures[i], name) == 0)
            return (enum budget_figure)i;
    return BUDGET_BY_UNKNOWN;
}

void
budgets_init(struct budgets *budgets)
{
    for (int i = 0; i < BUDGET_KINDS; i++)
        budgets->list[i] = (struct budget){.limit = NUM_UNKNOWN,
                                           .value = NUM_UNKNOWN,
                                           .is_least = i == BUDGET_FREE};
}

bool
budgets_is_set(const struct budget *budget)
{
    return budget->limit != NUM_UNKNOWN;
}

bool
budgets_is_kept(const struct budget *budget)
{
    if (budget->is_least)
        return budget->value == NUM_UNKNOWN || budget->value >= budget->limit;
    return budget->value <= budget->limit;
}

bool
budgets_are_kept(const struct budgets *budgets)
{
    for (int i = 0; i < BUDGET_KINDS; i++)
        if (budgets_is_set(&budgets->list[i]) &&
            !budgets_is_kept(&budgets->list[i]))
            return false;
    return true;
}

bool
budgets_take(struct budgets *budgets, enum budget_kind kind, int64_t value)
{
    struct budget *budget = &budgets->list[kind];

    if (!budget->is_least || budget->value == NUM_UNKNOWN)
        budget->value = num_max(budget->value, value);
    else if (value != NUM_UNKNOWN && value < budget->value)
        budget->value = value;
    return budgets_is_set(budget) && !budgets_is_kept(budget) &&
           budget->action == BUDGET_STOP;
}

/* Which figure decides about the memory, and its value. */
static struct budget
judge_memory(const struct budget *before, const struct budget_memory *memory)
{
    struct budget now = *before;

    now.figure = BUDGET_BY_RSS;
    now.value = memory->rss_bytes;
    if (budgets_is_kept(&now))
        return now;
    if (memory->pss_bytes > now.limit) {
        now.figure = BUDGET_BY_PSS;
        now.value = num_max(memory->pss_bytes, memory->alone_bytes);
    } else if (memory->pss_upper_bytes != NUM_UNKNOWN &&
               memory->pss_upper_bytes <= now.limit &&
               memory->alone_bytes <= now.limit) {
        now.figure = BUDGET_BY_PSS;
        now.value = memory->pss_upper_bytes;
    }
    return now;
}

bool
budgets_take_memory(struct budgets *budgets, const struct budget_memory *memory)
{
    struct budget *budget = &budgets->list[BUDGET_RSS];
    struct budget now;

    if (!budgets_is_set(budget))
        return false;
    now = judge_memory(budget, memory);
    if (budgets_is_kept(budget) || !budgets_is_kept(&now))
        *budget = now;
    return !budgets_is_kept(budget) && budget->action == BUDGET_STOP;
}
