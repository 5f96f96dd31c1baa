/* SPDX-License-Identifier: MIT */
/*
 * --plot: keeps the curves of the run, in bounded memory and with or without
 * a log, and draws them at its end.  Whatever goes wrong is said and no more.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/num.h"
#include "record/gnuplot.h"
#include "record/recorder_state.h"
#include "base/message.h"
#include "engine/metrics.h"
#include "views/picture.h"

void
run_plot_prepare(struct run *run)
{
    if (run->options.plot == NULL)
        return;
    if (gnuplot_find(run->context->environment("PATH"), &run->plot.gnuplot) <
        0) {
        say("--plot %s: " GNUPLOT_MISSING "; the step runs without it",
            run->options.plot);
        run->options.plot = NULL;
        return;
    }
    recording_init(&run->plot.recording, 0, INT64_MAX);
}

void
run_plot_row(struct run *run, const struct row *row)
{
    if (run->options.plot != NULL)
        recording_push_row(&run->plot.recording, row);
}

/* All that the summary knows better than the rows. */
static void
complete(struct run *run)
{
    const struct summary_memory *memory = &run->summary.memory;
    struct recording *recording = &run->plot.recording;

    recording_take_peak(
        recording, memory->peak_rss_bytes, memory->peak_rss_upper_bytes,
        memory->peak_rss_elapsed_ns, metrics_word(memory->peak_rss_word));
    recording->limit_bytes = memory->limit_bytes;
    recording_finish(recording);
    /* The regions of the run, lent to the picture. */
    if (run->summary.regions != NULL)
        recording->regions = run->regions.regions;
}

static int
draw(struct run *run, const struct picture *picture, struct error *error)
{
    STRBUF_AUTO script = {0};
    STRBUF_AUTO titles = {0};
    STRBUF_AUTO drawn = {0};
    int rc;

    if (picture_script(&script, &titles, picture, &run->plot.recording, 1) < 0)
        return error_set(error, -ENOMEM, "out of memory");
    rc = gnuplot_run(strbuf_text(&run->plot.gnuplot), picture->format, &script,
                     &drawn, error);
    if (rc < 0)
        return rc;
    if (picture->format == PICTURE_SVG &&
        picture_title_svg(&drawn, &titles) < 0)
        return error_set(error, -ENOMEM, "out of memory");
    rc = outputs_write_file(run->outputs.plot_path, strbuf_text(&drawn),
                            drawn.size);
    return rc < 0 ? error_set(error, rc, "cannot be written: %s",
                              outputs_reason(rc))
                  : 0;
}

bool
run_plot_end(struct run *run)
{
    struct picture picture = {.title = strbuf_text(&run->title)};
    struct error error = {0};

    if (run->options.plot == NULL ||
        picture_format_of(run->options.plot, &picture.format) < 0)
        return false;
    picture.shows[RECORDING_RSS] = true;
    picture.shows[RECORDING_CPU] = true;
    complete(run);
    run->plot.is_drawn = draw(run, &picture, &error) == 0;
    regions_init(&run->plot.recording.regions);
    if (run->plot.is_drawn)
        return false;
    say("%s: %s", run->outputs.plot_path, error.text);
    free(run->outputs.plot_path);
    run->outputs.plot_path = NULL;
    return true;
}

void
run_plot_done(struct run *run)
{
    strbuf_done(&run->plot.gnuplot);
    recording_done(&run->plot.recording);
}
