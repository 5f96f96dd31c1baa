/* SPDX-License-Identifier: MIT */
/* Loads the runs, then draws a picture with gnuplot, or text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "base/terminal.h"
#include "commands/commands.h"
#include "commands/forms.h"
#include "commands/plot_options.h"
#include "commands/standard_input.h"
#include "commands/summary_folder.h"
#include "formats/file_kind.h"
#include "record/gnuplot.h"
#include "record/outputs.h"
#include "views/chart.h"

struct runs {
    struct recording *list;
    char **paths; /* of each */
    size_t count;
    size_t allocated;
    size_t paths_allocated;
    struct seen_files seen;
    const struct plot_options *options;
    struct layer_keys keys; /* of those that have layers */
    bool lacks_some;        /* a file could not be read, and was reported */
    int too_many;           /* runs beyond those that can be drawn */
};

static void
runs_done(struct runs *runs)
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
load_layers(struct runs *runs, const struct plot_options *options,
            struct error *error)
{
    int rc = plot_load_layers(runs->list, runs->count, &runs->keys, error);

    for (size_t i = 0; i < runs->count && rc == 0; i++)
        if (recording_is_layered(&runs->list[i]))
            rc = check_metrics(options, &runs->list[i], runs->paths[i], error);
    return rc;
}

static bool
has_layers(const struct runs *runs)
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
    struct runs *runs = context;
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
    struct runs *runs = context;

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
    struct runs *runs = context;

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
load_folder(struct runs *runs, const char *path, struct error *error)
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
load(struct runs *runs, struct error *error)
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
drop_common_job(struct runs *runs)
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
tell_apart(struct runs *runs, struct error *error)
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

static int
draw_text(const struct runs *runs, const struct plot_options *options,
          const struct context *context, struct error *error)
{
    struct chart chart = {.width = terminal_width(context, STDOUT_FILENO),
                          .is_ascii = !terminal_is_utf8(context)};
    STRBUF_AUTO text = {0};

    if (options->picture.is_stacked || has_layers(runs)) {
        chart.peers = runs->list;
        chart.peers_count = runs->count;
    }
    memcpy(chart.shows, options->picture.shows, sizeof(chart.shows));
    if (runs->count > 1 && options->picture.title != NULL)
        strbuf_printf(&text, "%s\n\n", options->picture.title);
    for (size_t i = 0; i < runs->count; i++) {
        chart.title = runs->count == 1 && options->picture.title != NULL
                          ? options->picture.title
                          : runs->list[i].name;
        if (i > 0)
            strbuf_putc(&text, '\n');
        if (chart_text(&text, &chart, &runs->list[i]) < 0)
            return error_no_memory(error);
    }
    return forms_print(&text, error);
}

static int
make_script(struct strbuf *script, struct strbuf *titles,
            const struct runs *runs, const struct plot_options *options,
            struct error *error)
{
    struct picture picture = options->picture;
    int rc;

    if (picture.title == NULL && runs->count == 1)
        picture.title = runs->list[0].name;
    /* Layers of several runs cannot lie over each other. */
    picture.is_stacked =
        runs->count > 1 && (picture.is_stacked || has_layers(runs));
    if (picture_script(script, titles, &picture, runs->list, runs->count) < 0)
        return error_no_memory(error);
    if (options->script == NULL)
        return 0;
    rc = outputs_write_file(options->script, strbuf_text(script), script->size);
    return rc < 0 ? error_set(error, rc, "%s: cannot be written: %s",
                              options->script, outputs_reason(rc))
                  : 0;
}

static int
draw_picture(const struct runs *runs, const struct plot_options *options,
             const struct context *context, struct error *error)
{
    STRBUF_AUTO gnuplot = {0};
    STRBUF_AUTO script = {0};
    STRBUF_AUTO titles = {0};
    STRBUF_AUTO picture = {0};
    int rc = make_script(&script, &titles, runs, options, error);

    if (rc < 0)
        return rc;
    if (gnuplot_find(context->environment("PATH"), &gnuplot) < 0) {
        message_print("-o %s: " GNUPLOT_MISSING, options->output);
        rc = draw_text(runs, options, context, error);
        return rc < 0 ? rc : EXIT_FAILURE;
    }
    rc = gnuplot_run(strbuf_text(&gnuplot), options->picture.format, &script,
                     &picture, error);
    if (rc < 0)
        return error_prefix(error, options->output);
    if (options->picture.format == PICTURE_SVG &&
        picture_title_svg(&picture, &titles) < 0)
        return error_no_memory(error);
    rc = outputs_write_file(options->output, strbuf_text(&picture),
                            picture.size);
    return rc < 0 ? error_set(error, rc, "%s: cannot be written: %s",
                              options->output, outputs_reason(rc))
                  : 0;
}

/* --script without -o: writes only the script, and the chart. */
static int
draw(const struct runs *runs, const struct plot_options *options,
     const struct context *context, struct error *error)
{
    STRBUF_AUTO script = {0};
    STRBUF_AUTO titles = {0};
    int rc = 0;

    if (options->output != NULL)
        return draw_picture(runs, options, context, error);
    if (options->script != NULL)
        rc = make_script(&script, &titles, runs, options, error);
    return rc < 0 ? rc : draw_text(runs, options, context, error);
}

/* Checks that inputs, picture and script are different files. */
static int
check_distinct(const struct plot_options *options, struct error *error)
{
    const char *twice = NULL;

    if (outputs_is_same(options->output, options->script))
        twice = options->output;
    for (int i = 0; i < options->count; i++)
        if (outputs_is_same(options->files[i], options->output) ||
            outputs_is_same(options->files[i], options->script))
            twice = options->files[i];
    return twice == NULL ? 0
                         : error_set(error, -EINVAL,
                                     "plot: %s would be overwritten: give -o "
                                     "and --script other names",
                                     twice);
}

int
plot_command(int argc, char **argv, const struct context *context,
             struct error *error)
{
    struct plot_options options;
    struct runs runs = {.options = &options};
    int rc = plot_options_parse(&options, argc, argv, error);

    if (rc < 0)
        return rc;
    if (rc == OPTION_HELP) {
        rc = forms_print_help(&plot_options_table, error);
        return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    layer_keys_init(&runs.keys, options.load.by);
    options.load.keys = &runs.keys;
    rc = standard_input_prepare(options.files, error);
    if (rc == 0)
        rc = check_distinct(&options, error);
    if (rc == 0 && options.output != NULL)
        rc = outputs_check_writable(options.output, error);
    if (rc == 0 && options.script != NULL)
        rc = outputs_check_writable(options.script, error);
    if (rc == 0)
        rc = load(&runs, error);
    if (rc == 0)
        rc = tell_apart(&runs, error);
    if (rc == 0)
        rc = draw(&runs, &options, context, error);
    runs_done(&runs);
    return rc == 0 && runs.lacks_some ? EXIT_FAILURE : rc;
}
