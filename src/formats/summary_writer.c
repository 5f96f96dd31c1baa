/* SPDX-License-Identifier: MIT */
/*
 * Writes summaries with jansson: the scalars by the table of fields, the lists
 * one by one.
 */
#include <math.h>
#include <string.h>

#include <jansson.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/json_build.h"
#include "base/num.h"
#include "config.h"
#include "formats/summary.h"
#include "model/run_fields.h"

/* Each function returns a new reference, which the caller owns. */

/* null for NULL. */
static json_t *
text_json(const char *text)
{
    STRBUF_AUTO buf = {0};

    if (text == NULL)
        return json_null();
    escape_utf8(&buf, text, strlen(text));
    return buf.failed ? NULL : json_stringn(strbuf_text(&buf), buf.size);
}

static json_t *
integer_json(int64_t value)
{
    return value == NUM_UNKNOWN ? json_null() : json_integer(value);
}

static json_t *
seconds_json(int64_t ns)
{
    return ns == NUM_UNKNOWN ? json_null() : json_real(num_seconds(ns));
}

/* Rounded to thousandths, which are easier to read. */
static json_t *
percent_json(double percent)
{
    return isfinite(percent)
               ? json_real((double)num_from_double(percent * 1000) / 1000)
               : json_null();
}

static json_t *
texts_json(char *const *list)
{
    json_t *array = list != NULL ? json_array() : json_null();

    for (; list != NULL && *list != NULL; list++)
        json_build_add(&array, text_json(*list));
    return array;
}

static json_t *
field_json(const struct run_field *field, const struct run *run)
{
    const void *place = (const char *)run + field->offset;

    switch (field->type) {
    case FIELD_TEXTS:
        return texts_json(*(char **const *)place);
    case FIELD_INTEGER:
        if (field->unit == UNIT_BOOL && *(const int64_t *)place != NUM_UNKNOWN)
            return json_boolean(*(const int64_t *)place);
        return integer_json(*(const int64_t *)place);
    case FIELD_NS:
        return seconds_json(*(const int64_t *)place);
    case FIELD_PERCENT:
        return percent_json(*(const double *)place);
    case FIELD_TEXT:
    case FIELD_CHOICE:
    default:
        return text_json(run_field_text(field, run));
    }
}

/* The object of a group; NULL if the table has no field of that group. */
static json_t *
group_json(const char *group, const struct run *run)
{
    const struct run_field *field;
    json_t *object = json_object();

    for (size_t i = 0; (field = run_field_at(i)) != NULL; i++)
        if (field->group != NULL && strcmp(field->group, group) == 0)
            json_build_put(&object, field->key, field_json(field, run));
    return object;
}

/* The names keep to run_tag_name_size, so they are valid keys. */
static json_t *
tags_json(const struct run *run)
{
    json_t *object = json_object();

    for (size_t i = 0; i < run->tags.count; i++)
        json_build_put(&object, run->tags.list[i].name,
                       text_json(run->tags.list[i].value));
    return object;
}

static json_t *
process_json(const struct run_process *process)
{
    json_t *object = json_object();

    json_build_put(&object, "pid", integer_json(process->pid));
    json_build_put(&object, "name", text_json(process->name));
    json_build_put(&object, "command", text_json(process->command));
    json_build_put(&object, "rss_bytes", integer_json(process->rss_bytes));
    json_build_put(&object, "age_s", seconds_json(process->age_ns));
    return object;
}

static json_t *
at_peak_json(const struct run *run)
{
    const struct run_at_peak *at_peak = &run->at_peak;
    json_t *object = json_object();
    json_t *list = json_array();

    for (size_t i = 0; i < at_peak->count; i++)
        json_build_add(&list, process_json(&at_peak->list[i]));
    json_build_put(&object, "processes", list);
    json_build_put(&object, "others", integer_json(at_peak->others));
    json_build_put(&object, "others_rss_bytes",
                   integer_json(at_peak->others_rss_bytes));
    return object;
}

static json_t *
by_command_json(const struct run *run)
{
    const struct run_by_command *by_command = &run->by_command;
    json_t *list = by_command->list != NULL ? json_array() : json_null();

    for (size_t i = 0; i < by_command->count; i++) {
        const struct run_command_use *one = &by_command->list[i];
        json_t *object = json_object();

        json_build_put(&object, "kind",
                       json_string(run_command_kind_name(one->kind)));
        json_build_put(&object, "command", text_json(one->command));
        json_build_put(&object, "count", integer_json(one->count));
        json_build_put(&object, "cpu_s", seconds_json(one->cpu_ns));
        json_build_put(&object, "largest_rss_bytes",
                       integer_json(one->largest_rss_bytes));
        json_build_put(&object, "peak_rss_bytes",
                       integer_json(one->peak_rss_bytes));
        json_build_put(&object, "first_s", seconds_json(one->first_ns));
        json_build_put(&object, "last_s", seconds_json(one->last_ns));
        json_build_add(&list, object);
    }
    return list;
}

static json_t *
region_json(const struct region_stats *region)
{
    json_t *object = json_object();
    bool has_peak = region->peak_rss_bytes != NUM_UNKNOWN;

    json_build_put(&object, "name", text_json(region->name));
    json_build_put(&object, "count", integer_json(region->count));
    for (size_t i = 0; i < REGION_TIMES; i++) {
        const void *time = (const char *)region + region_times[i].offset;

        json_build_put(&object, region_times[i].key,
                       seconds_json(*(const int64_t *)time));
    }
    json_build_put(&object, "peak_rss_bytes",
                   integer_json(region->peak_rss_bytes));
    json_build_put(&object, "peak_rss_word",
                   text_json(has_peak ? word_name(WORD_AT_LEAST) : NULL));
    json_build_put(&object, "unended", integer_json(region->unended));
    return object;
}

static json_t *
regions_json(const struct run *run)
{
    json_t *list = json_array();

    for (size_t i = 0; i < run->region_count; i++)
        json_build_add(&list, region_json(&run->regions[i]));
    return list;
}

static json_t *
budget_json(const struct budget *budget, enum budget_kind kind)
{
    json_t *object = json_object();
    bool is_size = budgets_is_size(kind);

    json_build_put(&object, "name", json_string(budgets_name(kind)));
    json_build_put(&object, "limit",
                   is_size ? integer_json(budget->limit)
                           : seconds_json(budget->limit));
    json_build_put(&object, "value",
                   is_size ? integer_json(budget->value)
                           : seconds_json(budget->value));
    json_build_put(&object, "passed", json_boolean(budgets_is_kept(budget)));
    json_build_put(
        &object, "action",
        json_string(budget->action == BUDGET_STOP ? "stop" : "fail"));
    json_build_put(&object, "figure",
                   text_json(budgets_figure_name(budget->figure)));
    return object;
}

static json_t *
budgets_json(const struct run *run)
{
    json_t *list = json_array();

    for (int i = 0; i < BUDGET_KINDS; i++)
        if (budgets_is_set(&run->budgets.list[i]))
            json_build_add(
                &list, budget_json(&run->budgets.list[i], (enum budget_kind)i));
    return list;
}

static json_t *
series_json(const struct run *run)
{
    const struct run_series *series = &run->series;
    json_t *object = json_object();
    json_t *elapsed = json_array();
    json_t *cpu = json_array();
    json_t *rss = json_array();

    for (size_t i = 0; i < series->count; i++) {
        json_build_add(&elapsed, seconds_json(series->elapsed_ns[i]));
        json_build_add(&cpu, percent_json(series->cpu_percent[i]));
        json_build_add(&rss,
                       integer_json(num_from_double(series->rss_bytes[i])));
    }
    json_build_put(&object, "elapsed_s", elapsed);
    json_build_put(&object, "cpu_percent", cpu);
    json_build_put(&object, "rss_bytes", rss);
    return object;
}

/* The lists of the object, each after a group of the table. */

static const struct {
    const char *key;
    const char *after;
    json_t *(*write)(const struct run *run);
} lists[] = {
    {"tags", "command", tags_json},     {"at_peak", "processes", at_peak_json},
    {"regions", "io", regions_json},    {"budgets", "io", budgets_json},
    {"series", "quality", series_json},
};

int
summary_write(struct strbuf *out, const struct run *run)
{
    json_t *root = json_object();
    const char *group = NULL;

    json_build_put(&root, "schema", json_integer(SUMMARY_SCHEMA));
    json_build_put(&root, "pmon", json_string(PACKAGE_VERSION));
    while ((group = run_fields_next_group(group)) != NULL) {
        json_t *object = group_json(group, run);

        if (strcmp(group, "processes") == 0)
            json_build_put(&object, "by_command", by_command_json(run));
        json_build_put(&root, group, object);
        for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
            if (strcmp(lists[i].after, group) == 0)
                json_build_put(&root, lists[i].key, lists[i].write(run));
    }
    return json_build_print(root, JSON_INDENT(1) | JSON_REAL_PRECISION(16),
                            out);
}
