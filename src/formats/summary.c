/* SPDX-License-Identifier: MIT */
/*
 * Writes and reads summaries through jansson: the scalars by the table of
 * fields, the lists one by one.  A value in a file may be missing or wrong.
 */
#include "formats/summary.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/json_build.h"
#include "base/num.h"
#include "base/path.h"
#include "config.h"
#include "model/run_fields.h"

enum {
    SCHEMA = 1,
    /* A summary of 512 slots and some hundred thousand regions. */
    MOST_BYTES = 64 << 20,
};

/* ---- writing: each function returns a new reference, the caller's ---- */

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

/* Thousandths are enough, and easier to read. */
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

/* The object of a group; NULL where the table has no field of it. */
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

/* The times of a region, in the order of the summary. */
static const struct {
    const char *key;
    size_t offset;
} region_times[] = {
    {"total_s", offsetof(struct region_stats, total_ns)},
    {"mean_s", offsetof(struct region_stats, mean_ns)},
    {"min_s", offsetof(struct region_stats, min_ns)},
    {"max_s", offsetof(struct region_stats, max_ns)},
    {"p50_s", offsetof(struct region_stats, p50_ns)},
    {"p95_s", offsetof(struct region_stats, p95_ns)},
    {"cpu_s", offsetof(struct region_stats, cpu_ns)},
};

static json_t *
region_json(const struct region_stats *region)
{
    json_t *object = json_object();
    bool has_peak = region->peak_rss_bytes != NUM_UNKNOWN;

    json_build_put(&object, "name", text_json(region->name));
    json_build_put(&object, "count", integer_json(region->count));
    for (size_t i = 0; i < ARRAY_SIZE(region_times); i++) {
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

/* ---- reading ---- */

static double
number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static int64_t
integer_of(const json_t *object, const char *key)
{
    return num_from_double(number_of(json_object_get(object, key)));
}

static int64_t
ns_of(const json_t *object, const char *key)
{
    return num_from_double(number_of(json_object_get(object, key)) *
                           (double)NUM_NS_PER_S);
}

static const char *
text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static int
read_texts(char ***where, const json_t *array)
{
    size_t count = json_array_size(array);
    char **list =
        json_is_array(array) ? calloc(count + 1, sizeof(*list)) : NULL;

    if (!json_is_array(array))
        return 0;
    if (list == NULL)
        return -ENOMEM;
    *where = list;
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(array, i));

        list[i] = strdup(text != NULL ? text : "");
        if (list[i] == NULL)
            return -ENOMEM;
    }
    return 0;
}

static int
read_field(const struct run_field *field, struct run *run, const json_t *value)
{
    switch (field->type) {
    case FIELD_TEXTS:
        return read_texts((void *)((char *)run + field->offset), value);
    case FIELD_TEXT:
    case FIELD_CHOICE:
        return run_field_set_text(field, run, json_string_value(value));
    case FIELD_INTEGER:
    case FIELD_NS:
    case FIELD_PERCENT:
    default:
        run_field_set_number(field, run,
                             json_is_boolean(value) ? json_is_true(value)
                                                    : number_of(value));
        return 0;
    }
}

static int
read_group(const char *group, struct run *run, const json_t *object)
{
    const struct run_field *field;
    int rc = 0;

    for (size_t i = 0; rc == 0 && (field = run_field_at(i)) != NULL; i++)
        if (field->group != NULL && strcmp(field->group, group) == 0)
            rc = read_field(field, run, json_object_get(object, field->key));
    return rc;
}

static int
read_at_peak(struct run *run, const json_t *object)
{
    struct run_at_peak *at_peak = &run->at_peak;
    const json_t *list = json_object_get(object, "processes");
    size_t count = json_array_size(list);

    at_peak->others = integer_of(object, "others");
    at_peak->others_rss_bytes = integer_of(object, "others_rss_bytes");
    at_peak->list = calloc(count + 1, sizeof(*at_peak->list));
    if (at_peak->list == NULL)
        return -ENOMEM;
    for (; at_peak->count < count; at_peak->count++) {
        const json_t *one = json_array_get(list, at_peak->count);
        struct run_process *process = &at_peak->list[at_peak->count];

        process->pid = integer_of(one, "pid");
        process->rss_bytes = integer_of(one, "rss_bytes");
        process->age_ns = ns_of(one, "age_s");
        if (run_set_text(&process->name, text_of(one, "name")) < 0 ||
            run_set_text(&process->command, text_of(one, "command")) < 0) {
            at_peak->count++;
            return -ENOMEM;
        }
    }
    return 0;
}

static int
read_regions(struct run *run, const json_t *list)
{
    size_t count = json_array_size(list);

    run->regions = calloc(count + 1, sizeof(*run->regions));
    if (run->regions == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_array_get(list, i);
        struct region_stats *region = &run->regions[run->region_count];

        if (text_of(one, "name") == NULL)
            continue;
        if (run_set_text(&region->name, text_of(one, "name")) < 0)
            return -ENOMEM;
        run->region_count++;
        region->count = integer_of(one, "count");
        for (size_t j = 0; j < ARRAY_SIZE(region_times); j++) {
            void *time = (char *)region + region_times[j].offset;

            *(int64_t *)time = ns_of(one, region_times[j].key);
        }
        region->peak_rss_bytes = integer_of(one, "peak_rss_bytes");
        region->unended = integer_of(one, "unended");
    }
    return 0;
}

static int
read_budgets(struct run *run, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *name = text_of(one, "name");
        const char *action = text_of(one, "action");
        int kind = name != NULL ? budgets_find(name) : -1;
        struct budget *budget;

        if (kind < 0)
            continue;
        budget = &run->budgets.list[kind];
        if (budgets_is_size((enum budget_kind)kind)) {
            budget->limit = integer_of(one, "limit");
            budget->value = integer_of(one, "value");
            budget->figure = budgets_find_figure(text_of(one, "figure"));
        } else {
            budget->limit = ns_of(one, "limit");
            budget->value = ns_of(one, "value");
        }
        if (action != NULL && strcmp(action, "stop") == 0)
            budget->action = BUDGET_STOP;
    }
    return 0;
}

static int
read_series(struct run *run, const json_t *object)
{
    const json_t *elapsed = json_object_get(object, "elapsed_s");
    const json_t *cpu = json_object_get(object, "cpu_percent");
    const json_t *rss = json_object_get(object, "rss_bytes");
    size_t count = json_array_size(elapsed);
    size_t at = 0;

    if (json_array_size(cpu) != count || json_array_size(rss) != count)
        count = 0;
    if (run_series_resize(&run->series, count) < 0)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        int64_t elapsed_ns = num_from_double(
            number_of(json_array_get(elapsed, i)) * (double)NUM_NS_PER_S);
        double rss_bytes = number_of(json_array_get(rss, i));

        /* A point that cannot be is left out. */
        if (elapsed_ns == NUM_UNKNOWN ||
            num_from_double(rss_bytes) == NUM_UNKNOWN ||
            isnan(number_of(json_array_get(cpu, i))))
            continue;
        run->series.elapsed_ns[at] = elapsed_ns;
        run->series.cpu_percent[at] = number_of(json_array_get(cpu, i));
        run->series.rss_bytes[at] = rss_bytes;
        at++;
    }
    run->series.count = at;
    return 0;
}

/* ---- the whole ---- */

/* The lists of the object; each stands behind a group of the table. */
static const struct {
    const char *key;
    const char *after;
    json_t *(*write)(const struct run *run);
    int (*read)(struct run *run, const json_t *value);
} lists[] = {
    {"at_peak", "processes", at_peak_json, read_at_peak},
    {"regions", "io", regions_json, read_regions},
    {"budgets", "io", budgets_json, read_budgets},
    {"series", "quality", series_json, read_series},
};

/* The group behind another one (NULL: the first) in the table's order. */
static const char *
next_group(const char *group)
{
    const struct run_field *field;
    bool is_behind = group == NULL;

    for (size_t i = 0; (field = run_field_at(i)) != NULL; i++) {
        if (field->group == NULL)
            continue;
        if (is_behind && (group == NULL || strcmp(field->group, group) != 0))
            return field->group;
        is_behind |= group != NULL && strcmp(field->group, group) == 0;
    }
    return NULL;
}

int
summary_write(struct strbuf *out, const struct run *run)
{
    json_t *root = json_object();
    const char *group = NULL;

    json_build_put(&root, "schema", json_integer(SCHEMA));
    json_build_put(&root, "pmon", json_string(PACKAGE_VERSION));
    while ((group = next_group(group)) != NULL) {
        json_build_put(&root, group, group_json(group, run));
        for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
            if (strcmp(lists[i].after, group) == 0)
                json_build_put(&root, lists[i].key, lists[i].write(run));
    }
    return json_build_print(root, JSON_INDENT(1) | JSON_REAL_PRECISION(16),
                            out);
}

static bool
is_blank(int c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* The text behind token and blanks; NULL where text begins otherwise. */
static const char *
skip_token(const char *text, const char *token)
{
    size_t size = strlen(token);

    while (text != NULL && is_blank(*text))
        text++;
    return text != NULL && strncmp(text, token, size) == 0 ? text + size : NULL;
}

/* { "schema": 1, "pmon": */
static bool
begins_as_summary(const char *text)
{
    text = skip_token(skip_token(text, "{"), "\"schema\"");
    text = skip_token(text, ":");
    if (text == NULL)
        return false;
    text += strspn(text, "0123456789 ");
    text = skip_token(skip_token(text, ","), "\"pmon\"");
    return skip_token(text, ":") != NULL;
}

int
summary_look(const char *path)
{
    enum { HEAD = 256 };
    char head[HEAD + 1];
    FD_AUTO fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t got = fd >= 0 ? read(fd, head, HEAD) : -1;

    if (got < 0)
        return -errno;
    head[got] = '\0';
    return begins_as_summary(head) ? 1 : 0;
}

/*
 * Makes null of every number that no figure can have, so that whoever reads
 * one needs no check of its own.  Returns how many there were.
 */
static int64_t
drop_impossible(json_t *value)
{
    int64_t count = 0;
    const char *key;
    json_t *below;
    size_t i;

    json_object_foreach(value, key, below)
    {
        if (json_is_number(below) &&
            num_from_double(json_number_value(below)) == NUM_UNKNOWN) {
            json_object_set_new(value, key, json_null());
            count++;
        } else {
            count += drop_impossible(below);
        }
    }
    json_array_foreach(value, i, below)
    {
        if (json_is_number(below) &&
            num_from_double(json_number_value(below)) == NUM_UNKNOWN) {
            json_array_set_new(value, i, json_null());
            count++;
        } else {
            count += drop_impossible(below);
        }
    }
    return count;
}

/* What has no version of pmon is the object of another program. */
static int
check_schema(const json_t *root, const char *path, struct error *error)
{
    const json_t *schema = json_object_get(root, "schema");
    const json_t *version = json_object_get(root, "pmon");

    if (json_integer_value(schema) == SCHEMA && json_is_string(version))
        return 0;
    if (!json_is_integer(schema) || !json_is_string(version))
        return error_set(error, -ENOMSG, "%s: not a summary of pmon (schema 1)",
                         path);
    return error_set(error, -EBADMSG,
                     "%s: a summary of schema %lld; this pmon reads schema 1",
                     path, (long long)json_integer_value(schema));
}

static int
read_parts(struct run *run, const json_t *root)
{
    const char *group = NULL;
    int rc = 0;

    while (rc == 0 && (group = next_group(group)) != NULL)
        rc = read_group(group, run, json_object_get(root, group));
    for (size_t i = 0; i < ARRAY_SIZE(lists) && rc == 0; i++)
        rc = lists[i].read(run, json_object_get(root, lists[i].key));
    return rc;
}

int
summary_read(struct run *run, const char *path, struct error *error)
{
    STRBUF_AUTO text = {0};
    json_error_t json_error;
    json_t *root;
    int rc = summary_look(path);

    /* Another program's JSON may be huge: it is not even loaded. */
    if (rc == 0)
        return error_set(error, -ENOMSG, "%s: not a summary of pmon (schema 1)",
                         path);
    if (rc > 0)
        rc = file_read_most(path, &text, MOST_BYTES);
    if (rc < 0)
        return error_unreadable(error, rc, path);
    root = json_loadb(strbuf_text(&text), text.size, 0, &json_error);
    if (root == NULL)
        return error_set(error, -EBADMSG, "%s:%d: not valid JSON: %s", path,
                         json_error.line, json_error.text);
    rc = check_schema(root, path, error);
    if (rc == 0) {
        run->impossible = drop_impossible(root);
        rc = run_set_text(&run->file, path);
        if (rc == 0)
            rc = read_parts(run, root);
        if (rc < 0)
            error_no_memory(error);
    }
    json_decref(root);
    return rc;
}

char *
summary_find_file(const struct run *run, const char *path)
{
    const char *base;
    STRBUF_AUTO beside = {0};

    if (path == NULL || run->file == NULL)
        return NULL;
    if (path[0] == '/' && access(path, R_OK) == 0)
        return strdup(path);
    /* Both may have been moved together. */
    base = path_base(run->file);
    strbuf_append(&beside, run->file, (size_t)(base - run->file));
    strbuf_puts(&beside, path_base(path));
    if (access(strbuf_text(&beside), R_OK) == 0)
        return strbuf_steal(&beside);
    if (path[0] == '/')
        return strdup(path);
    if (run->command.cwd == NULL)
        return strbuf_steal(&beside);
    strbuf_reset(&beside);
    strbuf_printf(&beside, "%s/%s", run->command.cwd, path);
    return strbuf_steal(&beside);
}
