/* SPDX-License-Identifier: MIT */
/* The variables that set libpmon up, checked before a step gets them. */
#ifndef PMON_REGIONS_ENVIRONMENT_H
#define PMON_REGIONS_ENVIRONMENT_H

#include "base/context.h"
#include "base/error.h"

/*
 * Whether the variables by which libpmon is set up have values that it takes;
 * -EINVAL with error where regions would be off because of them.
 */
int regions_check_environment(const struct context *context,
                              struct error *error);

#endif
