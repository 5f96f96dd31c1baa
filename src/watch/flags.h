/* SPDX-License-Identifier: MIT */
/* The command line of pmon-watch: a table of options. */
#ifndef PMON_WATCH_FLAGS_H
#define PMON_WATCH_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option_table.h"
#include "watch/filters.h"

/* Messages below the level are not printed; as Python's logging has them. */
enum watch_level {
    WATCH_DEBUG,
    WATCH_INFO,
    WATCH_WARNING,
    WATCH_ERROR,
    WATCH_CRITICAL,
};

/* Texts belong to argv.  Missing ones are NULL or NUM_UNKNOWN. */
struct flags {
    struct filters filters; /* owned */
    int64_t interval_ns;
    const char *dir;
    int level; /* enum watch_level */
    bool include_self;
    bool is_extended;
    int64_t max_size; /* bytes */
    int64_t keep;
    int64_t samples;
    const char *env_prefix;
    const char *env_file;
};

extern const struct option_table flags_table;

/* Names by enum watch_level, for a row of option_table.h. */
extern const char *const flags_levels[];

/* The longest interval, as a flag and as a variable. */
#define FLAGS_LONGEST_NS (365 * 86400 * NUM_NS_PER_S)

/*
 * 0; OPTION_HELP or OPTION_VERSION where that was asked for; or a negative
 * errno with error.
 */
int flags_parse(struct flags *flags, int argc, char **argv,
                struct error *error);
void flags_done(struct flags *flags);

#endif
