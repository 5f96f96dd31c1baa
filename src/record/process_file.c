/* SPDX-License-Identifier: MIT */
/* Reads a file of processes in two passes, after counting its runs. */
#include "record/process_file.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/message.h"
#include "base/num.h"
#include "formats/process_rows.h"
#include "host/command_name.h"

/* Takes a row; 0 or -ENOMEM. */
typedef int (*take_row)(struct layers *layers, const struct process_row *row,
                        struct recording *recording);

/* Bad rows are reported in only one of the passes. */
static void
say_nothing(const char *line)
{
    (void)line;
}

/* By command: the processes of one program are one layer. */
static int
take_as_asked(struct layers *layers, struct process_row *row, take_row take,
              struct recording *recording)
{
    STRBUF_AUTO group = {0};

    if (layers->keys->by == LAYERS_BY_COMMAND) {
        command_group(&group, row->command);
        row->command = strbuf_text(&group);
    }
    return group.failed ? -ENOMEM : take(layers, row, recording);
}

static int
walk(struct layers *layers, const char *path, take_row take,
     struct recording *recording, struct error *error)
{
    bool is_first = layers->run == 0;
    struct process_reader reader;
    struct process_row row;
    struct bad_rows bad = {.say = is_first ? message_text : say_nothing};
    int rc = process_reader_open(&reader, path, &bad, error);

    if (rc == 0 && is_first)
        layers->run = process_reader_count_runs(&reader, error);
    if (layers->run < 0)
        rc = (int)layers->run;
    while (rc == 0 && (rc = process_reader_next(&reader, &row, error)) == 0)
        if (reader.run == layers->run &&
            take_as_asked(layers, &row, take, recording) < 0)
            rc = error_no_memory(error);
    process_reader_close(&reader);
    bad_rows_end(&bad, path);
    if (layers->run > 1 && is_first)
        message_print(
            "%s: has %lld runs, one after the other; the last is drawn", path,
            (long long)layers->run);
    return rc < 0 ? rc : 0;
}

static int
count(struct layers *layers, const struct process_row *row,
      struct recording *recording)
{
    (void)recording;
    return layers_take(layers, row);
}

int
process_file_count(struct layers *layers, const char *path, struct error *error)
{
    int rc = walk(layers, path, count, NULL, error);

    if (rc == 0) {
        layers->path = strdup(path);
        rc = layers->path != NULL ? 0 : error_no_memory(error);
    }
    layers_counted(layers);
    return rc;
}

/* Adds one value to one curve. */
static int
push(struct recording *recording, int64_t elapsed_ns, double rss_bytes,
     double cpu_percent)
{
    struct recording_row row = {.elapsed_ns = elapsed_ns,
                                .cpu_percent = cpu_percent,
                                .rss_bytes = rss_bytes,
                                .vms_bytes = -1,
                                .pss_bytes = -1,
                                .read_bytes = -1,
                                .write_bytes = -1};

    return recording_push(recording, &row);
}

/* The sum of a tick is complete when the next tick begins. */
static int
fill(struct layers *layers, const struct process_row *row,
     struct recording *recording)
{
    int rc = 0;

    if (recording != NULL && layers->tick_ns != NUM_UNKNOWN &&
        layers->tick_ns != row->elapsed_ns)
        rc = push(recording, layers->tick_ns, layers_sum(layers->now), -1);
    return rc < 0 ? rc : layers_take(layers, row);
}

static int
push_cpu(const struct layers *layers, struct recording *recording)
{
    int rc = 0;

    for (size_t i = 1; i < layers->count && rc == 0; i++)
        rc = push(recording, layers->edges_ns[i], -1,
                  layers_sum(layers->values[LAYERS_CPU][i]));
    return rc;
}

int
process_file_fill(struct layers *layers, struct recording *recording,
                  struct error *error)
{
    int rc = layers_begin(layers);

    if (rc < 0)
        return error_no_memory(error);
    rc = walk(layers, layers->path, fill, recording, error);
    layers_filled(layers);
    if (rc == 0 && recording != NULL && layers->tick_ns != NUM_UNKNOWN)
        rc = push(recording, layers->tick_ns, layers_sum(layers->now), -1);
    if (rc == 0 && recording != NULL)
        rc = push_cpu(layers, recording);
    return rc == -ENOMEM ? error_no_memory(error) : rc;
}
