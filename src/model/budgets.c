/* SPDX-License-Identifier: MIT */
/* Compares values with limits; what follows is the caller's to do. */
#include "model/budgets.h"

#include "base/num.h"

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
    if (!budgets_is_set(budget) || budgets_is_kept(budget) ||
        budget->action != BUDGET_STOP)
        return false;
    budget->has_stopped = true;
    return true;
}
