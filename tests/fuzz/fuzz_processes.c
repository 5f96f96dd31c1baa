/* SPDX-License-Identifier: MIT */
/* The files of --processes, and the layers that are made of their rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "formats/process_rows.h"
#include "fuzz/fuzz.h"
#include "model/layers.h"

enum { MOST_ROWS = 10000 };

static void
check_row(const struct process_row *row, size_t size)
{
    FUZZ_CHECK(row->elapsed_ns >= 0);
    FUZZ_CHECK(row->pid >= 0 && row->ppid >= NUM_UNKNOWN);
    FUZZ_CHECK(strlen(row->command) <= size);
    FUZZ_CHECK(isfinite(row->cpu_percent));
    FUZZ_CHECK(row->rss_bytes >= NUM_UNKNOWN);
    FUZZ_CHECK(row->shared_bytes >= NUM_UNKNOWN);
}

/* One walk through the file. */
static int
walk(struct layers *layers, const char *path, size_t size, struct error *error)
{
    struct process_reader reader;
    struct process_row row;
    struct bad_rows bad = {.say = fuzz_check_line};
    int rows = 0;
    int rc = process_reader_open(&reader, path, &bad, error);

    while (rc == 0 && (rc = process_reader_next(&reader, &row, error)) == 0 &&
           rows++ < MOST_ROWS) {
        check_row(&row, size);
        if (reader.run == 1)
            FUZZ_CHECK(layers_take(layers, &row) == 0);
    }
    if (rc < 0)
        fuzz_check_error(error);
    process_reader_close(&reader);
    return rc;
}

static void
check_layers(const struct layers *layers)
{
    for (size_t i = 1; i < layers->count; i++)
        for (int kind = 0; kind < LAYERS_KINDS; kind++) {
            int64_t begin_ns;
            int64_t end_ns;
            const double *values = layers_values(layers, (enum layers_kind)kind,
                                                 i, &begin_ns, &end_ns);

            FUZZ_CHECK(begin_ns <= end_ns);
            for (size_t k = 0; k < LAYERS_ALL; k++)
                FUZZ_CHECK(isfinite(values[k]));
        }
}

static void
check_by(enum layers_by by, const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    struct layer_keys keys;
    struct layers layers;
    struct error error = {0};
    int rc;

    layer_keys_init(&keys, by);
    layers_init(&layers, &keys, 0, INT64_MAX);
    rc = walk(&layers, path, size, &error);
    layers_counted(&layers);
    FUZZ_CHECK(layer_keys_choose(&keys) == 0);
    FUZZ_CHECK(layers_begin(&layers) == 0);
    if (rc >= 0)
        walk(&layers, path, size, &error);
    layers_filled(&layers);
    check_layers(&layers);
    layers_done(&layers);
    layer_keys_done(&keys);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_by(LAYERS_BY_COMMAND, data, size);
    check_by(LAYERS_BY_PROCESS, data, size);
    return 0;
}
