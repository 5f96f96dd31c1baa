/* SPDX-License-Identifier: MIT */
/*
 * Makes struct settings from the command line and variables; opens only the
 * file of variables.
 */
#include "watch/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/num.h"
#include "watch/env_file.h"
#include "watch/row_files.h"

static const char *const levels[] = {
    [WATCH_DEBUG] = "DEBUG",       [WATCH_INFO] = "INFO",
    [WATCH_WARNING] = "WARNING",   [WATCH_ERROR] = "ERROR",
    [WATCH_CRITICAL] = "CRITICAL", NULL};

/* The longest interval, as a flag and as a variable. */
#define LONGEST_NS (365 * 86400 * NUM_NS_PER_S)

/* ---- the command line ---- */

static int
take_filter(const struct option_row *row, void *to, const char *value,
            struct error *error)
{
    struct settings *flags = to;

    (void)row;
    (void)error;
    return *value != '\0' ? filters_add(&flags->filters, value) : -EINVAL;
}

static int
take_env_prefix(const struct option_row *row, void *to, const char *value,
                struct error *error)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789_";
    struct settings *flags = to;

    (void)row;
    (void)error;
    if (*value == '\0' || value[strspn(value, allowed)] != '\0' ||
        strlen(value) > 128)
        return -EINVAL;
    flags->env_prefix = value;
    return 0;
}

#define AT(member) .where = offsetof(struct settings, member)

static const struct option_row flag_rows[] = {
    {"filter", 'f', "GLOB", "record processes that match; may be repeated",
     .kind = OPTION_CALL, .take = take_filter,
     .allowed = "a pattern for whole command lines, such as 'python3*'"},
    {"interval", 'i', "TIME", "time between samples (default 10)",
     .kind = OPTION_TIME, AT(interval_ns), .least = 10 * NUM_NS_PER_MS,
     .most = LONGEST_NS,
     .allowed = "10 ms to 365 days, such as 10, 500ms or 1min"},
    {"dir", 'd', "DIR", "folder for the files ($STATE_DIRECTORY, or .)",
     .kind = OPTION_NAME, AT(dir)},
    {"extended", 0, NULL, "add seven columns: pid, memory, CPU, and more",
     .kind = OPTION_FLAG, AT(is_extended)},
    {"include-self", 0, NULL, "also record pmon-watch itself",
     .kind = OPTION_FLAG, AT(include_self)},
    {"max-size", 0, "SIZE", "begin a new file before one exceeds SIZE",
     .kind = OPTION_SIZE, AT(max_size), .least = 1024,
     .allowed = "1 KiB to 8171P, such as 500K, 10M or 1G"},
    {"keep", 0, "N", "keep N older files (default 5)", .kind = OPTION_COUNT,
     AT(keep), .least = 1, .most = 1000, .allowed = "1 to 1000"},
    {"count", 'n', "N", "end after N samples", .kind = OPTION_COUNT,
     AT(samples), .least = 1, .most = 1000000000, .allowed = "1 to 1000000000"},
    {"env-prefix", 0, "PREFIX", "take settings from variables with that prefix",
     .kind = OPTION_CALL, .take = take_env_prefix,
     .allowed = "up to 128 letters, digits or _, such as "
                "OT_SYSTEM_RESOURCE_TRACKER_"},
    {"env-file", 0, "FILE", "read variables from FILE, again at each SIGHUP",
     .kind = OPTION_NAME, AT(env_file)},
    {"log-level", 0, "LEVEL", "DEBUG, INFO (default), WARNING, ERROR, CRITICAL",
     .kind = OPTION_WORD, AT(level), .choices = levels},
    {"version", 'V', NULL, "print the version", .kind = OPTION_VERSION},
    {"help", 'h', NULL, "print this help", .kind = OPTION_HELP},
};

static const struct option_pair needs[] = {
    {"env-file", "env-prefix"}, {"keep", "max-size"}, {NULL, NULL}};

const struct option_table settings_table = {
    .usage = "usage: pmon watch --filter GLOB... [OPTIONS]\n"
             "       pmon watch --env-prefix PREFIX [OPTIONS]\n\n"
             "Records a row at each interval for each process whose whole "
             "command line\n"
             "matches a filter.  The rows go to " ROW_FILES_NAME " in a "
             "folder.\n"
             "SIGTERM or SIGINT ends it.\n",
    .notes = "Times: seconds, or ms, s, min, h.  Sizes: bytes, or K, M, G, T.\n"
             "See pmon-watch(8).\n",
    .command = "pmon watch",
    .rows = flag_rows,
    .count = ARRAY_SIZE(flag_rows),
    .needs = needs,
};

int
settings_parse(struct settings *flags, int argc, char **argv,
               struct error *error)
{
    enum { KEEP = 5 };
    struct option_line line;
    int rc;

    *flags =
        (struct settings){.interval_ns = NUM_UNKNOWN, .level = WATCH_UNKNOWN};
    rc = option_table_parse(&settings_table, flags, argc, argv, &line, error);
    if (rc != 0)
        return rc;
    if (line.count > 0)
        return error_set(error, -EINVAL,
                         "%s: unexpected argument; give patterns with --filter",
                         line.operands[0]);
    if (flags->filters.count == 0 && flags->env_prefix == NULL)
        return error_set(error, -EINVAL,
                         "--filter GLOB is missing, as in pmon watch --filter "
                         "'python3*'");
    if (flags->max_size > 0 && flags->keep == 0)
        flags->keep = KEEP;
    return 0;
}

/* ---- variables ---- */

/* Where variables come from: the file first, then the environment. */
struct variables {
    const char *prefix;
    struct env_file file;
    const char *(*environment)(const char *name);
};

static int
take_enabled(const struct option_row *row, void *to, const char *value,
             struct error *error)
{
    struct settings *settings = to;

    (void)row;
    (void)error;
    settings->is_enabled = strcasecmp(value, "true") == 0;
    return settings->is_enabled || strcasecmp(value, "false") == 0 ? 0
                                                                   : -EINVAL;
}

static int
take_filters(const struct option_row *row, void *to, const char *value,
             struct error *error)
{
    struct settings *settings = to;

    (void)row;
    (void)error;
    return filters_add_list(&settings->filters, value);
}

/* Keeps a copy of the first size bytes of dir, without a / at its end. */
static int
set_dir(struct settings *settings, const char *dir, size_t size)
{
    while (size > 1 && dir[size - 1] == '/')
        size--;
    free(settings->text);
    settings->text = strndup(dir, size);
    settings->dir = settings->text;
    return settings->text != NULL ? 0 : -ENOMEM;
}

static int
take_dir(const struct option_row *row, void *to, const char *value,
         struct error *error)
{
    (void)row;
    (void)error;
    return *value == '/' ? set_dir(to, value, strlen(value)) : -EINVAL;
}

/* Rows of variables, like those of flags; the argument is the default. */
static const struct option_row variable_rows[] = {
    {"ENABLED", 0, "false", NULL, .kind = OPTION_CALL, .take = take_enabled,
     .allowed = "true or false"},
    {"PROCESS_FILTERS", 0, "/opt/opentrons*,python3*", NULL,
     .kind = OPTION_CALL, .take = take_filters,
     .allowed = "patterns separated by commas, at least one"},
    {"REFRESH_INTERVAL", 0, "10.0", NULL, .kind = OPTION_TIME,
     .where = offsetof(struct settings, interval_ns), .least = NUM_NS_PER_S,
     .most = LONGEST_NS, .allowed = "1.0 s to 365 days"},
    {"STORAGE_DIR", 0, "/data/performance_metrics_data/", NULL,
     .kind = OPTION_CALL, .take = take_dir,
     .allowed = "an absolute path of a folder"},
    {"LOGGING_LEVEL", 0, "INFO", NULL, .kind = OPTION_WORD,
     .where = offsetof(struct settings, level), .choices = levels},
};

static int
take_variable(struct settings *settings, const struct variables *variables,
              const struct option_row *row, struct error *error)
{
    char label[192];
    const char *value;
    size_t size;

    size = (size_t)snprintf(label, sizeof(label) - 1, "%s%s", variables->prefix,
                            row->name);
    value = env_file_find(&variables->file, label);
    if (value == NULL)
        value = variables->environment(label);
    strcpy(label + size, "=");
    return option_row_take(row, label, settings,
                           value != NULL ? value : row->argument, error);
}

static int
take_variables(struct settings *settings,
               const char *(*environment)(const char *name),
               struct error *error)
{
    struct variables variables = {.prefix = settings->env_prefix,
                                  .environment = environment};
    int rc = 0;

    if (settings->env_file != NULL)
        rc = env_file_read(&variables.file, settings->env_file, error);
    for (size_t i = 0; rc == 0 && i < ARRAY_SIZE(variable_rows); i++)
        rc = take_variable(settings, &variables, &variable_rows[i], error);
    env_file_done(&variables.file);
    return rc;
}

/* $STATE_DIRECTORY of a service manager may be a list; takes the first. */
static int
take_default_dir(struct settings *settings,
                 const char *(*environment)(const char *name))
{
    const char *dirs = environment("STATE_DIRECTORY");

    return dirs != NULL && *dirs != '\0' && *dirs != ':'
               ? set_dir(settings, dirs, strcspn(dirs, ":"))
               : set_dir(settings, ".", 1);
}

/* Takes the flags that have a variable; flags win. */
static int
take_flags(struct settings *settings, const struct settings *flags)
{
    int rc = 0;

    if (flags->interval_ns != NUM_UNKNOWN)
        settings->interval_ns = flags->interval_ns;
    if (flags->level != WATCH_UNKNOWN)
        settings->level = flags->level;
    if (flags->dir != NULL)
        rc = set_dir(settings, flags->dir, strlen(flags->dir));
    if (flags->filters.count > 0)
        filters_done(&settings->filters);
    for (size_t i = 0; rc == 0 && i < flags->filters.count; i++)
        rc = filters_add(&settings->filters, flags->filters.list[i]);
    return rc;
}

int
settings_make(struct settings *ret_settings, const struct settings *flags,
              const char *(*environment)(const char *name), struct error *error)
{
    struct settings settings = *flags;
    int rc;

    settings.is_enabled = true;
    settings.filters = (struct filters){0};
    settings.interval_ns = 10 * NUM_NS_PER_S;
    settings.dir = NULL;
    settings.level = WATCH_INFO;
    rc = flags->env_prefix != NULL
             ? take_variables(&settings, environment, error)
             : take_default_dir(&settings, environment);
    if (rc == 0)
        rc = take_flags(&settings, flags);
    if (rc < 0) {
        settings_done(&settings);
        return rc == -ENOMEM ? error_no_memory(error) : rc;
    }
    *ret_settings = settings;
    return 0;
}

void
settings_done(struct settings *settings)
{
    filters_done(&settings->filters);
    free(settings->text);
    *settings = (struct settings){0};
}
