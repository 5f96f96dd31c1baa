/* SPDX-License-Identifier: MIT */
/* Flags and variables → struct settings; opens the variables' file alone. */
#include "watch/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/num.h"
#include "watch/env_file.h"

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

static int
take_dir(const struct option_row *row, void *to, const char *value,
         struct error *error)
{
    struct settings *settings = to;

    (void)row;
    (void)error;
    if (*value != '/')
        return -EINVAL;
    free(settings->dir);
    settings->dir = strdup(value);
    return settings->dir != NULL ? 0 : -ENOMEM;
}

/* Variables are rows as flags are, with their default as the argument. */
static const struct option_row rows[] = {
    {"ENABLED", 0, "false", NULL, .kind = OPTION_CALL, .take = take_enabled,
     .allowed = "true or false"},
    {"PROCESS_FILTERS", 0, "/opt/opentrons*,python3*", NULL,
     .kind = OPTION_CALL, .take = take_filters,
     .allowed = "patterns separated by commas, at least one"},
    {"REFRESH_INTERVAL", 0, "10.0", NULL, .kind = OPTION_TIME,
     .where = offsetof(struct settings, interval_ns), .least = NUM_NS_PER_S,
     .most = FLAGS_LONGEST_NS, .allowed = "1.0 s to 365 days"},
    {"STORAGE_DIR", 0, "/data/performance_metrics_data/", NULL,
     .kind = OPTION_CALL, .take = take_dir,
     .allowed = "an absolute path of a folder"},
    {"LOGGING_LEVEL", 0, "INFO", NULL, .kind = OPTION_WORD,
     .where = offsetof(struct settings, level), .choices = flags_levels},
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
take_variables(struct settings *settings, const struct flags *flags,
               const char *(*environment)(const char *name),
               struct error *error)
{
    struct variables variables = {.prefix = flags->env_prefix,
                                  .environment = environment};
    int rc = 0;

    if (flags->env_file != NULL)
        rc = env_file_read(&variables.file, flags->env_file, error);
    for (size_t i = 0; rc == 0 && i < ARRAY_SIZE(rows); i++)
        rc = take_variable(settings, &variables, &rows[i], error);
    env_file_done(&variables.file);
    return rc;
}

/* $STATE_DIRECTORY of a service manager may be a list; the first is meant. */
static int
take_default_dir(struct settings *settings,
                 const char *(*environment)(const char *name))
{
    const char *dirs = environment("STATE_DIRECTORY");

    settings->dir = dirs != NULL && *dirs != '\0' && *dirs != ':'
                        ? strndup(dirs, strcspn(dirs, ":"))
                        : strdup(".");
    return settings->dir != NULL ? 0 : -ENOMEM;
}

static int
take_filter_flags(struct settings *settings, const struct flags *flags)
{
    int rc = 0;

    if (flags->filters.count > 0)
        filters_done(&settings->filters);
    for (size_t i = 0; rc == 0 && i < flags->filters.count; i++)
        rc = filters_add(&settings->filters, flags->filters.list[i]);
    return rc;
}

static int
take_flags(struct settings *settings, const struct flags *flags)
{
    enum { KEEP = 5 };

    settings->include_self = flags->include_self;
    settings->is_extended = flags->is_extended;
    if (flags->interval_ns != NUM_UNKNOWN)
        settings->interval_ns = flags->interval_ns;
    if (flags->level != NUM_UNKNOWN)
        settings->level = (enum watch_level)flags->level;
    if (flags->max_size != NUM_UNKNOWN) {
        settings->max_size = flags->max_size;
        settings->keep = flags->keep > 0 ? flags->keep : KEEP;
    }
    if (flags->dir != NULL) {
        free(settings->dir);
        settings->dir = strdup(flags->dir);
    }
    return settings->dir != NULL ? take_filter_flags(settings, flags) : -ENOMEM;
}

int
settings_make(struct settings *ret_settings, const struct flags *flags,
              const char *(*environment)(const char *name), struct error *error)
{
    struct settings settings = {.is_enabled = true,
                                .interval_ns = 10 * NUM_NS_PER_S,
                                .level = WATCH_INFO};
    int rc = flags->env_prefix != NULL
                 ? take_variables(&settings, flags, environment, error)
                 : take_default_dir(&settings, environment);

    if (rc == 0)
        rc = take_flags(&settings, flags);
    if (rc < 0) {
        settings_done(&settings);
        return rc == -ENOMEM ? error_no_memory(error) : rc;
    }
    for (size_t size = strlen(settings.dir);
         size > 1 && settings.dir[size - 1] == '/'; size--)
        settings.dir[size - 1] = '\0';
    *ret_settings = settings;
    return 0;
}

void
settings_done(struct settings *settings)
{
    filters_done(&settings->filters);
    free(settings->dir);
    *settings = (struct settings){0};
}
