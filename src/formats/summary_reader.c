/* SPDX-License-Identifier: MIT */
/*
 * Reads summaries with jansson: the scalars by the table of fields, the lists
 * one by one.  Any value in a file may be missing or wrong.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/array.h"
#include "base/file.h"
#include "base/num.h"
#include "formats/summary.h"
#include "model/run_fields.h"

enum {
    /* Enough for 512 slots and some hundred thousand regions. */
    MOST_BYTES = 64 << 20,
};

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
read_by_command(struct run *run, const json_t *processes)
{
    struct run_by_command *by_command = &run->by_command;
    const json_t *list = json_object_get(processes, "by_command");
    size_t count = json_array_size(list);

    if (!json_is_array(list))
        return 0;
    by_command->list = calloc(count + 1, sizeof(*by_command->list));
    if (by_command->list == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_array_get(list, i);
        struct run_command_use *row = &by_command->list[by_command->count];
        int kind = run_command_kind_find(text_of(one, "kind"));

        if (kind < 0 ||
            (kind == COMMAND_NAMED && text_of(one, "command") == NULL))
            continue;
        *row = (struct run_command_use){
            .kind = (enum command_kind)kind,
            .count = integer_of(one, "count"),
            .cpu_ns = ns_of(one, "cpu_s"),
            .largest_rss_bytes = integer_of(one, "largest_rss_bytes"),
            .peak_rss_bytes = integer_of(one, "peak_rss_bytes"),
            .first_ns = ns_of(one, "first_s"),
            .last_ns = ns_of(one, "last_s"),
        };
        if (run_set_text(&row->command, text_of(one, "command")) < 0)
            return -ENOMEM;
        by_command->count++;
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
        for (size_t j = 0; j < REGION_TIMES; j++) {
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

        /* Skip impossible points. */
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

/* The lists of the object. */
static const struct {
    const char *key;
    int (*read)(struct run *run, const json_t *value);
} lists[] = {
    {"processes", read_by_command}, {"at_peak", read_at_peak},
    {"regions", read_regions},      {"budgets", read_budgets},
    {"series", read_series},
};

/*
 * Replaces every number that no figure can have by null, so that the readers of
 * figures need no checks.  Returns how many there were.
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

/* An object without a version of pmon was written by another program. */
static int
check_schema(const json_t *root, const char *path, struct error *error)
{
    const json_t *schema = json_object_get(root, "schema");
    const json_t *version = json_object_get(root, "pmon");

    if (json_integer_value(schema) == SUMMARY_SCHEMA && json_is_string(version))
        return 0;
    if (!json_is_integer(schema) || !json_is_string(version))
        return error_set(error, -ENOMSG, "%s: not a summary of pmon (schema 1)",
                         path);
    return error_set(error, -EBADMSG,
                     "%s: a summary of schema %lld; this pmon reads schema 1",
                     path, (long long)json_integer_value(schema));
}

/* What no tag can be is left out. */
static int
read_tags(struct run *run, json_t *object)
{
    const char *name;
    json_t *value;
    int rc = 0;

    json_object_foreach(object, name, value)
    {
        if (rc == 0 && name[0] != '\0' && run->tags.count < RUN_TAGS &&
            name[run_tag_name_size(name)] == '\0' && json_is_string(value))
            rc = run_set_tag(run, name, json_string_value(value));
    }
    return rc;
}

static int
read_parts(struct run *run, const json_t *root)
{
    const char *group = NULL;
    int rc = 0;

    while (rc == 0 && (group = run_fields_next_group(group)) != NULL)
        rc = read_group(group, run, json_object_get(root, group));
    for (size_t i = 0; i < ARRAY_SIZE(lists) && rc == 0; i++)
        rc = lists[i].read(run, json_object_get(root, lists[i].key));
    if (rc == 0)
        rc = read_tags(run, json_object_get(root, "tags"));
    return rc;
}

int
summary_read(struct run *run, const char *path, struct error *error)
{
    STRBUF_AUTO text = {0};
    json_error_t json_error;
    json_t *root;
    int rc = file_read_most(path, &text, MOST_BYTES);

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
    /* Both files may have been moved together. */
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
