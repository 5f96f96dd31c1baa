/* SPDX-License-Identifier: MIT */
/* Rows become curves; totals of I/O become rates. */
#include "model/recording.h"

#include <stdlib.h>

#include "base/num.h"

/* A log rounds to thousandths of a MiB, so a row may be this much too large. */
static const double rounding_bytes = 1049;

void
recording_init(struct recording *recording, int64_t from_ns, int64_t to_ns)
{
    *recording = (struct recording){.from_ns = from_ns,
                                    .to_ns = to_ns,
                                    .peak_bytes = NUM_UNKNOWN,
                                    .peak_upper_bytes = NUM_UNKNOWN,
                                    .peak_elapsed_ns = NUM_UNKNOWN,
                                    .limit_bytes = NUM_UNKNOWN,
                                    .start_epoch_ns = NUM_UNKNOWN,
                                    .io_ns = NUM_UNKNOWN};
    for (int i = 0; i < RECORDING_CURVES; i++)
        timeline_init(&recording->curves[i], RECORDING_SLOTS, NUM_NS_PER_MS);
    regions_init(&recording->regions);
}

void
recording_done(struct recording *recording)
{
    for (int i = 0; i < RECORDING_CURVES; i++)
        timeline_done(&recording->curves[i]);
    regions_done(&recording->regions);
    layers_done(&recording->layers);
    free(recording->name);
    *recording = (struct recording){0};
}

static bool
is_within(const struct recording *recording, int64_t elapsed_ns)
{
    return elapsed_ns >= recording->from_ns && elapsed_ns <= recording->to_ns;
}

static double
rate(double now, double before, int64_t ns)
{
    return now > before ? (now - before) / num_seconds(ns) : 0;
}

/* Adds bytes per second since the last row with I/O. */
static int
push_io(struct recording *recording, const struct recording_row *row)
{
    int64_t passed_ns = row->elapsed_ns - recording->io_ns;
    int rc = 0;

    if (row->read_bytes < 0 || row->write_bytes < 0)
        return 0;
    if (recording->io_ns != NUM_UNKNOWN && passed_ns <= 0)
        return 0;
    if (recording->io_ns != NUM_UNKNOWN &&
        is_within(recording, row->elapsed_ns)) {
        rc =
            timeline_push(&recording->curves[RECORDING_READ], row->elapsed_ns,
                          rate(row->read_bytes, recording->io_read, passed_ns));
        if (rc == 0)
            rc = timeline_push(
                &recording->curves[RECORDING_WRITE], row->elapsed_ns,
                rate(row->write_bytes, recording->io_write, passed_ns));
    }
    recording->io_ns = row->elapsed_ns;
    recording->io_read = row->read_bytes;
    recording->io_write = row->write_bytes;
    return rc;
}

int
recording_push(struct recording *recording, const struct recording_row *row)
{
    const double values[RECORDING_CURVES] = {[RECORDING_RSS] = row->rss_bytes,
                                             [RECORDING_VMS] = row->vms_bytes,
                                             [RECORDING_PSS] = row->pss_bytes,
                                             [RECORDING_CPU] = row->cpu_percent,
                                             [RECORDING_READ] = -1,
                                             [RECORDING_WRITE] = -1};
    int rc = push_io(recording, row);

    recording->seen_ns = num_max(recording->seen_ns, row->elapsed_ns);
    if (!is_within(recording, row->elapsed_ns))
        return rc;
    for (int i = 0; i < RECORDING_CURVES && rc == 0; i++)
        if (values[i] >= 0)
            rc = timeline_push(&recording->curves[i], row->elapsed_ns,
                               values[i]);
    return rc;
}

int
recording_push_row(struct recording *recording, const struct row *row)
{
    struct recording_row pushed = {
        .elapsed_ns = row->elapsed_ns,
        .cpu_percent = row->cpu_percent,
        .rss_bytes = (double)row->rss_bytes,
        .vms_bytes = (double)row->vms_bytes,
        .pss_bytes = (double)row->pss_bytes,
        .read_bytes = (double)row->io.value[PROC_IO_READ_BYTES],
        .write_bytes = (double)row->io.value[PROC_IO_WRITE_BYTES]};

    return recording_push(recording, &pushed);
}

void
recording_take_peak(struct recording *recording, int64_t bytes,
                    int64_t upper_bytes, int64_t elapsed_ns, enum word word)
{
    bool is_whole = recording->from_ns == 0 && recording->to_ns == INT64_MAX;

    if (bytes == NUM_UNKNOWN ||
        (elapsed_ns == NUM_UNKNOWN ? !is_whole
                                   : !is_within(recording, elapsed_ns)))
        return;
    recording->peak_bytes = bytes;
    recording->peak_upper_bytes = upper_bytes;
    recording->peak_elapsed_ns = elapsed_ns;
    recording->peak_word = word;
}

void
recording_finish(struct recording *recording)
{
    struct timeline_point largest;

    if (!timeline_largest(&recording->curves[RECORDING_RSS], &largest) ||
        (double)recording->peak_bytes + rounding_bytes >= largest.value)
        return;
    recording->peak_bytes = num_from_double(largest.value);
    recording->peak_word = WORD_UNKNOWN;
    recording->peak_elapsed_ns = largest.elapsed_ns;
}

int64_t
recording_end(const struct recording *recording)
{
    return recording->seen_ns < recording->to_ns ? recording->seen_ns
                                                 : recording->to_ns;
}
