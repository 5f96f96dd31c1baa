/* SPDX-License-Identifier: MIT */
/* Reads the files of pmon report, each by its kind. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/num.h"
#include "commands/report_state.h"
#include "commands/unfinished.h"
#include "formats/file_kind.h"
#include "formats/log_figures.h"
#include "formats/log_reader.h"
#include "formats/mprof.h"
#include "formats/region_rows.h"
#include "formats/summary.h"

void
report_say_bad(struct report *report, const struct error *error)
{
    message_print("%s", error->text);
    report->is_bad = true;
}

static void
add_budgets(struct report *report, const struct run *run)
{
    struct sheet *sheet = &report->sheets[REPORT_BUDGETS];

    for (int i = 0; i < BUDGET_KINDS; i++) {
        const struct budget *budget = &run->budgets.list[i];
        bool is_size = budgets_is_size((enum budget_kind)i);
        enum unit unit = is_size ? UNIT_BYTES : UNIT_SECONDS;
        bool is_kept = budgets_is_kept(budget);

        if (!budgets_is_set(budget))
            continue;
        sheet_text(sheet, run_name(run));
        sheet_text(sheet, run->command.rank);
        sheet_text(sheet, budgets_name((enum budget_kind)i));
        sheet_text(sheet, budgets_figure_name(budget->figure));
        sheet_number_as(sheet, unit, sheet_value(unit, budget->value));
        sheet_number_as(sheet, unit, sheet_value(unit, budget->limit));
        sheet_text(sheet, budget->action == BUDGET_STOP ? "stop" : "fail");
        sheet_number(sheet, is_kept ? 1 : 0);
        sheet_text(sheet, is_kept ? "kept" : "exceeded");
        sheet_text(sheet, run->command.array_index);
    }
}

static int
read_summary(struct report *report, const char *path, struct error *error)
{
    struct run *run = run_list_add(&report->runs);
    int rc = run != NULL ? unfinished_read(run, path, error) : -ENOMEM;

    if (rc == 0) {
        add_budgets(report, run);
        report_add_regions(report, run, run->regions, run->region_count);
    } else if (run != NULL) {
        run_list_drop(&report->runs);
    }
    if (rc == 0 && run->impossible > 0) {
        message_print(SUMMARY_IMPOSSIBLE, path, (long long)run->impossible);
        report->is_bad = true;
    }
    return rc;
}

/* The runs of a file that has several; each becomes a row. */
struct appended {
    const char *path;
    struct log_figures figures; /* of the current run */
    int64_t start_ns;           /* time of its first row; NUM_UNKNOWN */
    int64_t run;                /* its number in the file */
    int64_t runs;               /* how many are in the report */
};

static void
init_appended(struct appended *appended, const char *path)
{
    *appended =
        (struct appended){.path = path, .start_ns = NUM_UNKNOWN, .run = 1};
    log_figures_init(&appended->figures);
}

/* Adds the current run to the report. */
static int
add_run(struct report *report, struct appended *appended)
{
    struct run *run;
    int rc;

    if (appended->figures.rows == 0)
        return 0;
    run = run_list_add(&report->runs);
    if (run == NULL)
        return -ENOMEM;
    rc = log_figures_take(&appended->figures, appended->path, run);
    run->time.start_epoch_ns = appended->start_ns;
    appended->runs++;
    return rc;
}

/* Call before each row with the number of its run. */
static int
enter_run(struct report *report, struct appended *appended, int64_t run)
{
    int rc = 0;

    if (run != appended->run) {
        rc = add_run(report, appended);
        if (rc == 0)
            log_figures_reset(&appended->figures);
        appended->start_ns = NUM_UNKNOWN;
    }
    appended->run = run;
    return rc;
}

/* Adds the last run, and numbers the runs if there are several. */
static int
end_appended(struct report *report, struct appended *appended,
             struct error *error)
{
    int rc = add_run(report, appended);
    size_t first = report->runs.count - (size_t)appended->runs;

    if (rc == 0 && appended->runs == 0)
        return error_set(error, -EINVAL, "%s: has no rows", appended->path);
    if (appended->runs == 1)
        return rc;
    for (int64_t i = 0; i < appended->runs && rc == 0; i++)
        rc = run_set_number(&report->runs.list[first + (size_t)i], i + 1);
    message_print("%s: has %lld runs, one after the other; each has a row",
                  appended->path, (long long)appended->runs);
    return rc;
}

static int
read_log(struct report *report, const char *path, struct error *error)
{
    struct appended appended;
    struct log_reader reader;
    struct psrecord_row row;
    int rc = log_reader_open(&reader, path, &report->bad, error);

    if (rc < 0)
        return rc;
    init_appended(&appended, path);
    while ((rc = log_reader_next(&reader, &row, error)) == 0) {
        rc = enter_run(report, &appended, reader.run);
        if (rc < 0)
            break;
        log_figures_push(&appended.figures, &row);
    }
    log_reader_close(&reader);
    if (rc == 1)
        rc = end_appended(report, &appended, error);
    log_figures_done(&appended.figures);
    return rc;
}

static int
take_mprof(struct report *report, struct appended *appended,
           const struct mprof_row *row)
{
    struct psrecord_row taken = {.rss_mib = row->rss_bytes / (double)NUM_MIB,
                                 .lacks_cpu = true,
                                 .lacks_vms = true};
    int rc;

    if (row->kind == MPROF_FUNCTION)
        return regions_add(&report->regions, row->name, row->epoch_ns,
                           row->duration_ns, true);
    rc = enter_run(report, appended, row->run);
    if (rc < 0)
        return rc;
    if (appended->start_ns == NUM_UNKNOWN)
        appended->start_ns = row->epoch_ns;
    taken.elapsed_s =
        num_seconds(num_max(row->epoch_ns - appended->start_ns, 0));
    log_figures_push(&appended->figures, &taken);
    return 0;
}

/* Adds the memory as a run, the functions as regions. */
static int
read_mprof(struct report *report, const char *path, struct error *error)
{
    struct appended appended;
    struct mprof_reader reader;
    struct mprof_row row;
    int rc = mprof_open(&reader, path, &report->bad, error);

    if (rc < 0)
        return rc;
    if (reader.children == MPROF_CHILDREN_UNCLEAR)
        message_print(MPROF_UNCLEAR, path);
    init_appended(&appended, path);
    while ((rc = mprof_next(&reader, &row, error)) == 0) {
        rc = take_mprof(report, &appended, &row);
        if (rc < 0)
            break;
    }
    mprof_close(&reader);
    if (rc == 1)
        rc = end_appended(report, &appended, error);
    log_figures_done(&appended.figures);
    return rc;
}

static int
read_regions(struct report *report, const char *path, struct error *error)
{
    struct region_reader reader;
    struct region_row row;
    int64_t count = 0;
    int rc = region_reader_open(&reader, path, &report->bad, error);

    if (rc < 0)
        return rc;
    while ((rc = region_reader_next(&reader, &row, error)) == 0) {
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
    if (rc == 0 && (kind == FILE_UNKNOWN || kind == FILE_EMPTY))
        rc = error_set(error, -EINVAL,
                       "%s: not a summary, log, region file, resource file, "
                       "profile CSV or mprof file",
                       path);
    if (rc == 0 && kind == FILE_PROCESSES)
        rc = error_set(error, -EINVAL,
                       "%s: has rows of processes; pmon plot --by command "
                       "draws them",
                       path);
    report->bad.count = 0;
    if (rc == 0)
        rc = readers[kind](report, path, error);
    report->is_bad |= report->bad.count > 0;
    if (kind != FILE_FOLDER)
        bad_rows_end(&report->bad, path);
    if (rc == -ENOMEM)
        return error_no_memory(error);
    if (rc < 0)
        report_say_bad(report, error);
    return 0;
}
