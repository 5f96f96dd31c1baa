/* SPDX-License-Identifier: MIT */
/* The command line of pmon-watch: one table for getopt_long(3) and --help. */
#ifndef PMON_WATCH_FLAGS_H
#define PMON_WATCH_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "watch/filters.h"

/* Messages below the level are not printed; as Python's logging has them. */
enum watch_level {
    WATCH_DEBUG,
    WATCH_INFO,
    WATCH_WARNING,
    WATCH_ERROR,
    WATCH_CRITICAL,
    WATCH_LEVELS,
};

/* Texts belong to argv.  What was not given is NULL or NUM_UNKNOWN. */
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
    bool wants_help;    /* nothing else counts */
    bool wants_version; /* likewise */
};

/* 0, or a negative errno with one line in error. */
int flags_parse(struct flags *flags, int argc, char **argv,
                struct error *error);
void flags_done(struct flags *flags);

/* Appends one line for each flag. */
void flags_help(struct strbuf *out);

/* The level of that name; NUM_UNKNOWN for another one. */
int flags_level(const char *name);

#endif
