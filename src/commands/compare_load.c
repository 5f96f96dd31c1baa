/* SPDX-License-Identifier: MIT */
/*
 * Whether the runs of a step had the same load on both sides.  This decides
 * nothing, but explains why a figure may have changed.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/num.h"
#include "commands/compare_state.h"
#include "model/load_share.h"

enum { NO_SHARE = -1 };

/* A figure of the load that may differ; a share is in percent. */
struct kind {
    int share; /* or NO_SHARE: the processors allowed */
    const char *name;
    const char *label;
};

static const struct kind kinds[] = {
    {NO_SHARE, "cpus_allowed", "processors allowed"},
    {LOAD_SHARE_THROTTLED, "throttled", "held back by the CPU quota"},
    {LOAD_SHARE_CPU, "pressure_cpu", "waiting for a processor"},
    {LOAD_SHARE_MEMORY, "pressure_memory", "waiting for memory"},
    {LOAD_SHARE_IO, "pressure_io", "waiting for I/O"},
    {LOAD_SHARE_STEAL, "steal", "taken by the hypervisor"},
};

static const struct sheet_column columns[] = {
    {"step", NULL, UNIT_TEXT, 0, 0, NULL},
    {"rank", NULL, UNIT_TEXT, 0, 0, NULL},
    {"array_index", NULL, UNIT_TEXT, 0, 0, NULL},
    {"tag", NULL, UNIT_TEXT, 0, 0, NULL},
    {"figure", NULL, UNIT_TEXT, 0, 0, NULL},
    {"unit", NULL, UNIT_TEXT, 0, 0, NULL},
    {"base_median", NULL, UNIT_COUNT, 0, 0, NULL},
    {"new_median", NULL, UNIT_COUNT, 0, 0, NULL},
};

void
compare_load_init(struct compare *compare)
{
    sheet_init(&compare->load, "load", columns, ARRAY_SIZE(columns));
}

static double
value_of(const struct kind *kind, const struct run *run)
{
    return kind->share == NO_SHARE
               ? run->load.cpus_allowed
               : load_share(run, (enum load_share)kind->share);
}

/* The median of the runs that know it, or NAN.  0 or -ENOMEM. */
static int
take_median(const struct compare *compare, int side, struct compare_key key,
            const struct kind *kind, double *ret_median)
{
    const struct run_list *runs = &compare->runs[side];
    double *values = calloc(runs->count + 1, sizeof(*values));
    size_t count = 0;

    if (values == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < runs->count; i++) {
        const struct run *run = &runs->list[i];

        if (compare_has(compare, key, run) && isfinite(value_of(kind, run)))
            values[count++] = value_of(kind, run);
    }
    *ret_median = count > 0 ? num_median(values, count) : (double)NAN;
    free(values);
    return 0;
}

/* Whether all known pressure of the step has the same source. */
static bool
has_one_source(const struct compare *compare, struct compare_key key)
{
    enum pressure_source first = PRESSURE_SOURCE_UNKNOWN;

    for (int side = 0; side < SIDES; side++) {
        for (size_t i = 0; i < compare->runs[side].count; i++) {
            const struct run *run = &compare->runs[side].list[i];
            enum pressure_source source = run->load.pressure_source;

            if (source == PRESSURE_SOURCE_UNKNOWN ||
                !compare_has(compare, key, run))
                continue;
            if (first != PRESSURE_SOURCE_UNKNOWN && source != first)
                return false;
            first = source;
        }
    }
    return true;
}

static bool
differs(const struct kind *kind, const double *medians)
{
    double distance = medians[SIDE_NEW] - medians[SIDE_BASE];

    if (isnan(distance))
        return false;
    if (kind->share == NO_SHARE)
        return distance > 0 || distance < 0;
    if (distance < 0)
        distance = -distance;
    return distance > load_share_least((enum load_share)kind->share);
}

static void
put_value(struct strbuf *out, const struct kind *kind, double value)
{
    if (kind->share == NO_SHARE)
        strbuf_printf(out, " %.4g", value);
    else
        strbuf_printf(out, " %.0f %%", value);
}

/* `one: the load differed: processors allowed 2 in base, 1 in new` */
static void
note(struct compare *compare, struct compare_key key, const struct kind *kind,
     const double *medians, bool is_first)
{
    struct strbuf *out = &compare->notes;

    if (is_first) {
        compare_note_key(compare, key);
        strbuf_puts(out, "the load differed: ");
    } else {
        strbuf_puts(out, "; ");
    }
    strbuf_puts(out, kind->label);
    put_value(out, kind, medians[SIDE_BASE]);
    strbuf_puts(out, kind->share == NO_SHARE ? " in base,"
                                             : " of the time in base,");
    put_value(out, kind, medians[SIDE_NEW]);
    strbuf_puts(out, " in new");
}

static void
add_row(struct compare *compare, struct compare_key key,
        const struct kind *kind, const double *medians)
{
    struct sheet *sheet = &compare->load;
    enum unit unit = kind->share == NO_SHARE ? UNIT_COUNT : UNIT_PERCENT;

    compare_add_key(sheet, key);
    sheet_text(sheet, kind->name);
    sheet_text(sheet, kind->share == NO_SHARE ? "count" : "percent");
    sheet_number_as(sheet, unit, medians[SIDE_BASE]);
    sheet_number_as(sheet, unit, medians[SIDE_NEW]);
}

int
compare_add_load(struct compare *compare, struct compare_key key)
{
    bool has_source = has_one_source(compare, key);
    bool is_first = true;

    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        const struct kind *kind = &kinds[i];
        double medians[SIDES] = {(double)NAN, (double)NAN};
        bool is_pressure = kind->share != NO_SHARE &&
                           load_share_is_pressure((enum load_share)kind->share);

        if (is_pressure && !has_source)
            continue;
        for (int side = 0; side < SIDES; side++)
            if (take_median(compare, side, key, kind, &medians[side]) < 0)
                return -ENOMEM;
        if (!differs(kind, medians))
            continue;
        note(compare, key, kind, medians, is_first);
        is_first = false;
        add_row(compare, key, kind, medians);
    }
    if (!is_first)
        strbuf_putc(&compare->notes, '\n');
    return compare->load.failed ? -ENOMEM : 0;
}
