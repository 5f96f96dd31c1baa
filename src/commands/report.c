/* SPDX-License-Identifier: MIT */
/* pmon report: its options, and its output. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/array.h"
#include "base/json_build.h"
#include "base/message.h"
#include "commands/commands.h"
#include "commands/forms.h"
#include "commands/report_state.h"
#include "commands/standard_input.h"

static int
take_sort(const struct option_row *row, void *settings, const char *value,
          struct error *error)
{
    struct report *report = settings;
    STRBUF_AUTO names = {0};

    (void)row;
    report->sort = value;
    if (!report_can_sort(value, &names))
        return error_set(error, -EINVAL,
                         "--sort %.64s: must be a column of --format csv, such "
                         "as %s",
                         value, strbuf_text(&names));
    return 0;
}

static int
take_group(const struct option_row *row, void *settings, const char *value,
           struct error *error)
{
    struct report *report = settings;
    const struct {
        const char *name;
        const struct run_field *field;
    } groups[] = {{"step", RUN_FIELD(command.step)},
                  {"host", RUN_FIELD(host.name)},
                  {"rank", RUN_FIELD(command.rank)},
                  {"job", RUN_FIELD(command.job)}};

    (void)row;
    (void)error;
    for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
        if (strcmp(value, groups[i].name) == 0)
            report->group = groups[i].field;
    return report->group != NULL ? 0 : -EINVAL;
}

#define AT(member) .where = offsetof(struct report, member)

static const struct option_row rows[] = {
    {"format", 0, "FORM", "text (default), markdown, csv or json",
     .kind = OPTION_CHOICE, AT(form), .choices = forms_all},
    {"sort", 0, "KEY", "sort by a column, largest numbers first",
     .kind = OPTION_CALL, .take = take_sort},
    {"group", 0, "step|host|rank|job",
     "print one row per group: sum, max and mean", .kind = OPTION_CALL,
     .take = take_group, .allowed = "step, host, rank or job"},
    {"github", 0, NULL, "also append to the job summary of GitHub",
     .kind = OPTION_FLAG, AT(is_github)},
    {"help", 'h', NULL, "print this help", .kind = OPTION_HELP},
};

static const struct option_table table = {
    .usage = "usage: pmon report [OPTIONS] FILE...\n\n"
             "Prints a table of one or many runs: of summaries, logs, region "
             "files, resource\n"
             "rows, profile CSVs, mprof's files, and folders of them.\n",
    .command = "pmon report",
    .rows = rows,
    .count = ARRAY_SIZE(rows),
    .is_mixed = true,
};

/* Except in JSON, the sheet of groups replaces that of runs. */
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
        return forms_print_json(root, error);
    }
    append_sheets(report, &out);
    return forms_print(&out, error);
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
            return error_set(
                error, -ENOENT,
                "report: --github needs a file name in GITHUB_STEP_SUMMARY; "
                "--format markdown prints the tables");
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
    struct option_line line;
    struct report report;
    int rc;

    report_init(&report);
    rc = option_table_parse(&table, &report, argc, argv, &line, error);
    if (rc == OPTION_HELP)
        rc = forms_print_help(&table, error);
    else if (rc == 0 && line.count == 0)
        rc = error_set(error, -EINVAL,
                       "report: a file is missing: pmon report FILE...");
    else if (rc == 0)
        rc = standard_input_prepare(line.operands, error);
    if (rc == 0 && line.count > 0)
        rc = run(&report, line.operands, context, error);
    report_done(&report);
    return rc;
}
