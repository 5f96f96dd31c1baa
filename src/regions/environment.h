/* SPDX-License-Identifier: MIT */
/* Checks the variables that configure libpmon before a step gets them. */
#ifndef PMON_REGIONS_ENVIRONMENT_H
#define PMON_REGIONS_ENVIRONMENT_H

#include "base/context.h"
#include "base/error.h"

/*
 * Checks the variables that configure libpmon: 0, or -EINVAL with error if
 * their values would switch regions off.
 */
int regions_check_environment(const struct context *context,
                              struct error *error);

#endif
