/* SPDX-License-Identifier: MIT */
/*
 * What main gives to a command: where time and environment come from, and the
 * statuses with which pmon ends when the step's own does not decide.
 */
#ifndef PMON_BASE_CONTEXT_H
#define PMON_BASE_CONTEXT_H

#include "base/clock.h"

enum {
    STATUS_BUDGET = 123,
    STATUS_MAX_TIME = 124,
    STATUS_TROUBLE = 125, /* pmon could not do its job */
    STATUS_NOT_EXECUTABLE = 126,
    STATUS_NOT_FOUND = 127,
};

struct context {
    const struct clock_source *clock;
    const char *(*environment)(const char *name);
};

#endif
