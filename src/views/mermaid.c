/* SPDX-License-Identifier: MIT */
/*
 * Mermaid spreads the points of a line evenly over the numbers of its axis
 * and gets there by adding up, so the distance is a power of two: exact.
 */
#include "views/mermaid.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/num.h"

/*
 * Characters that can end a text, begin a comment or a directive, or close the
 * fence.
 */
static void
append_label(struct strbuf *out, const char *text)
{
    STRBUF_AUTO clean = {0};

    escape_terminal(&clean, text, strlen(text));
    strbuf_putc(out, '"');
    for (const char *at = strbuf_text(&clean); *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        bool is_plain =
            isalnum(c) || c >= 0x80 || strchr(" .,-+/=()_", c) != NULL;

        strbuf_putc(out, is_plain ? *at : '_');
    }
    strbuf_putc(out, '"');
}

struct time_unit {
    const char *name;
    double seconds;
    double least_s; /* of the span */
};

static const struct time_unit *
choose_time_unit(double span_s)
{
    static const struct time_unit units[] = {
        {"h", 3600, 4 * 3600}, {"min", 60, 300}, {"s", 1, 0}};
    size_t at = 0;

    while (span_s < units[at].least_s)
        at++;
    return &units[at];
}

/*
 * In units of the axis, a power of two from 2^-10; about two points for each
 * value at most.
 */
static double
choose_step(double span, size_t count)
{
    size_t most = MERMAID_MOST_POINTS - 2;
    double step = 1.0 / 1024;

    if (count < most / 2)
        most = 2 * count;
    while (span / step > (double)most)
        step *= 2;
    return step;
}

static double
choose_scale(bool is_cpu, double largest, const char **ret_name)
{
    static const char *const names[] = {"Memory (KiB)", "Memory (MiB)",
                                        "Memory (GiB)", "Memory (TiB)"};
    double scale = 1024;
    size_t at = 0;

    *ret_name = "CPU (%)";
    if (is_cpu)
        return 1;
    while (largest / scale >= 1000 && at + 1 < ARRAY_SIZE(names)) {
        scale *= 1024;
        at++;
    }
    *ret_name = names[at];
    return scale;
}

/* The smallest of 1, 2, 5, 10, … that is not below value. */
static double
round_up(double value)
{
    static const double steps[] = {1, 1.5, 2, 3, 4, 5, 6, 8, 10};
    double power = 1;

    if (!(value > 1))
        return 1;
    while (power * 10 < value)
        power *= 10;
    for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
        if (steps[i] * power >= value)
            return steps[i] * power;
    return value;
}

static double
end_of(const struct run_series *series)
{
    return num_seconds(series->elapsed_ns[series->count - 1]);
}

/* Each slot's maximum; an empty one repeats the slot before it. */
static size_t
fill_slots(double *slots, double step, const struct run_series *series,
           const double *values)
{
    double last_s = end_of(series);
    size_t used =
        (size_t)num_to_int(last_s / step, MERMAID_MOST_POINTS - 2) + 1;

    used += (double)(used - 1) * step < last_s ? 1 : 0;

    for (size_t i = 0; i < used; i++)
        slots[i] = -1;
    for (size_t i = 0; i < series->count; i++) {
        double elapsed_s = num_seconds(series->elapsed_ns[i]);
        size_t at = (size_t)num_to_int(elapsed_s / step + 0.5, (int)used - 1);

        slots[at] = num_max_double(slots[at], values[i]);
    }
    for (size_t i = 0; i < used; i++)
        if (slots[i] < 0)
            slots[i] = i > 0 ? slots[i - 1] : 0;
    return used;
}

void
mermaid_chart(struct strbuf *out, const char *title,
              const struct run_series *series, bool is_cpu)
{
    const double *values = is_cpu ? series->cpu_percent : series->rss_bytes;
    double slots[MERMAID_MOST_POINTS];
    double largest = 0;
    const struct time_unit *time;
    STRBUF_AUTO whole_title = {0};
    const char *name;
    double scale;
    double step;
    size_t used;

    strbuf_printf(&whole_title, "%s, %s", title, is_cpu ? "CPU" : "memory");
    if (series->count < 2 || !(end_of(series) > 0))
        return;
    time = choose_time_unit(end_of(series));
    step = choose_step(end_of(series) / time->seconds, series->count);
    used = fill_slots(slots, step * time->seconds, series, values);
    for (size_t i = 0; i < used; i++)
        largest = num_max_double(largest, slots[i]);
    scale = choose_scale(is_cpu, largest, &name);
    /* Mermaid's own colour for a line is #ECECFF: invisible on white. */
    strbuf_printf(out,
                  "```mermaid\n%%%%{init: {\"themeVariables\": {\"xyChart\": "
                  "{\"plotColorPalette\": \"%s\"}}}}%%%%\n"
                  "xychart-beta\n    title ",
                  is_cpu ? "#D55E00" : "#0072B2");
    append_label(out, strbuf_text(&whole_title));
    strbuf_printf(out, "\n    x-axis \"Time (%s)\" 0 --> %.15g\n", time->name,
                  (double)(used - 1) * step);
    strbuf_printf(out, "    y-axis \"%s\" 0 --> %.15g\n    line [", name,
                  round_up(largest / scale));
    for (size_t i = 0; i < used; i++)
        strbuf_printf(out, "%s%.*f", i > 0 ? ", " : "",
                      slots[i] / scale < 99.995 ? 2 : 0, slots[i] / scale);
    strbuf_puts(out, "]\n```\n");
}
