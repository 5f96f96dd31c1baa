/* SPDX-License-Identifier: MIT */
/*
 * What main passes to a command: the clock and the environment; and pmon's own
 * exit statuses.
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
