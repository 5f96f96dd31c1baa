/* SPDX-License-Identifier: MIT */
/* pmon report: its options, and its output. */
#include "commands/report.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/json_build.h"
#include "base/message.h"
#include "commands/forms.h"
#include "commands/report_state.h"
#include "commands/standard_input.h"

static const char help[] =
    "usage: pmon report [OPTIONS] FILE...\n\n"
    "Prints a table of one or many runs: of summaries, logs, region "
    "files, resource\n"
    "rows, profile CSVs, mprof's files, and folders of them.\n\n"
    "Options:\n"
    "      --format FORM            text (default), markdown, csv or json\n"
    "      --sort KEY               by a column, numbers from the largest\n"
    "      --group step|host|rank   one row a group: sum, max and mean\n"
    "      --github                 append to the job summary of GitHub, too\n"
    "  -h, --help                   print this help\n";

static int
take_sort(struct report *report, const char *value, struct error *error)
{
    STRBUF_AUTO names = {0};

    report->sort = value;
    if (*value == '\0' || !report_can_sort(value, &names))
        return error_set(error, -EINVAL,
                         "--sort %.64s: a column of --format csv, as %s", value,
                         strbuf_text(&names));
    return 0;
}

static int
take_group(struct report *report, const char *value, struct error *error)
{
    if (strcmp(value, "step") == 0)
        report->group = RUN_FIELD(command.step);
    else if (strcmp(value, "host") == 0)
        report->group = RUN_FIELD(host.name);
    else if (strcmp(value, "rank") == 0)
        report->group = RUN_FIELD(command.rank);
    else
        return error_set(error, -EINVAL, "--group %.64s: step, host or rank",
                         value);
    return 0;
}

/* 0; 1 when help was printed; negative. */
static int
parse(struct report *report, int argc, char **argv, struct error *error)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'f'},
        {"sort", required_argument, NULL, 's'},
        {"group", required_argument, NULL, 'g'},
        {"github", no_argument, NULL, 'G'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    int code;
    int rc = 0;

    opterr = 0;
    optind = 0;
    while (rc == 0 &&
           (code = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        switch (code) {
        case 'f':
            rc = forms_parse(optarg, true, &report->form, error);
            break;
        case 's':
            rc = take_sort(report, optarg, error);
            break;
        case 'g':
            rc = take_group(report, optarg, error);
            break;
        case 'G':
            report->is_github = true;
            break;
        case 'h':
            fputs(help, stdout);
            return 1;
        default:
            rc = forms_say_option("report", code, argv, options, error);
        }
    }
    if (rc == 0 && optind == argc)
        return error_set(error, -EINVAL,
                         "report: a file is missing: pmon report FILE...");
    return rc;
}

/* A group's sheet stands for its runs, in all forms but JSON. */
static bool
is_printed(const struct report *report, int sheet)
{
    return sheet_rows(&report->sheets[sheet]) > 0 &&
           (sheet != REPORT_RUNS || report->group == NULL);
}

static void
append_sheets(const struct report *report, struct strbuf *out)
{
    for (int i = 0; i < REPORT_SHEETS; i++) {
        if (!is_printed(report, i))
            continue;
        strbuf_puts(out, out->size > 0 ? "\n" : "");
        sheet_append(&report->sheets[i], report->form, out);
    }
}

static int
print(const struct report *report, struct error *error)
{
    STRBUF_AUTO out = {0};

    if (report->form == FORM_JSON) {
        struct json_t *root = json_object();

        for (int i = 0; i < REPORT_SHEETS; i++)
            json_build_put(&root, report->sheets[i].key,
                           sheet_json(&report->sheets[i]));
        return forms_print_json(root, "report", error);
    }
    append_sheets(report, &out);
    return forms_print(&out, "report", error);
}

static int
run(struct report *report, char **paths, const struct context *context,
    struct error *error)
{
    const char *summary = context->environment("GITHUB_STEP_SUMMARY");
    bool has_summary = summary != NULL && *summary != '\0';
    int rc = 0;

    for (char **path = paths; *path != NULL && rc == 0; path++)
        if (!report_is_given(paths, *path))
            rc = report_read(report, *path, error);
    if (rc == 0)
        rc = report_make_sheets(report, error);
    if (rc == 0)
        rc = print(report, error);
    if (rc == 0 && report->is_github) {
        if (!has_summary)
            return error_set(error, -ENOENT,
                             "report: --github needs GITHUB_STEP_SUMMARY, the "
                             "name of a file; --format markdown prints");
        rc = report_write_github(report, summary, error);
    }
    if (rc < 0)
        return rc;
    return report->is_bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

int
report_command(int argc, char **argv, const struct context *context,
               struct error *error)
{
    struct report report;
    int rc;

    report_init(&report);
    rc = parse(&report, argc, argv, error);
    if (rc == 0) {
        rc = standard_input_prepare(argv + optind, error);
        if (rc == 0)
            rc = run(&report, argv + optind, context, error);
    } else if (rc == 1) {
        rc = EXIT_SUCCESS;
    }
    report_done(&report);
    if (rc >= 0 && fflush(stdout) != 0)
        return error_set(error, -errno, "report: cannot write: %s",
                         error_name(errno));
    return rc;
}
