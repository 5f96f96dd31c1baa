/* SPDX-License-Identifier: MIT */
/* Reads what pmon report was given, each file by its kind. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "commands/report_state.h"
#include "commands/say.h"
#include "commands/unfinished.h"
#include "formats/file_kind.h"
#include "formats/log_reader.h"
#include "formats/mprof.h"
#include "formats/region_rows.h"

void
report_say_bad(struct report *report, const struct error *error)
{
    say("%s", error->text);
    report->is_bad = true;
}

void
report_say_bad_row(struct report *report, const struct error *error)
{
    bad_rows_say(&report->bad, error);
    report->is_bad = true;
}

static void
add_budgets(struct report *report, const struct summary_file *summary,
            const struct run_file *run)
{
    struct sheet *sheet = &report->sheets[REPORT_BUDGETS];
    struct summary_budget budget;

    for (size_t i = 0; summary_file_budget(summary, i, &budget); i++) {
        enum unit unit =
            strstr(budget.name, "rss") != NULL ? UNIT_BYTES : UNIT_SECONDS;

        sheet_text(sheet, run_file_name(run));
        sheet_text(sheet, run->texts[RUN_RANK]);
        sheet_text(sheet, budget.name);
        sheet_number_as(sheet, unit, budget.value);
        sheet_number_as(sheet, unit, budget.limit);
        sheet_text(sheet, budget.action);
        sheet_number(sheet, budget.is_kept ? 1 : 0);
        sheet_text(sheet, budget.is_kept ? "kept" : "exceeded");
    }
}

static void
add_regions(struct report *report, const struct summary_file *summary,
            const struct run_file *run)
{
    struct sheet *sheet = &report->sheets[REPORT_REGIONS];
    struct summary_region region;

    for (size_t i = 0; summary_file_region(summary, i, &region); i++) {
        sheet_text(sheet, region.name);
        sheet_text(sheet, run_file_name(run));
        sheet_text(sheet, run->texts[RUN_RANK]);
        sheet_number(sheet, (double)region.count);
        sheet_number(sheet, region.total_s);
        sheet_number(sheet, region.mean_s);
        sheet_number(sheet, region.min_s);
        sheet_number(sheet, region.p50_s);
        sheet_number(sheet, region.p95_s);
        sheet_number(sheet, region.max_s);
        sheet_number(sheet, region.cpu_s);
        sheet_number(sheet, region.peak_rss_bytes);
        sheet_text(sheet, region.peak_rss_word);
    }
}

static int
read_summary(struct report *report, const char *path, struct error *error)
{
    struct summary_file summary;
    struct run_file *run;
    int rc = summary_file_open(&summary, path, error);

    if (rc < 0)
        return rc;
    run = run_list_next(&report->runs);
    rc = run != NULL ? unfinished_read(run, &summary) : -ENOMEM;
    if (rc == 0) {
        add_budgets(report, &summary, run);
        add_regions(report, &summary, run);
    }
    if (summary.impossible > 0) {
        say(SUMMARY_IMPOSSIBLE, path, (long long)summary.impossible);
        report->is_bad = true;
    }
    summary_file_close(&summary);
    return rc;
}

static int
read_log(struct report *report, const char *path, struct error *error)
{
    struct log_figures figures;
    struct log_reader reader;
    struct psrecord_row row;
    struct run_file *run;
    int rc = log_reader_open(&reader, path, error);

    if (rc == 0 && log_figures_init(&figures) < 0) {
        log_reader_close(&reader);
        return -ENOMEM;
    }
    if (rc < 0)
        return rc;
    while ((rc = log_reader_next(&reader, &row, error)) == 0 || rc == -EBADMSG)
        if (rc == 0)
            log_figures_push(&figures, &row);
        else
            report_say_bad_row(report, error);
    log_reader_close(&reader);
    if (rc == 1 && figures.rows == 0)
        rc = error_set(error, -EINVAL, "%s: has no rows", path);
    if (rc == 1) {
        run = run_list_next(&report->runs);
        rc = run != NULL ? run_file_of_log(run, path, &figures) : -ENOMEM;
    }
    log_figures_done(&figures);
    return rc;
}

static void
take_mprof_memory(struct log_figures *figures, const struct mprof_row *row,
                  int64_t start_ns)
{
    struct psrecord_row taken = {
        .elapsed_s = num_seconds(num_max(row->epoch_ns - start_ns, 0)),
        .rss_mib = row->rss_bytes / (double)NUM_MIB};

    log_figures_push(figures, &taken);
}

/* Its memory is a run, its functions are regions. */
static int
read_mprof(struct report *report, const char *path, struct error *error)
{
    struct log_figures figures;
    struct mprof_reader reader;
    struct mprof_row row;
    struct run_file *run;
    int64_t start_ns = NUM_UNKNOWN;
    int rc = mprof_open(&reader, path, error);

    if (rc < 0)
        return rc;
    if (log_figures_init(&figures) < 0) {
        mprof_close(&reader);
        return -ENOMEM;
    }
    figures.memory_only = true;
    while ((rc = mprof_next(&reader, &row, error)) == 0 || rc == -EBADMSG) {
        if (rc == -EBADMSG) {
            report_say_bad_row(report, error);
        } else if (row.kind == MPROF_FUNCTION) {
            rc = regions_add(&report->regions, row.name, row.epoch_ns,
                             row.duration_ns, true);
            if (rc < 0)
                break;
        } else {
            if (start_ns == NUM_UNKNOWN)
                start_ns = row.epoch_ns;
            take_mprof_memory(&figures, &row, start_ns);
        }
    }
    mprof_close(&reader);
    if (rc == 1 && figures.rows == 0)
        rc = error_set(error, -EINVAL, "%s: has no rows", path);
    if (rc == 1) {
        run = run_list_next(&report->runs);
        rc = run != NULL ? run_file_of_log(run, path, &figures) : -ENOMEM;
        if (rc == 0)
            run->start_epoch_s = num_seconds(start_ns);
    }
    log_figures_done(&figures);
    return rc;
}

static int
read_regions(struct report *report, const char *path, struct error *error)
{
    struct region_reader reader;
    struct region_row row;
    int64_t count = 0;
    int rc = region_reader_open(&reader, path, error);

    if (rc < 0)
        return rc;
    while ((rc = region_reader_next(&reader, &row, error)) != 1) {
        if (rc < 0) {
            report_say_bad_row(report, error);
            continue;
        }
        count++;
        rc = regions_add(&report->regions, row.name, row.start_ns,
                         row.duration_ns, true);
        if (rc < 0)
            break;
    }
    region_reader_close(&reader);
    if (rc == 1 && count == 0)
        return error_set(error, -EINVAL, "%s: has no rows", path);
    return rc < 0 ? rc : 0;
}

int
report_read_summary(struct report *report, const char *path,
                    struct error *error)
{
    int rc = seen_files_is_new(&report->seen, path)
                 ? read_summary(report, path, error)
                 : 0;

    if (rc == -ENOMEM || rc == -ENOMSG)
        return rc;
    if (rc < 0)
        report_say_bad(report, error);
    return 0;
}

int
report_read(struct report *report, const char *path, struct error *error)
{
    static int (*const readers[])(struct report *, const char *,
                                  struct error *) = {
        [FILE_SUMMARY] = read_summary,
        [FILE_LOG] = read_log,
        [FILE_PROFILE] = report_read_profile,
        [FILE_REGIONS] = read_regions,
        [FILE_RESOURCES] = report_read_resources,
        [FILE_FOLDER] = report_read_folder,
        [FILE_MPROF] = read_mprof,
    };
    enum file_kind kind = FILE_UNKNOWN;
    int rc = file_kind_of(path, &kind, error);

    if (rc == 0 && kind != FILE_FOLDER &&
        !seen_files_is_new(&report->seen, path))
        return 0;
    if (rc == 0 && kind == FILE_UNKNOWN)
        rc = report_say_headers(path, error);
    if (rc == 0 && kind == FILE_UNKNOWN)
        rc = error_set(error, -EINVAL,
                       "%s: is no summary, log, region file, resource rows, "
                       "profile CSV or file of mprof",
                       path);
    report->bad.count = 0;
    if (rc == 0)
        rc = readers[kind](report, path, error);
    if (kind != FILE_FOLDER)
        bad_rows_end(&report->bad, path);
    if (rc == -ENOMEM)
        return error_set(error, rc, "out of memory");
    if (rc < 0)
        report_say_bad(report, error);
    return 0;
}
