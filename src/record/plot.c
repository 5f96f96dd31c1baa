/* SPDX-License-Identifier: MIT */
/*
 * --plot: keeps the curves of the run in bounded memory, with or without a log,
 * and draws them at the end.  Errors are reported and have no other effect.
 */
#include <errno.h>
#include <stdlib.h>

#include "record/gnuplot.h"
#include "record/process_file.h"
#include "record/recorder_state.h"
#include "views/picture.h"

void
recorder_plot_prepare(struct recorder *recorder)
{
    if (recorder->options.plot == NULL)
        return;
    if (gnuplot_find(recorder->context->environment("PATH"),
                     &recorder->plot.gnuplot) < 0) {
        recorder_say(recorder,
                     "--plot %s: " GNUPLOT_MISSING "; the step runs without it",
                     recorder->options.plot);
        recorder->options.plot = NULL;
        return;
    }
    recording_init(&recorder->plot.recording, 0, INT64_MAX);
}

void
recorder_plot_row(struct recorder *recorder, const struct row *row)
{
    if (recorder->options.plot != NULL)
        recording_push_row(&recorder->plot.recording, row);
}

/* The layers of --processes, if the file holds all rows and can be read. */
static void
take_layers(struct recorder *recorder)
{
    const struct rows_file *rows = &recorder->outputs.processes;
    struct recorder_plot *plot = &recorder->plot;
    struct layers *layers = &plot->recording.layers;
    struct error error = {0};
    int rc;

    if (rows->path == NULL || !rows->file.is_regular || rows->file.failed < 0)
        return;
    layer_keys_init(&plot->keys, LAYERS_BY_COMMAND);
    layers_init(layers, &plot->keys, 0, INT64_MAX);
    rc = process_file_count(layers, rows->path, &error);
    if (rc == 0 && layer_keys_choose(&plot->keys) < 0)
        rc = error_no_memory(&error);
    if (rc == 0)
        rc = process_file_fill(layers, NULL, &error);
    if (rc == 0)
        return;
    layers_done(layers);
    recorder_say(recorder, "%s; the picture shows only the sums", error.text);
}

/* Takes figures that the summary knows better than the rows. */
static void
complete(struct recorder *recorder)
{
    const struct run_memory *memory = &recorder->run.memory;
    struct recording *recording = &recorder->plot.recording;

    recording_take_peak(recording, memory->peak_rss_bytes,
                        memory->peak_rss_upper_bytes,
                        memory->peak_rss_elapsed_ns, memory->peak_rss_word);
    recording->limit_bytes = memory->limit_bytes;
    recording_finish(recording);
    take_layers(recorder);
    /* Lends the regions of the recorder to the picture. */
    if (recorder->regions.folder != NULL)
        recording->regions = recorder->regions.regions;
}

static int
draw(struct recorder *recorder, const struct picture *picture,
     struct error *error)
{
    STRBUF_AUTO script = {0};
    STRBUF_AUTO titles = {0};
    STRBUF_AUTO drawn = {0};
    int rc;

    if (picture_script(&script, &titles, picture, &recorder->plot.recording,
                       1) < 0)
        return error_no_memory(error);
    rc = gnuplot_run(strbuf_text(&recorder->plot.gnuplot), picture->format,
                     &script, &drawn, error);
    if (rc < 0)
        return rc;
    if (picture->format == PICTURE_SVG &&
        picture_title_svg(&drawn, &titles) < 0)
        return error_no_memory(error);
    rc = outputs_write_file(recorder->outputs.plot_path, strbuf_text(&drawn),
                            drawn.size);
    return rc < 0 ? error_set(error, rc, "cannot be written: %s",
                              outputs_reason(rc))
                  : 0;
}

bool
recorder_plot_end(struct recorder *recorder)
{
    STRBUF_AUTO title = {0};
    struct picture picture = {0};
    struct error error = {0};

    if (recorder->options.plot == NULL ||
        picture_format_of(recorder->options.plot, &picture.format) < 0)
        return false;
    strbuf_printf(&title, "%s%s%s", strbuf_text(&recorder->title),
                  recorder->job_words.size > 0 ? ", " : "",
                  strbuf_text(&recorder->job_words));
    picture.title = strbuf_text(&title);
    picture.shows[RECORDING_RSS] = true;
    picture.shows[RECORDING_CPU] = true;
    complete(recorder);
    recorder->plot.is_drawn = draw(recorder, &picture, &error) == 0;
    regions_init(&recorder->plot.recording.regions);
    if (recorder->plot.is_drawn)
        return false;
    recorder_say(recorder, "%s: %s", recorder->outputs.plot_path, error.text);
    free(recorder->outputs.plot_path);
    recorder->outputs.plot_path = NULL;
    return true;
}

void
recorder_plot_done(struct recorder *recorder)
{
    strbuf_done(&recorder->plot.gnuplot);
    recording_done(&recorder->plot.recording);
    layer_keys_done(&recorder->plot.keys);
}
