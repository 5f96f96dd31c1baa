/* SPDX-License-Identifier: MIT */
/*
 * The settings of pmon-watch: flags override variables, which override
 * defaults.  Read at the start and again at each HUP.
 */
#ifndef PMON_WATCH_SETTINGS_H
#define PMON_WATCH_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "watch/filters.h"
#include "watch/flags.h"

struct settings {
    bool is_enabled;
    struct filters filters; /* owned */
    int64_t interval_ns;
    char *dir; /* owned; no / at its end */
    enum watch_level level;
    bool include_self;
    bool is_extended;
    int64_t max_size; /* bytes; 0: no limit */
    int64_t keep;     /* older files; 0: all */
};

/*
 * By the flags, and with a prefix by environment and the flags' file, which
 * wins.  0, or a negative errno with error, which names the first variable
 * that is wrong; then ret_settings is as it was.
 */
int settings_make(struct settings *ret_settings, const struct flags *flags,
                  const char *(*environment)(const char *name),
                  struct error *error);
void settings_done(struct settings *settings);

#endif
