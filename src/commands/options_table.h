/* SPDX-License-Identifier: MIT */
/* The options of the main job as a table; for commands/options.c alone. */
#ifndef PMON_COMMANDS_OPTIONS_TABLE_H
#define PMON_COMMANDS_OPTIONS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/option_text.h"
#include "record/options.h"

struct option_row {
    struct option_text text;
    int (*take)(struct options *options, const char *name, const char *value,
                struct error *error);
    size_t flag; /* where take is NULL: a bool of struct options, */
    bool sets;   /* and what it becomes */
};

enum { OPTIONS_ROWS = 27 };

extern const struct option_row options_table[OPTIONS_ROWS];

#endif
