/* SPDX-License-Identifier: MIT */
/* The abilities of the terminal at a descriptor. */
#ifndef PMON_BASE_TERMINAL_H
#define PMON_BASE_TERMINAL_H

#include <stdbool.h>

#include "base/context.h"

/* Columns: COLUMNS, else those of the window, else 80. */
int terminal_width(const struct context *context, int fd);

/* Whether LC_ALL, else LC_CTYPE, else LANG names UTF-8. */
bool terminal_is_utf8(const struct context *context);

#endif
