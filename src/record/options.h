/* SPDX-License-Identifier: MIT */
/* The options of a run; commands/options.c parses them. */
#ifndef PMON_RECORD_OPTIONS_H
#define PMON_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/psrecord_log.h"
#include "model/budgets.h"
#include "model/run.h"

/* What to do with survivors when the root has ended. */
enum survivors_choice { SURVIVORS_LEAVE, SURVIVORS_WAIT, SURVIVORS_KILL };

/* All texts belong to argv.  A NULL file was not requested. */
struct options {
    const char *log;
    enum log_format log_format;
    bool has_log_format; /* was given */
    int64_t interval_ns; /* NUM_UNKNOWN: auto */
    int64_t duration_ns; /* NUM_UNKNOWN: to the end */
    bool root_only;
    bool include_io;
    bool pss;
    bool exact;
    bool full_commands;
    bool no_host; /* writes neither its name nor the working directory */
    bool live;
    enum survivors_choice survivors;
    int64_t kill_after_ns;
    bool has_kill_after; /* was given */
    bool ends_step;      /* for psrecord: --duration and signals end the tree */
    bool has_literal_names; /* for psrecord: no letters are replaced */
    const char *processes;
    const char *append_peak;
    const char *step;
    const char *results;
    const char *summary;
    const char *plot;               /* ends in .svg, .png or .pdf */
    const char *regions;            /* a folder */
    const char *tags[RUN_TAGS + 1]; /* NAME=VALUE, each NAME once; NULL ends */
    struct budgets budgets;         /* limits and actions */
    bool is_quiet;
    bool is_verbose;
    int attach_pid;    /* 0: run a command */
    char *const *argv; /* the command */
};

#endif
