/* SPDX-License-Identifier: MIT */
/* Reads summaries through jansson; every value may be missing or wrong. */
#include "formats/summary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"
#include "base/strbuf.h"

/* A summary of 512 slots and some hundred thousand regions. */
enum { MOST_BYTES = 64 << 20 };

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
summary_file_look(const char *path)
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
check_schema(const struct summary_file *file, const char *path,
             struct error *error)
{
    const json_t *schema = json_object_get(file->root, "schema");
    const json_t *version = json_object_get(file->root, "pmon");

    if (json_integer_value(schema) == 1 && json_is_string(version))
        return 0;
    if (!json_is_integer(schema) || !json_is_string(version))
        return error_set(error, -ENOMSG, "%s: not a summary of pmon (schema 1)",
                         path);
    return error_set(error, -EBADMSG,
                     "%s: is a summary of schema %lld, and this pmon reads 1",
                     path, (long long)json_integer_value(schema));
}

int
summary_file_open(struct summary_file *file, const char *path,
                  struct error *error)
{
    STRBUF_AUTO text = {0};
    json_error_t json_error;
    int rc = summary_file_look(path);

    *file = (struct summary_file){0};
    /* Another program's JSON may be huge: it is not even loaded. */
    if (rc == 0)
        return error_set(error, -ENOMSG, "%s: not a summary of pmon (schema 1)",
                         path);
    if (rc > 0)
        rc = file_read_most(path, &text, MOST_BYTES);
    if (rc < 0)
        return error_unreadable(error, rc, path);
    file->root = json_loadb(strbuf_text(&text), text.size, 0, &json_error);
    if (file->root == NULL)
        return error_set(error, -EBADMSG, "%s:%d: not valid JSON: %s", path,
                         json_error.line, json_error.text);
    rc = check_schema(file, path, error);
    if (rc < 0) {
        summary_file_close(file);
        return rc;
    }
    file->impossible = drop_impossible(file->root);
    file->path = strdup(path);
    if (file->path == NULL) {
        summary_file_close(file);
        return error_set(error, -ENOMEM, "out of memory");
    }
    return 0;
}

void
summary_file_close(struct summary_file *file)
{
    json_decref(file->root);
    free(file->path);
    *file = (struct summary_file){0};
}

static const json_t *
find(const struct summary_file *file, const char *group, const char *key)
{
    return json_object_get(json_object_get(file->root, group), key);
}

bool
summary_file_number(const struct summary_file *file, const char *group,
                    const char *key, double *ret_value)
{
    const json_t *value = find(file, group, key);

    if (!json_is_number(value))
        return false;
    *ret_value = json_number_value(value);
    return true;
}

bool
summary_file_integer(const struct summary_file *file, const char *group,
                     const char *key, int64_t *ret_value)
{
    const json_t *value = find(file, group, key);

    if (!json_is_integer(value))
        return false;
    *ret_value = json_integer_value(value);
    return true;
}

const char *
summary_file_text(const struct summary_file *file, const char *group,
                  const char *key)
{
    return json_string_value(find(file, group, key));
}

size_t
summary_file_series_count(const struct summary_file *file)
{
    size_t elapsed = json_array_size(find(file, "series", "elapsed_s"));
    size_t cpu = json_array_size(find(file, "series", "cpu_percent"));
    size_t rss = json_array_size(find(file, "series", "rss_bytes"));

    return elapsed == cpu && elapsed == rss ? elapsed : 0;
}

static double
number_or_nan_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static double
value_at(const struct summary_file *file, const char *key, size_t at)
{
    return number_or_nan_of(json_array_get(find(file, "series", key), at));
}

void
summary_file_series(const struct summary_file *file, size_t at,
                    double *ret_elapsed_s, double *ret_cpu_percent,
                    double *ret_rss_bytes)
{
    *ret_elapsed_s = value_at(file, "elapsed_s", at);
    *ret_cpu_percent = value_at(file, "cpu_percent", at);
    *ret_rss_bytes = value_at(file, "rss_bytes", at);
}

static double
number_or_nan(const json_t *object, const char *key)
{
    return number_or_nan_of(json_object_get(object, key));
}

bool
summary_file_region(const struct summary_file *file, size_t at,
                    struct summary_region *ret_region)
{
    const json_t *list = json_object_get(file->root, "regions");
    const json_t *region = json_array_get(list, at);
    const char *name = json_string_value(json_object_get(region, "name"));

    if (name == NULL)
        return false;
    *ret_region = (struct summary_region){
        .name = name,
        .count = json_integer_value(json_object_get(region, "count")),
        .total_s = number_or_nan(region, "total_s"),
        .mean_s = number_or_nan(region, "mean_s"),
        .min_s = number_or_nan(region, "min_s"),
        .max_s = number_or_nan(region, "max_s"),
        .p50_s = number_or_nan(region, "p50_s"),
        .p95_s = number_or_nan(region, "p95_s"),
        .cpu_s = number_or_nan(region, "cpu_s"),
        .peak_rss_bytes = number_or_nan(region, "peak_rss_bytes"),
        .peak_rss_word =
            json_string_value(json_object_get(region, "peak_rss_word")),
    };
    return true;
}

bool
summary_file_budget(const struct summary_file *file, size_t at,
                    struct summary_budget *ret_budget)
{
    const json_t *list = json_object_get(file->root, "budgets");
    const json_t *budget = json_array_get(list, at);
    const char *name = json_string_value(json_object_get(budget, "name"));

    if (name == NULL)
        return false;
    *ret_budget = (struct summary_budget){
        .name = name,
        .action = json_string_value(json_object_get(budget, "action")),
        .limit = number_or_nan(budget, "limit"),
        .value = number_or_nan(budget, "value"),
        .is_kept = json_is_true(json_object_get(budget, "passed")),
    };
    return true;
}

char *
summary_file_path(const struct summary_file *file, const char *key)
{
    const char *path = summary_file_text(file, "files", key);
    const char *cwd = summary_file_text(file, "command", "cwd");
    const char *slash = strrchr(file->path, '/');
    STRBUF_AUTO beside = {0};
    const char *base;

    if (path == NULL)
        return NULL;
    if (path[0] == '/' && access(path, R_OK) == 0)
        return strdup(path);
    /* Both may have been moved together. */
    base = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    strbuf_append(&beside, file->path,
                  slash != NULL ? (size_t)(slash - file->path) + 1 : 0);
    strbuf_puts(&beside, base);
    if (access(strbuf_text(&beside), R_OK) == 0)
        return strbuf_steal(&beside);
    if (path[0] == '/')
        return strdup(path);
    if (cwd == NULL)
        return strbuf_steal(&beside);
    strbuf_reset(&beside);
    strbuf_printf(&beside, "%s/%s", cwd, path);
    return strbuf_steal(&beside);
}
