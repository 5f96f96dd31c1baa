/* SPDX-License-Identifier: MIT */
/* Command line of pmon plot; reads argv and nothing else. */
#include "commands/plot_options.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "commands/options.h"

static int
take_metrics(const struct option_row *row, void *settings, const char *value,
             struct error *error)
{
    struct plot_options *options = settings;
    struct picture *picture = &options->picture;
    static const struct {
        const char *name;
        unsigned first;
        unsigned last;
    } metrics[] = {
        {"rss", RECORDING_RSS, RECORDING_RSS},
        {"cpu", RECORDING_CPU, RECORDING_CPU},
        {"vms", RECORDING_VMS, RECORDING_VMS},
        {"pss", RECORDING_PSS, RECORDING_PSS},
        {"io", RECORDING_READ, RECORDING_WRITE},
    };
    enum { METRICS = ARRAY_SIZE(metrics) };
    const char *at = value;

    (void)row;
    (void)error;
    options->has_metrics = true;
    memset(picture->shows, 0, sizeof(picture->shows));
    for (;;) {
        size_t size = strcspn(at, ",");
        size_t i = 0;

        while (i < METRICS && (strlen(metrics[i].name) != size ||
                               memcmp(metrics[i].name, at, size) != 0))
            i++;
        if (i == METRICS)
            return -EINVAL;
        for (unsigned k = metrics[i].first; k <= metrics[i].last; k++)
            picture->shows[k] = true;
        if (at[size] == '\0')
            return 0;
        at += size + 1;
    }
}

#define AT(member) .where = offsetof(struct plot_options, member)
#define TIME(member)                 \
    .kind = OPTION_TIME, AT(member), \
    .allowed = "a time up to 292 years, such as 10, 500ms, 5min or 2h"

static const char *const by[] = {
    [LAYERS_BY_COMMAND] = "command", [LAYERS_BY_PROCESS] = "process", NULL};

static const struct option_row rows[] = {
    {"output", 'o', "FILE", "write a picture: .svg, .png or .pdf",
     .kind = OPTION_CALL, AT(output), OPTIONS_PICTURE},
    {"metric", 0, "LIST", "rss, cpu, vms, pss, io (default rss,cpu)",
     .kind = OPTION_CALL, .take = take_metrics,
     .allowed = "rss, cpu, vms, pss or io, separated by commas"},
    {"by", 0, "command|process", "stack the layers of a file of --processes",
     .kind = OPTION_CHOICE, AT(load.by), .choices = by},
    {"from", 0, "TIME", "begin at TIME after the start", TIME(load.from_ns)},
    {"to", 0, "TIME", "end at TIME after the start", TIME(load.to_ns)},
    {"title", 0, "TEXT", "the title of the picture or chart",
     .kind = OPTION_TEXT, AT(picture.title)},
    {"stack", 0, NULL, "draw several runs one below the other",
     .kind = OPTION_FLAG, AT(picture.is_stacked)},
    {"script", 0, "FILE", "keep gnuplot's script", .kind = OPTION_OUTPUT,
     AT(script)},
    {"regions", 0, "DIR", "draw the regions recorded in DIR",
     .kind = OPTION_NAME, AT(load.regions)},
    {"start", 0, "EPOCH", "when a log began, in seconds since 1970",
     .kind = OPTION_TIME, AT(load.start_epoch_ns),
     .allowed = "seconds since 1970, such as 1796007184.663"},
    {"help", 'h', NULL, "print this help", .kind = OPTION_HELP},
};

const struct option_table plot_options_table = {
    .usage = "usage: pmon plot FILE... [-o FILE] [OPTIONS]\n\n"
             "Draws logs of pmon or psrecord, summaries, .dat files of mprof, "
             "files of\n"
             "--processes, and folders of them.\n"
             "With -o it writes a picture, otherwise it prints a chart.\n",
    .command = "pmon plot",
    .rows = rows,
    .count = ARRAY_SIZE(rows),
    .is_mixed = true,
};

int
plot_options_parse(struct plot_options *options, int argc, char **argv,
                   struct error *error)
{
    enum picture_format format;
    struct option_line line;
    const char *last;
    int rc;

    *options = (struct plot_options){
        .load = {.to_ns = INT64_MAX, .start_epoch_ns = NUM_UNKNOWN}};
    options->picture.shows[RECORDING_RSS] = true;
    options->picture.shows[RECORDING_CPU] = true;
    rc = option_table_parse(&plot_options_table, options, argc, argv, &line,
                            error);
    if (rc != 0)
        return rc;
    options->files = line.operands;
    options->count = line.count;
    options->load.has_by = option_table_has(&plot_options_table, &line, "by");
    if (options->count == 0)
        return error_set(error, -EINVAL,
                         "plot: a file is missing: pmon plot FILE...");
    last = line.operands[line.count - 1];
    if (options->output != NULL)
        picture_format_of(options->output, &options->picture.format);
    else if (picture_format_of(last, &format) == 0)
        return error_set(error, -EINVAL,
                         "plot: %s: the picture is named by -o: pmon plot "
                         "FILE... -o %s",
                         last, last);
    if (options->count > PLOT_MOST_RUNS)
        return error_set(
            error, -EINVAL,
            "plot: %d files were given, but at most %d can be drawn",
            options->count, PLOT_MOST_RUNS);
    if (options->load.from_ns >= options->load.to_ns)
        return error_set(error, -EINVAL, "plot: --from must be before --to");
    return 0;
}
