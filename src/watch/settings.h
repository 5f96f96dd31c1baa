/* SPDX-License-Identifier: MIT */
/*
 * The settings of pmon-watch: flags override variables, which override
 * defaults.  Flags are parsed once; variables are read at the start and again
 * at each HUP.
 */
#ifndef PMON_WATCH_SETTINGS_H
#define PMON_WATCH_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option_table.h"
#include "watch/filters.h"

/* Messages below the level are not printed, as in Python's logging. */
enum watch_level {
    WATCH_UNKNOWN = -1,
    WATCH_DEBUG,
    WATCH_INFO,
    WATCH_WARNING,
    WATCH_ERROR,
    WATCH_CRITICAL,
};

struct settings {
    bool is_enabled;
    struct filters filters; /* owned */
    int64_t interval_ns;
    const char *dir; /* no / at its end */
    int level;       /* enum watch_level */

    /* Flags without a variable. */
    bool include_self;
    bool is_extended;
    int64_t max_size;       /* bytes; 0: no limit */
    int64_t keep;           /* older files; 0: all */
    int64_t samples;        /* 0: no end */
    const char *env_prefix; /* of variables; NULL: none are read */
    const char *env_file;   /* NULL: none */

    char *text; /* owned; holds dir */
};

extern const struct option_table settings_table;

/*
 * Parses only the flags: members that no flag sets are NULL, 0 or NUM_UNKNOWN,
 * and texts belong to argv. 0; OPTION_HELP or OPTION_VERSION if one of them was
 * given; or a negative errno with error.
 */
int settings_parse(struct settings *flags, int argc, char **argv,
                   struct error *error);

/*
 * Completes the flags, with a prefix by the environment and the flags' file,
 * which wins. 0, or a negative errno with error, which names the first wrong
 * variable; then ret_settings is unchanged.
 */
int settings_make(struct settings *ret_settings, const struct settings *flags,
                  const char *(*environment)(const char *name),
                  struct error *error);
void settings_done(struct settings *settings);

#endif
