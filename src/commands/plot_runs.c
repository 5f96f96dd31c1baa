/* SPDX-License-Identifier: MIT */
/* Loads the files and folders of pmon plot, and names the runs. */
#include "commands/plot_runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "formats/file_kind.h"

void
plot_runs_init(struct plot_runs *runs, struct plot_options *options)
{
    *runs = (struct plot_runs){.options = options};
    layer_keys_init(&runs->keys, options->load.by);
    options->load.keys = &runs->keys;
}

void
plot_runs_done(struct plot_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        recording_done(&runs->list[i]);
        free(runs->paths[i]);
    }
    layer_keys_done(&runs->keys);
    free(runs->list);
    free(runs->paths);
    seen_files_done(&runs->seen);
}

/*
 * Whether a run has one of the requested curves; reports those that it lacks.
 */
static int
check_metrics(const struct plot_options *options, const struct recording *run,
              const char *path, struct error *error)
{
    static const char *const names[RECORDING_CURVES] = {
        [RECORDING_RSS] = "rss", [RECORDING_VMS] = "vms",
        [RECORDING_PSS] = "pss", [RECORDING_CPU] = "cpu",
        [RECORDING_READ] = "io", [RECORDING_WRITE] = "io"};
    const char *last = "";
    STRBUF_AUTO missing = {0};
    bool has_one = false;

    for (unsigned i = 0; i < RECORDING_CURVES; i++) {
        if (!options->picture.shows[i])
            continue;
        has_one |= recording_has(run, i);
        if (recording_has(run, i) || strcmp(names[i], last) == 0)
            continue;
        strbuf_printf(&missing, "%s%s", missing.size > 0 ? ", no " : "",
                      names[i]);
        last = names[i];
    }
    if (missing.size == 0 || (has_one && !options->has_metrics))
        return 0;
    error_set(error, -ENODATA, "%s: has no %s", path, strbuf_text(&missing));
    if (!has_one)
        return -ENODATA;
    message_print("%s", error->text);
    return 0;
}

/* What is stacked by command or process, each run below the other. */
static int
load_layers(struct plot_runs *runs, const struct plot_options *options,
            struct error *error)
{
    int rc = plot_load_layers(runs->list, runs->count, &runs->keys, error);

    for (size_t i = 0; i < runs->count && rc == 0; i++)
        if (recording_is_layered(&runs->list[i]))
            rc = check_metrics(options, &runs->list[i], runs->paths[i], error);
    return rc;
}

bool
plot_runs_have_layers(const struct plot_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        if (recording_is_layered(&runs->list[i]))
            return true;
    return false;
}

/* Adds the run of a file. 0, or negative with error. */
static int
load_file(const char *path, void *context, struct error *error)
{
    struct plot_runs *runs = context;
    struct recording *run;
    int rc;

    if (array_grow(&runs->list, runs->count, &runs->allocated,
                   sizeof(*runs->list)) < 0 ||
        array_grow(&runs->paths, runs->count, &runs->paths_allocated,
                   sizeof(*runs->paths)) < 0)
        return error_no_memory(error);
    run = &runs->list[runs->count];
    rc = plot_load(run, path, &runs->options->load, error);
    if (rc == 0 && !recording_is_layered(run))
        rc = check_metrics(runs->options, run, path, error);
    runs->paths[runs->count] = rc == 0 ? strdup(path) : NULL;
    if (rc == 0 && runs->paths[runs->count] == NULL)
        rc = error_no_memory(error);
    if (rc == 0)
        runs->count++;
    else
        recording_done(run);
    return rc;
}

/* The same for a file in a folder, unless it was loaded before by its name. */
static int
load_found(const char *path, void *context, struct error *error)
{
    struct plot_runs *runs = context;

    if (!seen_files_is_new(&runs->seen, path))
        return 0;
    if (runs->count < PLOT_MOST_RUNS)
        return load_file(path, runs, error);
    runs->too_many++;
    return 0;
}

static void
say_bad(void *context, const struct error *error, bool is_folder)
{
    struct plot_runs *runs = context;

    (void)is_folder;
    message_print("%s", error->text);
    runs->lacks_some = true;
}

/* In a folder without summaries: files that are certainly logs. */
static int
is_log(const char *path)
{
    enum file_kind kind;
    struct error unused;
    int rc = file_kind_of_found(path, &kind, &unused);

    return rc < 0 ? rc : kind == FILE_LOG || kind == FILE_MPROF;
}

/* Loads the summaries of a folder, or its logs if it has none. */
static int
load_folder(struct plot_runs *runs, const char *path, struct error *error)
{
    struct folder_walk walk = {.is_wanted = file_kind_is_summary,
                               .visit = load_found,
                               .say_bad = say_bad,
                               .context = runs};
    int rc = summary_folder_each(path, &walk, error);

    walk.is_wanted = is_log;
    if (rc == 0)
        rc = summary_folder_each(path, &walk, error);
    if (rc == 0)
        return error_set(error, -ENODATA,
                         "%s: contains no summary, log or mprof file", path);
    return rc < 0 ? rc : 0;
}

/* Reports files that cannot be read, and draws the others. */
static int
load_files(struct plot_runs *runs, struct error *error)
{
    const struct plot_options *options = runs->options;

    for (int i = 0; i < options->count; i++)
        seen_files_is_new(&runs->seen, options->files[i]);
    for (int i = 0; i < options->count; i++) {
        const char *path = options->files[i];
        enum file_kind kind = FILE_UNKNOWN;
        int rc = file_kind_of(path, &kind, error);

        if (kind == FILE_FOLDER)
            rc = load_folder(runs, path, error);
        else
            rc = load_file(path, runs, error);
        if (rc == 0)
            continue;
        runs->lacks_some = true;
        if (rc == -ENOMEM || options->count == 1)
            return rc;
        message_print("%s", error->text);
    }
    if (runs->too_many > 0)
        return error_set(error, -EINVAL, "plot: %zu runs: at most %d",
                         runs->count + (size_t)runs->too_many, PLOT_MOST_RUNS);
    if (runs->count == 0)
        return error_set(error, -ENODATA, "plot: nothing to draw");
    return load_layers(runs, options, error);
}

/* If all runs are of one job, its number would only lengthen each name. */
static void
drop_common_job(struct plot_runs *runs)
{
    static const char before[] = ", job ";
    const char *common = NULL;

    for (size_t i = 0; i < runs->count; i++) {
        const char *job = strstr(runs->list[i].name, before);

        if (job == NULL || (common != NULL && strcmp(job, common) != 0))
            return;
        common = job;
    }
    for (size_t i = 0; i < runs->count && runs->count > 1; i++)
        *strstr(runs->list[i].name, before) = '\0';
}

/* Adds the names of files to runs of the same name. */
static int
tell_apart(struct plot_runs *runs, struct error *error)
{
    bool is_same = false;

    drop_common_job(runs);
    for (size_t i = 0; i < runs->count; i++)
        for (size_t k = 0; k < i; k++)
            is_same |= strcmp(runs->list[i].name, runs->list[k].name) == 0;
    if (!is_same)
        return 0;
    for (size_t i = 0; i < runs->count; i++) {
        free(runs->list[i].name);
        runs->list[i].name = strdup(runs->paths[i]);
        if (runs->list[i].name == NULL)
            return error_no_memory(error);
    }
    return 0;
}

int
plot_runs_load(struct plot_runs *runs, struct error *error)
{
    int rc = load_files(runs, error);

    return rc < 0 ? rc : tell_apart(runs, error);
}
