/* SPDX-License-Identifier: MIT */
/* Eight heights; the largest value is the full one. */
#include "views/sparkline.h"

#include <stddef.h>

#include "base/num.h"

/* The column of a point, by its time; the last point is in the last one. */
static int
column_of(const struct run_series *series, size_t point, int width)
{
    double last_ns = (double)series->elapsed_ns[series->count - 1];
    double place = (double)series->elapsed_ns[point] / (last_ns + 1);

    return (int)(place * width);
}

void
sparkline(struct strbuf *out, const struct run_series *series, bool is_cpu,
          int most)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄",
                                         "▅", "▆", "▇", "█"};
    const double *values = is_cpu ? series->cpu_percent : series->rss_bytes;
    int width = most < SPARKLINE_WIDTH ? most : SPARKLINE_WIDTH;
    double largest = 0;
    double value = 0;
    size_t at = 0;

    for (size_t i = 0; i < series->count; i++)
        largest = values[i] > largest ? values[i] : largest;
    if (series->count < SPARKLINE_LEAST_ROWS || width < SPARKLINE_LEAST_ROWS ||
        !(largest > 0))
        return;
    if (series->count < (size_t)width)
        width = (int)series->count;
    for (int i = 0; i < width; i++) {
        double before = value;
        bool is_empty = true;

        for (; at < series->count && column_of(series, at, width) <= i; at++) {
            value = is_empty || values[at] > value ? values[at] : value;
            is_empty = false;
        }
        value = is_empty ? before : value;
        strbuf_puts(out, blocks[num_to_int(value / largest * 7 + 0.5, 7)]);
    }
}
