/* SPDX-License-Identifier: MIT */
/* Sums up rows of processes by layer, in two passes. */
#include "model/layers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

enum { LEAST_PROCESSES = 64 };

void
layers_init(struct layers *layers, struct layer_keys *keys, int64_t from_ns,
            int64_t to_ns)
{
    *layers = (struct layers){.keys = keys,
                              .from_ns = from_ns,
                              .to_ns = to_ns,
                              .tick_ns = NUM_UNKNOWN,
                              .next_key = keys->count};
}

void
layers_done(struct layers *layers)
{
    free(layers->path);
    free(layers->edges_ns);
    for (int kind = 0; kind < LAYERS_KINDS; kind++)
        free(layers->values[kind]);
    free(layers->processes);
    *layers = (struct layers){0};
}

/* ---- the processes of the walk ---- */

static struct layer_process *
place_of(const struct layers *layers, int64_t pid)
{
    size_t at = (uint32_t)pid * 2654435761U & (layers->processes_size - 1);

    while (layers->processes[at].pid != 0 && layers->processes[at].pid != pid)
        at = (at + 1) & (layers->processes_size - 1);
    return &layers->processes[at];
}

/* Doubles the table, without ended processes. */
static int
make_room(struct layers *layers)
{
    struct layers old = *layers;

    layers->processes_count = 0;
    for (size_t i = 0; i < old.processes_size; i++)
        layers->processes_count += old.processes[i].is_alive ? 1 : 0;
    layers->processes_size = LEAST_PROCESSES;
    while (layers->processes_size < 4 * (layers->processes_count + 1))
        layers->processes_size *= 2;
    layers->processes =
        calloc(layers->processes_size, sizeof(*layers->processes));
    if (layers->processes == NULL) {
        *layers = old;
        return -ENOMEM;
    }
    for (size_t i = 0; i < old.processes_size; i++)
        if (old.processes[i].is_alive)
            *place_of(layers, old.processes[i].pid) = old.processes[i];
    free(old.processes);
    return 0;
}

/* The key of a row; the second pass uses the keys of the first. */
static int
find_key(struct layers *layers, const struct process_row *row, size_t *ret_key)
{
    if (layers->is_filling && layers->keys->by == LAYERS_BY_PROCESS) {
        *ret_key = layers->next_key++;
        return *ret_key < layers->keys->count ? 0 : -ENOMEM;
    }
    return layer_keys_find(layers->keys, row->pid, row->command, ret_key);
}

/* The process of a row, which may be new, with its current key. */
static int
find_process(struct layers *layers, const struct process_row *row,
             struct layer_process **ret_process)
{
    struct layer_process *process;

    if (2 * (layers->processes_count + 1) > layers->processes_size &&
        make_room(layers) < 0)
        return -ENOMEM;
    process = place_of(layers, row->pid);
    layers->processes_count += process->pid == 0 ? 1 : 0;
    *ret_process = process;
    if (process->pid != 0 && process->is_alive)
        return 0;
    *process = (struct layer_process){.pid = row->pid,
                                      .is_alive = true,
                                      .rss_at_ns = row->elapsed_ns,
                                      .cpu_at_ns = layers->before_ns};
    return find_key(layers, row, &process->key);
}

/* ---- the first walk: areas ---- */

/* The part of a time that is drawn. */
static double
overlap(const struct layers *layers, int64_t begin_ns, int64_t end_ns)
{
    int64_t from_ns = num_max(begin_ns, layers->from_ns);
    int64_t to_ns = end_ns < layers->to_ns ? end_ns : layers->to_ns;

    return to_ns > from_ns ? (double)(to_ns - from_ns) : 0;
}

static void
count_memory(struct layers *layers, const struct layer_process *process,
             int64_t end_ns)
{
    layers->keys->list[process->key].area[LAYERS_MEMORY] +=
        (double)process->rss_bytes *
        overlap(layers, process->rss_at_ns, end_ns);
}

/* Counts a new tick if it is drawn. */
static void
count_tick(struct layers *layers, int64_t tick_ns)
{
    if (tick_ns < layers->from_ns || tick_ns > layers->to_ns)
        return;
    if (layers->ticks++ == 0)
        layers->first_ns = tick_ns;
    layers->last_ns = tick_ns;
}

void
layers_counted(struct layers *layers)
{
    for (size_t i = 0; i < layers->processes_size; i++)
        if (layers->processes[i].is_alive)
            count_memory(layers, &layers->processes[i], layers->tick_ns);
    free(layers->processes);
    layers->processes = NULL;
    layers->processes_size = layers->processes_count = 0;
}

/* ---- the second walk: values ---- */

int
layers_begin(struct layers *layers)
{
    size_t room = LAYERS_STRETCHES + 1;
    int64_t span_ns = layers->last_ns - layers->first_ns;

    layers->is_filling = true;
    layers->tick_ns = NUM_UNKNOWN;
    layers->before_ns = 0;
    layers->has_ticks = layers->ticks <= (int64_t)room;
    layers->edges_ns = calloc(room, sizeof(*layers->edges_ns));
    for (int kind = 0; kind < LAYERS_KINDS; kind++)
        layers->values[kind] = calloc(room, sizeof(*layers->values[kind]));
    if (layers->edges_ns == NULL || layers->values[LAYERS_MEMORY] == NULL ||
        layers->values[LAYERS_CPU] == NULL)
        return -ENOMEM;
    if (layers->has_ticks)
        return 0;
    layers->count = room;
    for (size_t i = 0; i < room; i++)
        layers->edges_ns[i] =
            layers->first_ns +
            num_from_double((double)span_ns * (double)i / LAYERS_STRETCHES);
    return 0;
}

/* Begins a tick: finds the edge at or after it. */
static void
begin_tick(struct layers *layers, int64_t tick_ns)
{
    if (tick_ns < layers->from_ns || tick_ns > layers->to_ns)
        return;
    if (layers->has_ticks) {
        if (layers->count > LAYERS_STRETCHES)
            return;
        layers->at = layers->count++;
        layers->edges_ns[layers->at] = tick_ns;
        return;
    }
    while (layers->at + 1 < layers->count &&
           layers->edges_ns[layers->at] < tick_ns) {
        layers->at++;
        memcpy(layers->values[LAYERS_MEMORY][layers->at], layers->now,
               sizeof(layers->now));
    }
}

double
layers_sum(const double values[LAYERS_ALL])
{
    double sum = 0;

    for (size_t i = 0; i < LAYERS_ALL; i++)
        sum += values[i];
    return sum;
}

/* Ends a tick: keeps the largest sum of its stretch. */
static void
end_tick(struct layers *layers)
{
    double *kept;

    if (!layers->is_filling || layers->count == 0 ||
        layers->tick_ns < layers->from_ns || layers->tick_ns > layers->to_ns)
        return;
    kept = layers->values[LAYERS_MEMORY][layers->at];
    if (layers->has_ticks || layers_sum(layers->now) > layers_sum(kept))
        memcpy(kept, layers->now, sizeof(layers->now));
}

/*
 * Adds CPU time up to the current tick to the stretches in which it was used.
 */
static void
fill_cpu(struct layers *layers, int layer, int64_t begin_ns, int64_t end_ns,
         double cpu_ns)
{
    if (layers->count == 0 || end_ns <= begin_ns)
        return;
    for (size_t i = layers->at; i > 0 && layers->edges_ns[i] > begin_ns; i--) {
        int64_t from_ns = num_max(layers->edges_ns[i - 1], begin_ns);
        int64_t to_ns =
            layers->edges_ns[i] < end_ns ? layers->edges_ns[i] : end_ns;

        if (to_ns > from_ns)
            layers->values[LAYERS_CPU][i][layer] += cpu_ns *
                                                    (double)(to_ns - from_ns) /
                                                    (double)(end_ns - begin_ns);
    }
}

/* ---- both ---- */

/* Moves the memory of a process to its current key. */
static int
take_memory(struct layers *layers, struct layer_process *process,
            const struct process_row *row)
{
    struct layer_key *list = layers->keys->list;
    size_t key = process->key;
    int rc = 0;

    if (!layers->is_filling)
        count_memory(layers, process, row->elapsed_ns);
    else
        layers->now[list[key].layer] -= (double)process->rss_bytes;
    /* After an exec the same process has another command. */
    if (layers->keys->by == LAYERS_BY_COMMAND)
        rc = find_key(layers, row, &process->key);
    else if (!layers->is_filling)
        rc = layer_keys_name(layers->keys, key, row->command, row->rss_bytes);
    process->rss_bytes = num_max(row->rss_bytes, 0);
    process->rss_at_ns = row->elapsed_ns;
    process->is_alive = row->rss_bytes != 0;
    if (rc == 0 && layers->is_filling)
        layers->now[layers->keys->list[process->key].layer] +=
            (double)process->rss_bytes;
    return rc;
}

static void
take_cpu(struct layers *layers, struct layer_process *process,
         const struct process_row *row)
{
    int64_t begin_ns = process->cpu_at_ns;
    double part = row->cpu_percent / 100;

    if (row->cpu_percent < 0)
        return;
    process->cpu_at_ns = row->elapsed_ns;
    if (layers->is_filling)
        fill_cpu(layers, layers->keys->list[process->key].layer, begin_ns,
                 row->elapsed_ns, part * (double)(row->elapsed_ns - begin_ns));
    else
        layers->keys->list[process->key].area[LAYERS_CPU] +=
            part * overlap(layers, begin_ns, row->elapsed_ns);
}

int
layers_take(struct layers *layers, const struct process_row *row)
{
    struct layer_process *process;
    int rc;

    if (row->elapsed_ns != layers->tick_ns) {
        if (layers->tick_ns != NUM_UNKNOWN) {
            end_tick(layers);
            layers->before_ns = layers->tick_ns;
        } else {
            layers->before_ns = row->elapsed_ns;
        }
        if (layers->is_filling)
            begin_tick(layers, row->elapsed_ns);
        else
            count_tick(layers, row->elapsed_ns);
        layers->tick_ns = row->elapsed_ns;
    }
    rc = find_process(layers, row, &process);
    if (rc < 0)
        return rc;
    rc = take_memory(layers, process, row);
    if (rc == 0)
        take_cpu(layers, process, row);
    return rc;
}

/* Orders the layers that are not empty: the largest below, the others above. */
static void
put_in_order(struct layers *layers, enum layers_kind kind)
{
    double areas[LAYERS_ALL] = {0};
    size_t *order = layers->order[kind];

    for (size_t i = 1; i < layers->count; i++) {
        int64_t begin_ns;
        int64_t end_ns;
        const double *values =
            layers_values(layers, kind, i, &begin_ns, &end_ns);

        for (size_t k = 0; k < LAYERS_ALL; k++)
            areas[k] += values[k] * (double)(end_ns - begin_ns);
        layers->most[kind] =
            num_max_double(layers->most[kind], layers_sum(values));
    }
    for (size_t k = 0; k < LAYERS_MOST; k++) {
        size_t at = layers->used[kind];

        if (areas[k] <= 0)
            continue;
        for (; at > 0 && areas[order[at - 1]] < areas[k]; at--)
            order[at] = order[at - 1];
        order[at] = k;
        layers->used[kind]++;
    }
    if (areas[LAYERS_MOST] > 0)
        order[layers->used[kind]++] = LAYERS_MOST;
}

void
layers_filled(struct layers *layers)
{
    end_tick(layers);
    for (size_t i = 1; i < layers->count; i++) {
        double width_ns =
            (double)(layers->edges_ns[i] - layers->edges_ns[i - 1]);

        for (size_t k = 0; k < LAYERS_ALL && width_ns > 0; k++)
            layers->values[LAYERS_CPU][i][k] *= 100 / width_ns;
    }
    put_in_order(layers, LAYERS_MEMORY);
    put_in_order(layers, LAYERS_CPU);
    free(layers->processes);
    layers->processes = NULL;
}

const double *
layers_values(const struct layers *layers, enum layers_kind kind, size_t index,
              int64_t *ret_begin_ns, int64_t *ret_end_ns)
{
    /* Memory holds from its tick to the next. */
    size_t at = kind == LAYERS_MEMORY && layers->has_ticks ? index - 1 : index;

    *ret_begin_ns = layers->edges_ns[index - 1];
    *ret_end_ns = layers->edges_ns[index];
    return layers->values[kind][at];
}
