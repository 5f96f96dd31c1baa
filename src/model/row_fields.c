/* SPDX-License-Identifier: MIT */
/* The table of a row's figures. */
#include "model/row_fields.h"

#include "base/array.h"
#include "base/num.h"

static double
known(int64_t value)
{
    return value == NUM_UNKNOWN ? -1 : (double)value;
}

static double
elapsed_of(const struct row *row)
{
    return num_seconds(row->elapsed_ns);
}

static double
cpu_percent_of(const struct row *row)
{
    return row->cpu_percent;
}

static double
cpu_of(const struct row *row)
{
    return num_seconds(row->cpu_ns);
}

static double
rss_of(const struct row *row)
{
    return known(row->rss_bytes);
}

static double
unique_of(const struct row *row)
{
    return known(row->rss_unique_bytes);
}

static double
vms_of(const struct row *row)
{
    return known(row->vms_bytes);
}

static double
pss_of(const struct row *row)
{
    return known(row->pss_bytes);
}

static double
processes_of(const struct row *row)
{
    return known(row->processes);
}

static double
threads_of(const struct row *row)
{
    return known(row->threads);
}

static double
minor_faults_of(const struct row *row)
{
    return known(row->minor_faults);
}

static double
major_faults_of(const struct row *row)
{
    return known(row->major_faults);
}

static double
read_calls_of(const struct row *row)
{
    return known(row->io.value[PROC_IO_READ_CALLS]);
}

static double
write_calls_of(const struct row *row)
{
    return known(row->io.value[PROC_IO_WRITE_CALLS]);
}

static double
read_bytes_of(const struct row *row)
{
    return known(row->io.value[PROC_IO_READ_BYTES]);
}

static double
write_bytes_of(const struct row *row)
{
    return known(row->io.value[PROC_IO_WRITE_BYTES]);
}

static const struct row_field metrics[] = {
    {"elapsed_s", METRIC_SECONDS, elapsed_of, false},
    {"cpu_percent", METRIC_PERCENT, cpu_percent_of, false},
    {"cpu_s", METRIC_SECONDS, cpu_of, false},
    {"rss_bytes", METRIC_BYTES, rss_of, false},
    {"rss_without_copies_bytes", METRIC_BYTES, unique_of, false},
    {"vms_bytes", METRIC_BYTES, vms_of, false},
    {"pss_bytes", METRIC_BYTES, pss_of, false},
    {"processes", METRIC_COUNT, processes_of, false},
    {"threads", METRIC_COUNT, threads_of, false},
    {"minor_faults", METRIC_COUNT, minor_faults_of, false},
    {"major_faults", METRIC_COUNT, major_faults_of, false},
    {"read_calls", METRIC_COUNT, read_calls_of, true},
    {"write_calls", METRIC_COUNT, write_calls_of, true},
    {"read_bytes", METRIC_BYTES, read_bytes_of, true},
    {"write_bytes", METRIC_BYTES, write_bytes_of, true},
};

const struct row_field *
row_field_at(size_t index)
{
    return index < ARRAY_SIZE(metrics) ? &metrics[index] : NULL;
}
