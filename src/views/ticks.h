/* SPDX-License-Identifier: MIT */
/* Readable units and tick steps for axes. */
#ifndef PMON_VIEWS_TICKS_H
#define PMON_VIEWS_TICKS_H

struct ticks {
    const char *unit; /* "MiB", "s", "%" */
    double scale;     /* bytes, ns or percent in one unit */
    double step;      /* in units */
};

/* The axis begins at 0 and shows at least largest, with 2 to most + 1 ticks. */
struct ticks ticks_bytes(double largest, int most);
struct ticks ticks_percent(double largest, int most);

/* Time from first to last; ms, s, min, h or d. */
struct ticks ticks_time(double first_ns, double last_ns, int most);

/* The first tick at or after value; value and result in units. */
double ticks_first(const struct ticks *ticks, double value);

#endif
