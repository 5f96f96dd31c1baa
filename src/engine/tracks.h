/* SPDX-License-Identifier: MIT */
/*
 * The rows of --processes: one for each process whose figures have changed
 * since its last row.  A process that was idle and has run gets two, of which
 * the first ends its idle time at the tick before, so that each value stands
 * for the time in which it was used.  One that has ended gets a last row with
 * an RSS of 0.
 */
#ifndef PMON_ENGINE_TRACKS_H
#define PMON_ENGINE_TRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sampler.h"
#include "model/process_row.h"

/* What was last written of a process. */
struct track {
    int64_t pid;
    int64_t ppid;          /* NUM_UNKNOWN */
    int64_t seen_clock_ns; /* at the tick before */
    int64_t clock_ns;      /* at cpu_at_ns */
    int64_t cpu_at_ns;     /* of the last row with CPU */
    int64_t rss_bytes;     /* of the last row */
    int64_t shared_bytes;
    int64_t ended_clock_ns; /* of one that has gone */
    uint32_t text_pages;    /* of the program that has the command */
    bool is_copy;           /* its command may be its parent's */
    bool has_row;
    bool has_ended;
    char *command; /* hostile */
};

/* A first row, whose CPU is set when the time before it is known. */
struct fresh_row {
    size_t at;
    int64_t clock_ns;
};

struct tracks {
    bool is_on;
    bool is_attached;    /* what processes used before does not count */
    bool whole_commands; /* --full-commands */
    pid_t root;
    const char *root_command; /* for tracks_first_row; the caller's */
    int64_t base_clock_ns;    /* of the root, when the run began */

    /* Of the last tick; texts are valid until the next. */
    struct process_row *rows;
    size_t count;

    struct process_row *now; /* of this tick, before they become rows */
    size_t now_count;
    size_t now_allocated;
    struct process_row *before; /* of the tick before, then all */
    size_t before_count;
    size_t before_allocated;
    struct fresh_row *fresh;
    size_t fresh_count;
    size_t fresh_allocated;
    struct track_list spent; /* ended, their last rows are among the rows */
    int64_t tick_ns;         /* the last tick; NUM_UNKNOWN: none yet */
    int64_t written_ns;      /* of the newest row; NUM_UNKNOWN */
};

void tracks_init(struct tracks *tracks);
void tracks_done(struct tracks *tracks);

/* Fills rows with those of a pass over the tree.  0 or -ENOMEM. */
int tracks_take(struct tracks *tracks, struct sampler *sampler,
                int64_t elapsed_ns);

/*
 * The row at 0.000 of a root that ended before it was sampled, and used
 * clock_ns; its last row follows at the next tick.  0 or -ENOMEM.
 */
int tracks_first_row(struct tracks *tracks, struct sampler *sampler,
                     int64_t rss_bytes, int64_t clock_ns);

/* For the tree: frees all tracks of a list. */
void tracks_forget(struct track_list *list);

/* The same: a member with this track (or NULL) has gone; takes it over. */
void tracks_keep(struct track_list *list, struct track *track,
                 int64_t clock_ns);

#endif
