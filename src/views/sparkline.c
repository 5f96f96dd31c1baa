/* SPDX-License-Identifier: MIT */
/* Eight heights; the largest value is the full one. */
#include "views/sparkline.h"

#include <string.h>

#include "base/num.h"

static double
value_of(const struct series_slot *slot, bool is_cpu)
{
    return is_cpu ? slot->cpu_percent : (double)slot->rss_bytes;
}

/* The largest value of the slots of one column; what is empty repeats. */
static double
column_value(const struct series *series, int column, int width, bool is_cpu,
             double before)
{
    size_t begin = series->count * (size_t)column / (size_t)width;
    size_t end = series->count * (size_t)(column + 1) / (size_t)width;
    double largest = -1;

    for (size_t i = begin; i < end; i++)
        if (series->slots[i].elapsed_ns != NUM_UNKNOWN &&
            value_of(&series->slots[i], is_cpu) > largest)
            largest = value_of(&series->slots[i], is_cpu);
    return largest < 0 ? before : largest;
}

void
sparkline(struct strbuf *out, const struct series *series, bool is_cpu,
          int most)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄",
                                         "▅", "▆", "▇", "█"};
    int width = most < SPARKLINE_WIDTH ? most : SPARKLINE_WIDTH;
    size_t rows = 0;
    double largest = 0;
    double value = 0;

    for (size_t i = 0; i < series->count; i++) {
        if (series->slots[i].elapsed_ns == NUM_UNKNOWN)
            continue;
        rows++;
        if (value_of(&series->slots[i], is_cpu) > largest)
            largest = value_of(&series->slots[i], is_cpu);
    }
    if (rows < SPARKLINE_LEAST_ROWS || width < SPARKLINE_LEAST_ROWS ||
        largest <= 0)
        return;
    if (series->count < (size_t)width)
        width = (int)series->count;
    for (int i = 0; i < width; i++) {
        value = column_value(series, i, width, is_cpu, value);
        strbuf_puts(out, blocks[num_to_int(value / largest * 7 + 0.5, 7)]);
    }
}
