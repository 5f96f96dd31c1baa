/* SPDX-License-Identifier: MIT */
/*
 * The processes at the peak: the largest ones of the row with the largest RSS.
 * Memory is bounded, however many there are.
 */
#ifndef PMON_ENGINE_AT_PEAK_H
#define PMON_ENGINE_AT_PEAK_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/sampler.h"
#include "proc/parse.h"

enum {
    AT_PEAK_MOST = 16,
    /* Of a command; a whole command line may be as long. */
    AT_PEAK_COMMAND_SIZE = 256,
};

struct at_peak_process {
    pid_t pid;
    uint64_t start_ticks;
    char name[PROC_NAME_SIZE];          /* hostile */
    char command[AT_PEAK_COMMAND_SIZE]; /* hostile; empty: not known */
    int64_t rss_bytes;
    int64_t age_ns;
    int64_t named_at_ns; /* when name was read last, and the size then */
    int64_t named_rss_bytes;
};

struct at_peak {
    bool whole_commands; /* --full-commands */
    int count;
    struct at_peak_process list[AT_PEAK_MOST]; /* largest first */
    int64_t others;
    int64_t others_rss_bytes;
};

/*
 * Takes the members of the pass that gave a new largest row.  The command of a
 * process is read when it first appears here, and again only after an exec has
 * changed its name.  The name is checked once a second, and when the size has
 * changed by a quarter.
 */
void at_peak_take(struct at_peak *at_peak, struct sampler *sampler);

/*
 * The part of a command line that may be shown (command_label); whole: all of
 * it.  cmdline is length bytes with a NUL byte behind each argument and behind
 * all.  Writes at most size bytes with the NUL byte.
 */
void at_peak_command(char *cmdline, size_t length, bool whole, char *command,
                     size_t size);

#endif
