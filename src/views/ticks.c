/* SPDX-License-Identifier: MIT */
/* Steps of 1, 2 and 5, and of the clock's own numbers. */
#include "views/ticks.h"

#include <stddef.h>

#include "base/array.h"
#include "base/num.h"

/* 1, 2 or 5 times a power of ten, so that most steps reach span. */
static double
decimal_step(double span, int most)
{
    static const double factors[] = {1, 2, 5};
    double power = 1;

    while (power * most > span && power > 1e-9)
        power /= 10;
    for (;; power *= 10)
        for (size_t i = 0; i < ARRAY_SIZE(factors); i++)
            if (factors[i] * power * most >= span || power > 1e18)
                return factors[i] * power;
}

/* The first of a list, which ends in 0, that is wide enough. */
static double
listed_step(const double *steps, double span, int most)
{
    double last = 1;

    for (; *steps != 0; steps++) {
        if (*steps * most >= span)
            return *steps;
        last = *steps;
    }
    while (last * most < span)
        last *= 2;
    return last;
}

struct ticks
ticks_bytes(double largest, int most)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t unit = 0;
    double scale = 1;

    while (largest >= 1000 * scale && unit + 1 < ARRAY_SIZE(units)) {
        scale *= 1024;
        unit++;
    }
    return (struct ticks){.unit = units[unit],
                          .scale = scale,
                          .step = decimal_step(largest / scale, most)};
}

struct ticks
ticks_percent(double largest, int most)
{
    static const double steps[] = {1,   2,   5,   10,  20,   25,   50,
                                   100, 200, 400, 800, 1000, 2000, 0};

    return (struct ticks){
        .unit = "%", .scale = 1, .step = listed_step(steps, largest, most)};
}

struct ticks
ticks_time(double first_ns, double last_ns, int most)
{
    static const double sixty[] = {1, 2, 5, 10, 15, 20, 30, 60, 120, 0};
    static const double hours[] = {1, 2, 3, 6, 12, 24, 48, 0};
    static const struct {
        double least_s; /* of the span */
        const char *unit;
        double ns;
        const double *steps; /* NULL: decimal */
    } units[] = {
        {5 * 86400, "d", 86400e9, NULL}, {4 * 3600, "h", 3600e9, hours},
        {180, "min", 60e9, sixty},       {10, "s", 1e9, sixty},
        {0.5, "s", 1e9, NULL},           {-1, "ms", 1e6, NULL},
    };
    double span_s = (last_ns - first_ns) / (double)NUM_NS_PER_S;
    size_t at = 0;
    double span;

    while (span_s < units[at].least_s)
        at++;
    span = span_s * (double)NUM_NS_PER_S / units[at].ns;
    return (struct ticks){.unit = units[at].unit,
                          .scale = units[at].ns,
                          .step = units[at].steps != NULL
                                      ? listed_step(units[at].steps, span, most)
                                      : decimal_step(span, most)};
}

double
ticks_first(const struct ticks *ticks, double value)
{
    double count = value / ticks->step;
    int64_t whole = num_from_double(count);

    if (whole == NUM_UNKNOWN) /* so large a double is whole */
        return value;
    if ((double)whole < count - 1e-9)
        whole++;
    return (double)whole * ticks->step;
}
