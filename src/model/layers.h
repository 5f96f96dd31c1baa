/* SPDX-License-Identifier: MIT */
/*
 * Memory and CPU of a run in layers, by command or by process, for a stacked
 * picture.  Takes the rows of a file in two passes, in bounded memory: the
 * first finds the largest, the second fills the layers.
 */
#ifndef PMON_MODEL_LAYERS_H
#define PMON_MODEL_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/layer_keys.h"
#include "model/process_row.h"

/* Stretches of time: as fine as a picture can show. */
enum { LAYERS_STRETCHES = 480 };

/* A pid that was seen. */
struct layer_process {
    int64_t pid;
    size_t key;
    int64_t rss_bytes;
    int64_t rss_at_ns; /* since when */
    int64_t cpu_at_ns; /* its CPU time is known until here */
    bool is_alive;
};

struct layers {
    struct layer_keys *keys; /* of several runs; NULL: no layers */
    char *path;              /* of the file; NULL: not read yet */
    int64_t run;             /* number of the run in it; 0: not known yet */
    int64_t from_ns;
    int64_t to_ns;

    /* Ends of the stretches: each tick, or equal times if there are more. */
    int64_t *edges_ns;
    size_t count;
    bool has_ticks;
    /* Of the stretch before each edge: bytes, percent of one core. */
    double (*values[LAYERS_KINDS])[LAYERS_ALL];
    double most[LAYERS_KINDS];              /* the largest sum */
    size_t order[LAYERS_KINDS][LAYERS_ALL]; /* from below */
    size_t used[LAYERS_KINDS];              /* layers that are not 0 */

    /* State of a pass. */
    struct layer_process *processes; /* open addressing by pid */
    size_t processes_count;
    size_t processes_size; /* a power of two */
    bool is_filling;       /* in the second pass */
    int64_t ticks;
    int64_t before_ns; /* the last tick */
    int64_t tick_ns;
    double now[LAYERS_ALL]; /* bytes of each layer */
    size_t at;              /* the edge at or after the current tick */
    size_t next_key;        /* by process: the next key that the first pass has
                               numbered */
    int64_t first_ns;       /* ticks from from_ns to to_ns */
    int64_t last_ns;
};

/* Layers from from_ns to to_ns, with keys that belong to the caller. */
void layers_init(struct layers *layers, struct layer_keys *keys,
                 int64_t from_ns, int64_t to_ns);
void layers_done(struct layers *layers);

/* Takes the next row of a pass. 0 or -ENOMEM. */
int layers_take(struct layers *layers, const struct process_row *row);

/* Ends the first pass. */
void layers_counted(struct layers *layers);

/* Begins the second pass, when the keys are chosen. 0 or -ENOMEM. */
int layers_begin(struct layers *layers);

/* Ends the second pass. */
void layers_filled(struct layers *layers);

/* The sum of all layers. */
double layers_sum(const double values[LAYERS_ALL]);

/*
 * The time from *ret_begin_ns to *ret_end_ns for which the values of index hold
 * (1 to count - 1), and those values.
 */
const double *layers_values(const struct layers *layers, enum layers_kind kind,
                            size_t index, int64_t *ret_begin_ns,
                            int64_t *ret_end_ns);

#endif
