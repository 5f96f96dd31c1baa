/* SPDX-License-Identifier: MIT */
/* The table of figures, and the middle of several. */
#include "engine/figures.h"

#include <stdlib.h>
#include <string.h>

static const struct figure_info infos[FIGURES] = {
    [FIGURE_WALL] = {"wall", "time", UNIT_SECONDS, "time", "wall_s"},
    [FIGURE_CPU] = {"cpu", "CPU time", UNIT_SECONDS, "cpu", "total_s"},
    [FIGURE_CPU_MEAN] = {"cpu_mean", "mean CPU", UNIT_PERCENT, "cpu",
                         "mean_percent"},
    [FIGURE_CPU_MAX] = {"cpu_max", "max CPU", UNIT_PERCENT, "cpu",
                        "max_percent"},
    [FIGURE_PEAK_RSS] = {"peak_rss", "peak memory", UNIT_BYTES, "memory",
                         "peak_rss_bytes"},
    [FIGURE_PEAK_RSS_UPPER] = {"peak_rss_upper", "upper bound of the peak",
                               UNIT_BYTES, "memory", "peak_rss_upper_bytes"},
    [FIGURE_PEAK_PSS] = {"peak_pss", "peak PSS", UNIT_BYTES, "memory",
                         "peak_pss_bytes"},
    [FIGURE_PEAK_VMS] = {"peak_vms", "peak address space", UNIT_BYTES, "memory",
                         "peak_vms_bytes"},
    [FIGURE_PEAK_SWAP] = {"peak_swap", "peak swap", UNIT_BYTES, "memory",
                          "peak_swap_bytes"},
    [FIGURE_CGROUP_PEAK] = {"cgroup_peak", "peak of the control group",
                            UNIT_BYTES, "memory", "cgroup_peak_bytes"},
    [FIGURE_MEAN_RSS] = {"mean_rss", "mean memory", UNIT_BYTES, NULL, NULL},
    [FIGURE_READ_BYTES] = {"read_bytes", "read", UNIT_BYTES, "io",
                           "read_bytes"},
    [FIGURE_WRITE_BYTES] = {"write_bytes", "written", UNIT_BYTES, "io",
                            "write_bytes"},
    [FIGURE_READ_CALLS] = {"read_calls", "read calls", UNIT_COUNT, "io",
                           "read_calls"},
    [FIGURE_WRITE_CALLS] = {"write_calls", "write calls", UNIT_COUNT, "io",
                            "write_calls"},
    [FIGURE_MINOR_FAULTS] = {"minor_faults", "minor faults", UNIT_COUNT, "io",
                             "minor_faults"},
    [FIGURE_MAJOR_FAULTS] = {"major_faults", "major faults", UNIT_COUNT, "io",
                             "major_faults"},
    [FIGURE_PROCESSES] = {"processes", "processes", UNIT_COUNT, "processes",
                          "seen"},
    [FIGURE_MAX_ALIVE] = {"max_alive", "processes at once", UNIT_COUNT,
                          "processes", "max_alive"},
    [FIGURE_MAX_THREADS] = {"max_threads", "threads at once", UNIT_COUNT,
                            "processes", "max_threads"},
    [FIGURE_ROWS] = {"rows", "rows", UNIT_COUNT, "quality", "rows"},
};

const struct figure_info *
figures_info(enum figure figure)
{
    return &infos[figure];
}

enum figure
figures_find(const char *name, size_t size)
{
    for (int i = 0; i < FIGURES; i++)
        if (infos[i].key != NULL && strlen(infos[i].name) == size &&
            memcmp(infos[i].name, name, size) == 0)
            return (enum figure)i;
    return FIGURES;
}

void
figures_names(struct strbuf *out)
{
    const char *before = "";

    for (int i = 0; i < FIGURES; i++) {
        if (infos[i].key == NULL)
            continue;
        strbuf_printf(out, "%s%s", before, infos[i].name);
        before = ", ";
    }
}

static int
by_value(const void *a, const void *b)
{
    const double *one = a;
    const double *two = b;

    return (*one > *two) - (*one < *two);
}

double
figures_median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), by_value);
    if (count % 2 == 1)
        return values[count / 2];
    return (values[count / 2 - 1] + values[count / 2]) / 2;
}
