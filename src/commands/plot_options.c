/* SPDX-License-Identifier: MIT */
/* Command line of pmon plot; reads argv and nothing else. */
#include "commands/plot_options.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "commands/forms.h"

enum { MOST_FILES = 64 };

const char plot_options_help[] =
    "usage: pmon plot FILE... [-o FILE] [OPTIONS]\n\n"
    "Draws logs of pmon or psrecord, summaries, and .dat files of mprof: with "
    "-o\nas a picture, else in the terminal.\n\n"
    "  -o, --output FILE            the picture, .svg, .png or .pdf\n"
    "      --metric LIST            of rss, cpu, vms, pss, io (default "
    "rss,cpu)\n"
    "      --from TIME              begin at TIME since the start\n"
    "      --to TIME                end at TIME since the start\n"
    "      --title TEXT             the line above\n"
    "      --stack                  several runs one under the other\n"
    "      --script FILE            keep gnuplot's script\n"
    "      --regions DIR            region files to show, in DIR\n"
    "      --start EPOCH            when a log began, in seconds since 1970\n"
    "  -h, --help                   print this help\n";

static int
take_metrics(struct picture *picture, const char *value, struct error *error)
{
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

    memset(picture->shows, 0, sizeof(picture->shows));
    for (;;) {
        size_t size = strcspn(at, ",");
        size_t i = 0;

        while (i < METRICS && (strlen(metrics[i].name) != size ||
                               memcmp(metrics[i].name, at, size) != 0))
            i++;
        if (i == METRICS)
            return error_set(error, -EINVAL,
                             "plot: --metric %.64s: rss, cpu, vms, pss, io, "
                             "with commas between",
                             value);
        for (unsigned k = metrics[i].first; k <= metrics[i].last; k++)
            picture->shows[k] = true;
        if (at[size] == '\0')
            return 0;
        at += size + 1;
    }
}

static int
take_time(int64_t *where, const char *name, const char *value,
          struct error *error)
{
    if (num_parse_time(value, where) < 0)
        return error_set(error, -EINVAL,
                         "plot: --%s %.64s: a time up to 292 years, as 10, "
                         "500ms, 5min or 2h",
                         name, value);
    return 0;
}

static int
take_start(int64_t *where, const char *value, struct error *error)
{
    if (num_parse_time(value, where) < 0)
        return error_set(error, -EINVAL,
                         "plot: --start %.64s: seconds since 1970, as "
                         "1796007184.663",
                         value);
    return 0;
}

static int
take_file(const char **where, const char *name, const char *value,
          struct error *error)
{
    if (*value == '\0' || strcmp(value, "-") == 0)
        return error_set(error, -EINVAL, "plot: --%s needs the name of a file",
                         name);
    *where = value;
    return 0;
}

static int
take_output(struct plot_options *options, const char *value,
            struct error *error)
{
    if (picture_format_of(value, &options->picture.format) < 0)
        return error_set(error, -EINVAL,
                         "plot: -o %s: the name has to end in .svg, .png or "
                         ".pdf",
                         value);
    options->output = value;
    return 0;
}

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"metric", required_argument, NULL, 'm'},
    {"from", required_argument, NULL, 'f'},
    {"to", required_argument, NULL, 't'},
    {"title", required_argument, NULL, 'T'},
    {"stack", no_argument, NULL, 's'},
    {"script", required_argument, NULL, 'S'},
    {"regions", required_argument, NULL, 'r'},
    {"start", required_argument, NULL, 'e'},
    {"help", no_argument, NULL, 'h'},
    {0}};

static int
take(struct plot_options *options, int code, char **argv, struct error *error)
{
    switch (code) {
    case 'o':
        return take_output(options, optarg, error);
    case 'm':
        options->has_metrics = true;
        return take_metrics(&options->picture, optarg, error);
    case 'f':
        return take_time(&options->load.from_ns, "from", optarg, error);
    case 't':
        return take_time(&options->load.to_ns, "to", optarg, error);
    case 'T':
        options->picture.title = optarg;
        return 0;
    case 's':
        options->picture.is_stacked = true;
        return 0;
    case 'S':
        return take_file(&options->script, "script", optarg, error);
    case 'r':
        return take_file(&options->load.regions, "regions", optarg, error);
    case 'e':
        return take_start(&options->load.start_epoch_ns, optarg, error);
    case 'h':
        options->wants_help = true;
        return 0;
    default:
        return forms_say_option("plot", code, argv, long_options, error);
    }
}

int
plot_options_parse(struct plot_options *options, int argc, char **argv,
                   struct error *error)
{
    enum picture_format format;
    int code;

    *options = (struct plot_options){
        .load = {.to_ns = INT64_MAX, .start_epoch_ns = NUM_UNKNOWN}};
    options->picture.shows[RECORDING_RSS] = true;
    options->picture.shows[RECORDING_CPU] = true;
    opterr = 0;
    optind = 0;
    while ((code = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1) {
        int rc = take(options, code, argv, error);

        if (rc < 0 || options->wants_help)
            return rc;
    }
    if (options->output == NULL && optind < argc &&
        picture_format_of(argv[argc - 1], &format) == 0)
        return error_set(error, -EINVAL,
                         "plot: %s: the picture is named by -o: pmon plot "
                         "FILE... -o %s",
                         argv[argc - 1], argv[argc - 1]);
    options->files = argv + optind;
    options->count = argc - optind;
    if (options->count == 0)
        return error_set(error, -EINVAL,
                         "plot: a file is missing: pmon plot FILE...");
    if (options->count > MOST_FILES)
        return error_set(error, -EINVAL, "plot: %d files: at most %d",
                         options->count, MOST_FILES);
    if (options->load.from_ns >= options->load.to_ns)
        return error_set(error, -EINVAL, "plot: --from has to be before --to");
    return 0;
}
