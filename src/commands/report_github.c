/* SPDX-License-Identifier: MIT */
/* The job summary of GitHub: Markdown, appended to the file of the step. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/output_file.h"
#include "commands/report_state.h"
#include "views/markdown.h"
#include "views/mermaid.h"

enum {
    /* GitHub drops the whole summary of a step if it is larger. */
    MOST_BYTES = 1024 * 1024,
    MOST_CHARTS = 8,
    /* The most rows of regions and others; the rest is in the log. */
    MOST_TABLE_BYTES = 200 * 1024,
};

static void
append_sheet(struct strbuf *out, const struct sheet *sheet)
{
    STRBUF_AUTO table = {0};

    if (sheet_rows(sheet) == 0)
        return;
    sheet_append(sheet, FORM_MARKDOWN, &table);
    if (table.size > MOST_TABLE_BYTES)
        strbuf_printf(out, "%zu %s: too many for this page, see the log\n\n",
                      sheet_rows(sheet), sheet->key);
    else
        strbuf_printf(out, "%s\n", strbuf_text(&table));
}

static void
append_charts(struct strbuf *out, const struct run *run)
{
    STRBUF_AUTO title = {0};

    run_title(&title, run);
    mermaid_chart(out, strbuf_text(&title), &run->series, false);
    strbuf_putc(out, '\n');
    if (isnan(run->cpu.max_percent))
        return;
    mermaid_chart(out, strbuf_text(&title), &run->series, true);
    strbuf_putc(out, '\n');
}

/*
 * Who used what, and who was there at the peak: the first of each run, where
 * there is more than one.
 */
static void
append_who(struct strbuf *out, const struct run_list *runs)
{
    enum { NAMED = 3 };
    struct sheet commands;
    struct sheet at_peak;

    report_init_sheet(&commands, REPORT_COMMANDS);
    report_init_sheet(&at_peak, REPORT_AT_PEAK);
    for (size_t i = 0; i < runs->count; i++) {
        const struct run *run = &runs->list[i];

        if (run_has_commands(run))
            report_add_commands(&commands, run, runs->count == 1, NAMED);
        if (report_has_more_at_peak(run))
            report_add_at_peak(&at_peak, run, runs->count == 1, NAMED);
    }
    append_sheet(out, &commands);
    append_sheet(out, &at_peak);
    out->failed |= commands.failed || at_peak.failed;
    sheet_done(&commands);
    sheet_done(&at_peak);
}

/* `**2 of 3 budgets are kept.**` */
static void
append_verdict(struct strbuf *out, const struct sheet *budgets)
{
    size_t rows = sheet_rows(budgets);
    int passed = sheet_find(budgets, "passed");
    size_t kept = 0;

    for (size_t i = 0; i < rows; i++)
        kept += sheet_cell(budgets, i, (size_t)passed)->number > 0 ? 1 : 0;
    if (rows > 0)
        strbuf_printf(out, "**%zu of %zu budget%s kept.**\n\n", kept, rows,
                      rows == 1 ? " is" : "s are");
}

static void
append_all(struct strbuf *out, const struct report *report)
{
    size_t charts =
        report->runs.count < MOST_CHARTS ? report->runs.count : MOST_CHARTS;

    strbuf_puts(out, "### pmon");
    if (report->runs.count == 1) {
        strbuf_puts(out, ": ");
        markdown_text(out, run_name(&report->runs.list[0]));
    }
    strbuf_puts(out, "\n\n");
    for (int i = 0; i < REPORT_SHEETS; i++) {
        if (i == REPORT_BUDGETS)
            append_verdict(out, &report->sheets[i]);
        if (i != REPORT_COMMANDS && i != REPORT_AT_PEAK)
            append_sheet(out, &report->sheets[i]);
    }
    append_who(out, &report->runs);
    for (size_t i = 0; i < charts; i++)
        append_charts(out, &report->runs.list[i]);
    if (report->runs.count > charts)
        strbuf_printf(out, "%zu more runs have no curve on this page.\n\n",
                      report->runs.count - charts);
}

static bool
has_rows(const struct report *report)
{
    for (int i = 0; i < REPORT_SHEETS; i++)
        if (sheet_rows(&report->sheets[i]) > 0)
            return true;
    return false;
}

int
report_write_github(const struct report *report, const char *path,
                    struct error *error)
{
    STRBUF_AUTO text = {0};
    struct output_file sink;
    size_t begin;
    int rc;

    if (!has_rows(report)) /* nothing could be read, which was reported */
        return 0;
    /* An empty line ends any text that an earlier command has written. */
    strbuf_putc(&text, '\n');
    append_all(&text, report);
    if (text.failed)
        return error_no_memory(error);
    rc = output_file_open(&sink, path, O_APPEND);
    if (rc < 0)
        return error_set(error, rc, "GITHUB_STEP_SUMMARY=%s: %s", path,
                         error_name(rc));
    if (sink.is_regular && sink.size + (off_t)text.size > MOST_BYTES) {
        output_file_close(&sink, 0);
        return error_set(
            error, -EFBIG,
            "GITHUB_STEP_SUMMARY=%s: GitHub accepts 1 MiB per step; "
            "report fewer files",
            path);
    }
    begin = sink.size > 0 ? 0 : 1;
    output_file_write(&sink, strbuf_text(&text) + begin, text.size - begin);
    rc = output_file_close(&sink, INT64_C(2000000000));
    if (rc < 0)
        return error_set(error, rc, "GITHUB_STEP_SUMMARY=%s: %s", path,
                         error_name(rc));
    return 0;
}
