/* SPDX-License-Identifier: MIT */
/* Draws the runs: a picture with gnuplot, or text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/terminal.h"
#include "commands/commands.h"
#include "commands/forms.h"
#include "commands/plot_runs.h"
#include "commands/standard_input.h"
#include "record/gnuplot.h"
#include "record/outputs.h"
#include "views/chart.h"

static int
draw_text(const struct plot_runs *runs, const struct plot_options *options,
          const struct context *context, struct error *error)
{
    struct chart chart = {.width = terminal_width(context, STDOUT_FILENO),
                          .is_ascii = !terminal_is_utf8(context)};
    STRBUF_AUTO text = {0};

    if (options->picture.is_stacked || plot_runs_have_layers(runs)) {
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
write_file(const char *path, const struct strbuf *text, struct error *error)
{
    int rc = outputs_write_file(path, strbuf_text(text), text->size);

    return rc < 0 ? error_set(error, rc, "%s: cannot be written: %s", path,
                              outputs_reason(rc))
                  : 0;
}

static int
make_script(struct strbuf *script, struct strbuf *titles,
            const struct plot_runs *runs, const struct plot_options *options,
            struct error *error)
{
    struct picture picture = options->picture;

    if (picture.title == NULL && runs->count == 1)
        picture.title = runs->list[0].name;
    /* Layers of several runs cannot lie over each other. */
    picture.is_stacked =
        runs->count > 1 && (picture.is_stacked || plot_runs_have_layers(runs));
    if (picture_script(script, titles, &picture, runs->list, runs->count) < 0)
        return error_no_memory(error);
    if (options->script == NULL)
        return 0;
    return write_file(options->script, script, error);
}

static int
draw_picture(const struct plot_runs *runs, const struct plot_options *options,
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
    return write_file(options->output, &picture, error);
}

/* --script without -o: writes only the script, and the chart. */
static int
draw(const struct plot_runs *runs, const struct plot_options *options,
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
    struct plot_runs runs;
    int rc = plot_options_parse(&options, argc, argv, error);

    if (rc < 0)
        return rc;
    if (rc == OPTION_HELP)
        return forms_print_help(&plot_options_table, error);
    plot_runs_init(&runs, &options);
    rc = standard_input_prepare(options.files, error);
    if (rc == 0)
        rc = check_distinct(&options, error);
    if (rc == 0 && options.output != NULL)
        rc = outputs_check_writable(options.output, error);
    if (rc == 0 && options.script != NULL)
        rc = outputs_check_writable(options.script, error);
    if (rc == 0)
        rc = plot_runs_load(&runs, error);
    if (rc == 0)
        rc = draw(&runs, &options, context, error);
    plot_runs_done(&runs);
    return rc == 0 && runs.lacks_some ? EXIT_FAILURE : rc;
}
