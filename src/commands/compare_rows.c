/* SPDX-License-Identifier: MIT */
/* Matches the runs of two sides by step, rank and array task, and judges each
 * figure. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "commands/compare_state.h"

static const struct sheet_column change_columns[] = {
    {"step", "step", UNIT_TEXT, 0, 0, NULL},
    {"rank", "rank", UNIT_TEXT, 0, 0, NULL},
    {"array_index", "array task", UNIT_TEXT, 0, 0, NULL},
    {"tag", "tag", UNIT_TEXT, 0, 0, NULL},
    {"figure", NULL, UNIT_TEXT, 0, 0, NULL},
    {NULL, "figure", UNIT_TEXT, 0, 0, NULL},
    {"unit", NULL, UNIT_TEXT, 0, 0, NULL},
    {"base_runs", NULL, UNIT_COUNT, 0, 0, NULL},
    {"base_median", "base", UNIT_COUNT, SHEET_WITH_WORD, 0, NULL},
    {"base_word", NULL, UNIT_TEXT, 0, 0, NULL},
    {"base_min", NULL, UNIT_COUNT, 0, 0, NULL},
    {"base_max", NULL, UNIT_COUNT, 0, 0, NULL},
    {NULL, "range", UNIT_TEXT, 0, 0, NULL},
    {"new_runs", NULL, UNIT_COUNT, 0, 0, NULL},
    {"new_median", "new", UNIT_COUNT, SHEET_WITH_WORD, 0, NULL},
    {"new_word", NULL, UNIT_TEXT, 0, 0, NULL},
    {"new_min", NULL, UNIT_COUNT, 0, 0, NULL},
    {"new_max", NULL, UNIT_COUNT, 0, 0, NULL},
    {NULL, "range", UNIT_TEXT, 0, 0, NULL},
    {"ratio", NULL, UNIT_PERCENT, 0, 0, NULL}, /* a plain number */
    {NULL, "change", UNIT_TEXT, 0, 0, NULL},
    {"shift", NULL, UNIT_COUNT, 0, 0, NULL},
    {"shift_low", NULL, UNIT_COUNT, 0, 0, NULL},
    {"shift_high", NULL, UNIT_COUNT, 0, 0, NULL},
    {NULL, "95 % interval", UNIT_TEXT, 0, 0, NULL},
    {"p", NULL, UNIT_PERCENT, 0, 0, NULL},       /* a plain number */
    {"p_least", NULL, UNIT_PERCENT, 0, 0, NULL}, /* a plain number */
    {"z", NULL, UNIT_PERCENT, 0, 0, NULL},       /* a plain number */
    {NULL, "test", UNIT_TEXT, 0, 0, NULL},
    {"change", "verdict", UNIT_TEXT, 0, 0, NULL},
    {"limit", NULL, UNIT_COUNT, 0, 0, NULL},
    {"limit_is_percent", NULL, UNIT_BOOL, 0, 0, NULL},
    {"is_over", NULL, UNIT_BOOL, 0, 0, NULL},
    {NULL, "limit", UNIT_TEXT, 0, 0, NULL},
};

static const struct sheet_column missing_columns[] = {
    {"step", "step", UNIT_TEXT, 0, 0, NULL},
    {"rank", "rank", UNIT_TEXT, 0, 0, NULL},
    {"array_index", "array task", UNIT_TEXT, 0, 0, NULL},
    {"tag", "tag", UNIT_TEXT, 0, 0, NULL},
    {"only", "only in", UNIT_TEXT, 0, 0, NULL},
    {"runs", "runs", UNIT_COUNT, 0, 0, NULL},
};

void
compare_init(struct compare *compare)
{
    *compare = (struct compare){.form = FORM_TEXT, .alpha = 0.05};
    sheet_init(&compare->changes, "changes", change_columns,
               ARRAY_SIZE(change_columns));
    sheet_init(&compare->missing, "missing", missing_columns,
               ARRAY_SIZE(missing_columns));
    compare_load_init(compare);
}

void
compare_done(struct compare *compare)
{
    for (int i = 0; i < SIDES; i++)
        run_list_done(&compare->runs[i]);
    sheet_done(&compare->changes);
    sheet_done(&compare->missing);
    sheet_done(&compare->load);
    strbuf_done(&compare->notes);
}

static size_t
count_runs(const struct compare *compare, int side, struct compare_key key)
{
    const struct run_list *runs = &compare->runs[side];
    size_t count = 0;

    for (size_t i = 0; i < runs->count; i++)
        count +=
            compare_key_is_same(compare_key_of(compare, &runs->list[i]), key)
                ? 1
                : 0;
    return count;
}

void
compare_add_key(struct sheet *sheet, struct compare_key key)
{
    sheet_text(sheet, key.step);
    sheet_text(sheet, key.rank);
    sheet_text(sheet, key.array_index);
    sheet_text(sheet, key.tag);
}

static void
add_spread(struct sheet *sheet, enum unit unit,
           const struct compare_spread *spread)
{
    STRBUF_AUTO range = {0};

    sheet_number(sheet, (double)spread->count);
    sheet_number_as(sheet, unit, spread->median);
    sheet_text(sheet, spread->count > 0 ? spread->word : NULL);
    sheet_number_as(sheet, unit, spread->min);
    sheet_number_as(sheet, unit, spread->max);
    if (spread->count < 2) {
        sheet_text(sheet, NULL);
        return;
    }
    sheet_human(&range, unit, spread->min);
    strbuf_puts(&range, " to ");
    sheet_human(&range, unit, spread->max);
    strbuf_printf(&range, " (%zu)", spread->count);
    sheet_text(sheet, strbuf_text(&range));
}

/* `+8.3 %`, `-57 %` */
static void
put_percent(struct strbuf *out, double percent)
{
    strbuf_printf(out, "%+.*f %%", percent < 9.95 && percent > -9.95 ? 1 : 0,
                  percent);
}

static void
add_ratio(struct sheet *sheet, const struct compare_spread *base,
          const struct compare_spread *new)
{
    double ratio = base->median > 0 ? new->median / base->median : (double)NAN;
    double percent = (ratio - 1) * 100;
    STRBUF_AUTO change = {0};

    sheet_number(sheet, ratio);
    if (isfinite(ratio))
        put_percent(&change, percent);
    sheet_text(sheet, isfinite(ratio) ? strbuf_text(&change) : NULL);
}

/*
 * `-1.2 % to +12 %`: the interval relative to the median of base.  None if that
 * is 0.
 */
static void
add_interval(struct sheet *sheet, double median,
             const struct compare_verdict *verdict)
{
    double low = verdict->low / median * 100;
    double high = verdict->high / median * 100;
    STRBUF_AUTO text = {0};

    if (!isfinite(low) || !isfinite(high)) {
        sheet_text(sheet, NULL);
        return;
    }
    put_percent(&text, low);
    strbuf_puts(&text, " to ");
    put_percent(&text, high);
    sheet_text(sheet, strbuf_text(&text));
}

static void
add_verdict(struct sheet *sheet, enum unit unit, double median,
            const struct compare_verdict *verdict)
{
    STRBUF_AUTO text = {0};

    sheet_number_as(sheet, unit, verdict->shift);
    sheet_number_as(sheet, unit, verdict->low);
    sheet_number_as(sheet, unit, verdict->high);
    add_interval(sheet, median, verdict);
    sheet_number(sheet, verdict->p);
    sheet_number(sheet, verdict->p_least);
    sheet_number(sheet, verdict->z);
    if (isfinite(verdict->p))
        strbuf_printf(&text, "p %.2g", verdict->p);
    else if (isfinite(verdict->z))
        strbuf_printf(&text, "z %.1f", verdict->z);
    else if (!isnan(verdict->z))
        strbuf_puts(&text, "z infinite: the others are equal");
    sheet_text(sheet, text.size > 0 ? strbuf_text(&text) : NULL);
    sheet_text(sheet, verdict->change);
}

/* The limit as it was given, and whether it is kept. */
static void
add_limit(struct compare *compare, enum unit unit,
          const struct compare_limit *limit,
          const struct compare_spread *spread,
          const struct compare_verdict *verdict)
{
    bool over = limit->is_set && verdict->is_known &&
                compare_is_over(limit, spread, verdict);
    /*
     * A run that cannot be read may be a run of this step that is over the
     * limit.
     */
    bool is_decided = over || (verdict->is_known && compare->unreadable == 0);
    struct sheet *sheet = &compare->changes;
    STRBUF_AUTO text = {0};

    if (!limit->is_set) {
        for (int i = 0; i < 3; i++)
            sheet_number(sheet, (double)NAN);
        sheet_text(sheet, NULL);
        return;
    }
    compare->is_over |= over;
    if (limit->is_relative)
        unit = UNIT_PERCENT;
    sheet_number_as(sheet, unit, limit->value);
    sheet_number(sheet, limit->is_relative ? 1 : 0);
    compare->is_bad |= !is_decided;
    sheet_number(sheet, is_decided ? (over ? 1 : 0) : (double)NAN);
    strbuf_puts(&text, !is_decided ? "not decided (+"
                       : over      ? "exceeded (+"
                                   : "kept (+");
    sheet_human(&text, unit, limit->value);
    strbuf_putc(&text, ')');
    sheet_text(sheet, strbuf_text(&text));
}

/*
 * Whether a table shows the figure: the usual ones above 0, and those with a
 * limit.
 */
static bool
is_shown(const struct compare *compare, const struct run_field *field,
         const struct compare_limit *limit, const struct compare_spread *spread)
{
    if (limit->is_set)
        return true;
    if (compare->form == FORM_JSON)
        return spread[SIDE_BASE].count > 0 || spread[SIDE_NEW].count > 0;
    return field->is_usual &&
           (spread[SIDE_BASE].max > 0 || spread[SIDE_NEW].max > 0);
}

static int
add_row(struct compare *compare, struct compare_key key,
        const struct run_field *field, const struct compare_limit *limit,
        const struct compare_spread *spread)
{
    static const char *const units[] = {
        [UNIT_COUNT] = "count",
        [UNIT_SECONDS] = "s",
        [UNIT_BYTES] = "bytes",
        [UNIT_PERCENT] = "percent",
    };
    struct sheet *sheet = &compare->changes;
    struct compare_verdict verdict;

    if (compare_judge(spread, compare->alpha, &verdict) < 0)
        return -ENOMEM;
    compare_add_key(sheet, key);
    sheet_text(sheet, field->name);
    sheet_text(sheet, field->label);
    sheet_text(sheet, units[field->unit]);
    add_spread(sheet, field->unit, &spread[SIDE_BASE]);
    add_spread(sheet, field->unit, &spread[SIDE_NEW]);
    add_ratio(sheet, &spread[SIDE_BASE], &spread[SIDE_NEW]);
    add_verdict(sheet, field->unit, spread[SIDE_BASE].median, &verdict);
    add_limit(compare, field->unit, limit, spread, &verdict);
    compare_note_untested(compare, spread, &verdict);
    if (limit->is_set &&
        (spread[SIDE_BASE].count == 0 || spread[SIDE_NEW].count == 0)) {
        message_print("--fail-over %s: unknown %s of %s", field->name,
                      spread[SIDE_BASE].count == 0 ? "in the base"
                                                   : "in the new runs",
                      key.step);
        compare->is_bad = true;
    }
    return sheet->failed ? -ENOMEM : 0;
}

static int
add_figure(struct compare *compare, struct compare_key key,
           const struct run_field *field, const struct compare_limit *limit)
{
    struct compare_spread spread[SIDES] = {0};
    int rc = 0;

    for (int i = 0; i < SIDES && rc == 0; i++)
        rc = compare_spread_take(compare, i, key, field, &spread[i]);
    if (rc == 0 && is_shown(compare, field, limit, spread))
        rc = add_row(compare, key, field, limit, spread);
    for (int i = 0; i < SIDES; i++)
        free(spread[i].values);
    return rc;
}

/* `sim, rank 3, array task 7, compiler gcc`; hostile text. */
static void
put_key_words(const struct compare *compare, struct compare_key key,
              struct strbuf *out)
{
    strbuf_puts(out, key.step);
    if (key.rank != NULL)
        strbuf_printf(out, ", rank %s", key.rank);
    if (key.array_index != NULL)
        strbuf_printf(out, ", array task %s", key.array_index);
    if (key.tag != NULL)
        strbuf_printf(out, ", %s %s", compare->tag, key.tag);
}

static void
add_missing(struct compare *compare, struct compare_key key, int side)
{
    struct sheet *sheet = &compare->missing;
    const char *name = side == SIDE_BASE ? "base" : "new";
    STRBUF_AUTO words = {0};

    compare_add_key(sheet, key);
    sheet_text(sheet, name);
    sheet_number(sheet, (double)count_runs(compare, side, key));
    if (side == SIDE_NEW || !compare->has_limits)
        return;
    put_key_words(compare, key, &words);
    message_print("%s: has no run in NEW; its limits are not decided",
                  strbuf_text(&words));
    compare->is_bad = true;
}

/* Adds each step of one side once, in the order of first runs. */
static int
add_steps(struct compare *compare, int side)
{
    const struct run_list *runs = &compare->runs[side];

    for (size_t i = 0; i < runs->count; i++) {
        struct compare_key key = compare_key_of(compare, &runs->list[i]);
        size_t first = 0;

        while (!compare_key_is_same(compare_key_of(compare, &runs->list[first]),
                                    key))
            first++;
        if (first < i)
            continue;
        if (!compare->is_pair && count_runs(compare, 1 - side, key) == 0) {
            add_missing(compare, key, side);
            continue;
        }
        if (side == SIDE_NEW)
            continue;
        compare->matched++;
        for (size_t j = 0; run_field_at(j) != NULL; j++)
            if (run_field_at(j)->name != NULL &&
                add_figure(compare, key, run_field_at(j), &compare->limits[j]) <
                    0)
                return -ENOMEM;
        if (compare_add_load(compare, key) < 0)
            return -ENOMEM;
    }
    return 0;
}

static bool
has_tag(const struct compare *compare)
{
    for (int side = 0; side < SIDES; side++)
        for (size_t i = 0; i < compare->runs[side].count; i++)
            if (run_tag(&compare->runs[side].list[i], compare->tag) != NULL)
                return true;
    return false;
}

int
compare_make_rows(struct compare *compare, struct error *error)
{
    if (compare->tag != NULL && !has_tag(compare))
        return error_set(error, -EINVAL,
                         "compare --by tag:%s: no run has this tag; "
                         "pmon --tag %s=VALUE sets it",
                         compare->tag, compare->tag);
    if (add_steps(compare, SIDE_BASE) < 0 || add_steps(compare, SIDE_NEW) < 0 ||
        compare->missing.failed)
        return error_no_memory(error);
    if (compare->matched == 0)
        return error_set(
            error, -EINVAL,
            "compare: no step is in both BASE and NEW; --step gives "
            "runs a name");
    return 0;
}
