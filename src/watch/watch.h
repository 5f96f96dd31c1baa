/* SPDX-License-Identifier: MIT */
/* The loop of pmon-watch: ticks, signals and messages. */
#ifndef PMON_WATCH_WATCH_H
#define PMON_WATCH_WATCH_H

#include "base/clock.h"
#include "base/error.h"
#include "watch/notify.h"
#include "watch/row_files.h"
#include "watch/sampling.h"
#include "watch/settings.h"

struct watch {
    const struct settings *flags;
    const struct clock_source *clock;
    const char *(*environment)(const char *name);
    int proc_fd;
    int signal_fd;

    struct settings settings;
    struct sampling sampling;
    struct row_files files;
    struct notify notify;

    bool has_ended;
    int64_t due_ns;      /* of the next sample; CLOCK_MONOTONIC */
    int64_t watchdog_ns; /* of the next sign of life; likewise */
    int64_t samples;
    int64_t rows;
    int64_t missed_ticks;    /* samples that came due during another one */
    int64_t lost_rows;       /* in total, on a full disk */
    int64_t waiting_rows;    /* of them since rows were last written */
    bool is_waiting;         /* until rows can be written */
    bool has_list_trouble;   /* reported once */
    bool has_rotate_trouble; /* likewise */
    int64_t told_rows;       /* the number in the last STATUS; NUM_UNKNOWN */
};

/*
 * Makes settings, opens list and files; takes over list.  0, or a negative
 * errno with error.
 */
int watch_init(struct watch *watch, const struct settings *flags,
               struct process_list *list, int proc_fd,
               const struct clock_source *clock,
               const char *(*environment)(const char *name),
               struct error *error);

/* Runs until TERM, INT, or the last requested sample. */
void watch_run(struct watch *watch);

void watch_done(struct watch *watch);

#endif
