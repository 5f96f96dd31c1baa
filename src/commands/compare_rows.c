/* SPDX-License-Identifier: MIT */
/* Matches the runs of two sides by step and rank, and judges each figure. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "base/num.h"
#include "commands/compare_state.h"
#include "commands/unfinished.h"

static const struct sheet_column change_columns[] = {
    {"step", "step", UNIT_TEXT, 0, 0, NULL},
    {"rank", "rank", UNIT_TEXT, 0, 0, NULL},
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
    {"change", "verdict", UNIT_TEXT, 0, 0, NULL},
    {"limit", NULL, UNIT_COUNT, 0, 0, NULL},
    {"limit_is_percent", NULL, UNIT_BOOL, 0, 0, NULL},
    {"is_over", NULL, UNIT_BOOL, 0, 0, NULL},
    {NULL, "limit", UNIT_TEXT, 0, 0, NULL},
};

static const struct sheet_column missing_columns[] = {
    {"step", "step", UNIT_TEXT, 0, 0, NULL},
    {"rank", "rank", UNIT_TEXT, 0, 0, NULL},
    {"only", "only in", UNIT_TEXT, 0, 0, NULL},
    {"runs", "runs", UNIT_COUNT, 0, 0, NULL},
};

void
compare_init(struct compare *compare)
{
    *compare = (struct compare){.form = FORM_TEXT};
    sheet_init(&compare->changes, "changes", change_columns,
               ARRAY_SIZE(change_columns));
    sheet_init(&compare->missing, "missing", missing_columns,
               ARRAY_SIZE(missing_columns));
}

void
compare_done(struct compare *compare)
{
    for (int i = 0; i < SIDES; i++)
        run_list_done(&compare->runs[i]);
    sheet_done(&compare->changes);
    sheet_done(&compare->missing);
}

/* Runs of one step and rank: these two texts. */
struct key {
    const char *step;
    const char *rank; /* NULL: none */
};

static struct key
key_of(const struct run *run)
{
    return (struct key){run_name(run), run->command.rank};
}

static bool
is_same(struct key a, struct key b)
{
    if (strcmp(a.step, b.step) != 0)
        return false;
    if (a.rank == NULL || b.rank == NULL)
        return a.rank == b.rank;
    return strcmp(a.rank, b.rank) == 0;
}

static size_t
count_runs(const struct run_list *runs, struct key key)
{
    size_t count = 0;

    for (size_t i = 0; i < runs->count; i++)
        count += is_same(key_of(&runs->list[i]), key) ? 1 : 0;
    return count;
}

/* One figure of one side. */
struct spread {
    size_t count; /* of the runs that know it */
    double median;
    double min;
    double max;
    const char *word; /* the weakest; NULL: the figure has none */
    bool is_broken;   /* a run of the step did not end by itself */
};

static const char *
weaker(const char *a, const char *b)
{
    static const char *const words[] = {"at least", "between", "exact"};

    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if ((a != NULL && strcmp(a, words[i]) == 0) ||
            (b != NULL && strcmp(b, words[i]) == 0))
            return words[i];
    return NULL;
}

/* 0 or -ENOMEM. */
static int
take_spread(const struct run_list *runs, struct key key, bool is_pair,
            const struct run_field *field, struct spread *ret_spread)
{
    double *values = calloc(runs->count + 1, sizeof(*values));
    struct spread spread = {
        .median = (double)NAN, .min = (double)NAN, .max = (double)NAN};

    if (values == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < runs->count; i++) {
        const struct run *run = &runs->list[i];

        if (!is_pair && !is_same(key_of(run), key))
            continue;
        spread.is_broken |= !unfinished_is_whole(run);
        if (!isfinite(run_field_number(field, run)))
            continue;
        values[spread.count++] = run_field_number(field, run);
        spread.word = weaker(spread.word, run_field_word(field, run));
    }
    if (spread.count > 0) {
        spread.median = num_median(values, spread.count);
        spread.min = values[0];
        spread.max = values[spread.count - 1];
    }
    free(values);
    *ret_spread = spread;
    return 0;
}

/*
 * A change counts when the ranges do not overlap, and when all runs ended by
 * themselves: what a killed run has used is a part of what it needs.
 */
static const char *
judge(const struct spread *base, const struct spread *new)
{
    if (base->count == 0 || new->count == 0)
        return NULL;
    if (base->is_broken || new->is_broken)
        return "not decided";
    if (base->count == 1 && new->count == 1)
        return "noise unknown";
    if (new->min > base->max)
        return "more";
    return new->max < base->min ? "less" : "within noise";
}

static bool
is_over(const struct compare_limit *limit, const struct spread *base,
        const struct spread *new)
{
    double most = limit->is_relative
                      ? base->median + base->median * limit->value / 100
                      : base->median + limit->value;

    return new->median > most &&
           !(new->min <= base->max && (base->count > 1 || new->count > 1));
}

static void
add_spread(struct sheet *sheet, enum unit unit, const struct spread *spread)
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

static void
add_ratio(struct sheet *sheet, const struct spread *base,
          const struct spread *new)
{
    double ratio = base->median > 0 ? new->median / base->median : (double)NAN;
    double percent = (ratio - 1) * 100;
    STRBUF_AUTO change = {0};

    sheet_number(sheet, ratio);
    if (isfinite(ratio))
        strbuf_printf(&change, "%+.*f %%",
                      percent < 9.95 && percent > -9.95 ? 1 : 0, percent);
    sheet_text(sheet, isfinite(ratio) ? strbuf_text(&change) : NULL);
}

/* The limit as it was given, and whether it is kept. */
static void
add_limit(struct compare *compare, enum unit unit,
          const struct compare_limit *limit, const struct spread *base,
          const struct spread *new)
{
    bool is_known = base->count > 0 && new->count > 0 && !base->is_broken &&
                    !new->is_broken;
    bool over = limit->is_set && is_known && is_over(limit, base, new);
    /* A run that cannot be read may be of this step, and over the limit. */
    bool is_decided = over || (is_known && compare->unreadable == 0);
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

/* People see the usual ones, where there is any, and those with a limit. */
static bool
is_shown(const struct compare *compare, const struct run_field *field,
         const struct compare_limit *limit, const struct spread *spread)
{
    if (limit->is_set)
        return true;
    if (compare->form == FORM_JSON)
        return spread[SIDE_BASE].count > 0 || spread[SIDE_NEW].count > 0;
    return field->is_usual &&
           (spread[SIDE_BASE].max > 0 || spread[SIDE_NEW].max > 0);
}

static int
add_figure(struct compare *compare, struct key key,
           const struct run_field *field, const struct compare_limit *limit)
{
    static const char *const units[] = {
        [UNIT_COUNT] = "count",
        [UNIT_SECONDS] = "s",
        [UNIT_BYTES] = "bytes",
        [UNIT_PERCENT] = "percent",
    };
    struct sheet *sheet = &compare->changes;
    struct spread spread[SIDES];

    for (int i = 0; i < SIDES; i++)
        if (take_spread(&compare->runs[i], key, compare->is_pair, field,
                        &spread[i]) < 0)
            return -ENOMEM;
    if (!is_shown(compare, field, limit, spread))
        return 0;
    sheet_text(sheet, key.step);
    sheet_text(sheet, key.rank);
    sheet_text(sheet, field->name);
    sheet_text(sheet, field->label);
    sheet_text(sheet, units[field->unit]);
    add_spread(sheet, field->unit, &spread[SIDE_BASE]);
    add_spread(sheet, field->unit, &spread[SIDE_NEW]);
    add_ratio(sheet, &spread[SIDE_BASE], &spread[SIDE_NEW]);
    sheet_text(sheet, judge(&spread[SIDE_BASE], &spread[SIDE_NEW]));
    add_limit(compare, field->unit, limit, &spread[SIDE_BASE],
              &spread[SIDE_NEW]);
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

static void
add_missing(struct compare *compare, struct key key, int side)
{
    struct sheet *sheet = &compare->missing;
    const char *name = side == SIDE_BASE ? "base" : "new";

    sheet_text(sheet, key.step);
    sheet_text(sheet, key.rank);
    sheet_text(sheet, name);
    sheet_number(sheet, (double)count_runs(&compare->runs[side], key));
    if (side == SIDE_NEW || !compare->has_limits)
        return;
    message_print("%s: has no run in NEW; its limits are not decided",
                  key.step);
    compare->is_bad = true;
}

/* The steps of one side, each once, in the order of their first runs. */
static int
add_steps(struct compare *compare, int side)
{
    const struct run_list *runs = &compare->runs[side];

    for (size_t i = 0; i < runs->count; i++) {
        struct key key = key_of(&runs->list[i]);
        size_t first = 0;

        while (!is_same(key_of(&runs->list[first]), key))
            first++;
        if (first < i)
            continue;
        if (!compare->is_pair &&
            count_runs(&compare->runs[1 - side], key) == 0) {
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
    }
    return 0;
}

int
compare_make_rows(struct compare *compare, struct error *error)
{
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
