/* SPDX-License-Identifier: MIT */
/* Compares values with limits; what follows is the caller's to do. */
#include "model/budgets.h"

#include <errno.h>
#include <string.h>

#include "base/num.h"

static const char *const names[] = {
    [BUDGET_RSS] = "max-rss",
    [BUDGET_TIME] = "max-time",
    [BUDGET_CPU_TIME] = "max-cpu-time",
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
    return kind == BUDGET_RSS;
}

void
budgets_init(struct budgets *budgets)
{
    for (int i = 0; i < BUDGET_KINDS; i++)
        budgets->list[i] =
            (struct budget){.limit = NUM_UNKNOWN, .value = NUM_UNKNOWN};
}

bool
budgets_is_set(const struct budget *budget)
{
    return budget->limit != NUM_UNKNOWN;
}

bool
budgets_is_kept(const struct budget *budget)
{
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

    budget->value = num_max(budget->value, value);
    return budgets_is_set(budget) && !budgets_is_kept(budget) &&
           budget->action == BUDGET_STOP;
}
