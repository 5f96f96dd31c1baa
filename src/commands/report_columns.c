/* SPDX-License-Identifier: MIT */
/* The columns of the report's sheets. */
#include <stdlib.h>
#include <string.h>

#include "commands/report_state.h"

static const struct sheet_column run_columns[] = {
    {NULL, "run", UNIT_TEXT, 0},
    {NULL, "file", UNIT_TEXT, 0},
    {"file", NULL, UNIT_TEXT, 0},
    {"step", NULL, UNIT_TEXT, 0},
    {"host", "host", UNIT_TEXT, 0},
    {"rank", "rank", UNIT_TEXT, 0},
    {"job", NULL, UNIT_TEXT, 0},
    {NULL, "ended", UNIT_TEXT, 0},
    {"reason", NULL, UNIT_TEXT, 0},
    {"exit_status", NULL, UNIT_COUNT, 0},
    {"signal", NULL, UNIT_COUNT, 0},
    {"start_epoch_s", NULL, UNIT_SECONDS, 0},
    {"wall_s", "time", UNIT_SECONDS, 0},
    {"cpu_s", "CPU time", UNIT_SECONDS, SHEET_WITH_WORD},
    {"cpu_word", NULL, UNIT_TEXT, 0},
    {"cpu_mean_percent", "mean CPU", UNIT_PERCENT, 0},
    {"cpu_max_percent", "max CPU", UNIT_PERCENT, 0},
    {"mean_rss_bytes", "mean memory", UNIT_BYTES, 0},
    {"peak_rss_bytes", "peak memory", UNIT_BYTES, SHEET_WITH_BOUNDS},
    {"peak_rss_upper_bytes", NULL, UNIT_BYTES, 0},
    {"peak_rss_word", NULL, UNIT_TEXT, 0},
    {"peak_pss_bytes", "peak PSS", UNIT_BYTES, SHEET_WITH_WORD},
    {"peak_pss_word", NULL, UNIT_TEXT, 0},
    {"peak_vms_bytes", NULL, UNIT_BYTES, 0},
    {"read_bytes", NULL, UNIT_BYTES, 0},
    {"write_bytes", NULL, UNIT_BYTES, 0},
    {"processes", NULL, UNIT_COUNT, 0},
    {"rows", NULL, UNIT_COUNT, 0},
};

static const struct sheet_column group_columns[] = {
    {"group", "group", UNIT_TEXT, 0},
    {"runs", "runs", UNIT_COUNT, 0},
    {"wall_max_s", "max time", UNIT_SECONDS, 0},
    {"wall_mean_s", "mean time", UNIT_SECONDS, 0},
    {"cpu_sum_s", "CPU time", UNIT_SECONDS, SHEET_WITH_WORD},
    {"cpu_word", NULL, UNIT_TEXT, 0},
    {"cpu_max_s", NULL, UNIT_SECONDS, 0},
    {"cpu_mean_s", NULL, UNIT_SECONDS, 0},
    {"cpu_mean_percent", "mean CPU", UNIT_PERCENT, 0},
    {"peak_rss_sum_bytes", "sum of peaks", UNIT_BYTES, 0},
    {"peak_rss_max_bytes", "max peak", UNIT_BYTES, SHEET_WITH_WORD},
    {"peak_rss_word", NULL, UNIT_TEXT, 0},
    {"peak_rss_mean_bytes", "mean peak", UNIT_BYTES, 0},
};

static const struct sheet_column budget_columns[] = {
    {"step", "budgets of", UNIT_TEXT, 0}, {"rank", "rank", UNIT_TEXT, 0},
    {"name", "budget", UNIT_TEXT, 0},     {"value", "used", UNIT_COUNT, 0},
    {"limit", "limit", UNIT_COUNT, 0},    {"action", "action", UNIT_TEXT, 0},
    {"passed", NULL, UNIT_BOOL, 0},       {NULL, "verdict", UNIT_TEXT, 0},
};

static const struct sheet_column region_columns[] = {
    {"name", "region", UNIT_TEXT, 0},
    {"step", "step", UNIT_TEXT, 0},
    {"rank", "rank", UNIT_TEXT, 0},
    {"count", "count", UNIT_COUNT, 0},
    {"total_s", "total", UNIT_SECONDS, 0},
    {"mean_s", "mean", UNIT_SECONDS, 0},
    {"min_s", "min", UNIT_SECONDS, 0},
    {"p50_s", "p50", UNIT_SECONDS, 0},
    {"p95_s", "p95", UNIT_SECONDS, 0},
    {"max_s", "max", UNIT_SECONDS, 0},
    {"cpu_s", "CPU time", UNIT_SECONDS, 0},
    {"peak_rss_bytes", "peak memory", UNIT_BYTES, SHEET_WITH_WORD},
    {"peak_rss_word", NULL, UNIT_TEXT, 0},
};

static const struct sheet_column process_columns[] = {
    {"command", "process", UNIT_TEXT, 0},
    {"running_since_s", NULL, UNIT_SECONDS, 0},
    {"rows", "rows", UNIT_COUNT, 0},
    {"watched_s", "watched", UNIT_SECONDS, 0},
    {"cpu_s", "CPU time", UNIT_SECONDS, 0},
    {"cpu_mean_percent", "mean CPU", UNIT_PERCENT, 0},
    {"memory_mean_percent", "mean memory", UNIT_PERCENT, 0},
    {"memory_max_percent", "max memory", UNIT_PERCENT, 0},
};

static const struct sheet_column function_columns[] = {
    {"name", "function", UNIT_TEXT, 0},
    {"file", "profile", UNIT_TEXT, 0},
    {"calls", "calls", UNIT_COUNT, 0},
    {"primitive_calls", NULL, UNIT_COUNT, 0},
    {"total_s", "itself", UNIT_SECONDS, 0},
    {"cumulative_s", "cumulative", UNIT_SECONDS, 0},
};

static const struct sheet_column peak_columns[] = {
    {"file", "peak of", UNIT_TEXT, 0},
    {"elapsed_s", "after", UNIT_SECONDS, 0},
    {"cpu_percent", "CPU", UNIT_PERCENT, 0},
    {"peak_rss_bytes", "peak memory", UNIT_BYTES, SHEET_WITH_WORD},
    {"peak_rss_word", NULL, UNIT_TEXT, 0},
    {"peak_vms_bytes", "address space", UNIT_BYTES, 0},
};

#define COLUMNS(list) list, sizeof(list) / sizeof((list)[0])

static const struct {
    const char *key;
    const struct sheet_column *columns;
    size_t count;
} kinds[REPORT_SHEETS] = {
    [REPORT_RUNS] = {"runs", COLUMNS(run_columns)},
    [REPORT_GROUPS] = {"groups", COLUMNS(group_columns)},
    [REPORT_BUDGETS] = {"budgets", COLUMNS(budget_columns)},
    [REPORT_REGIONS] = {"regions", COLUMNS(region_columns)},
    [REPORT_PROCESSES] = {"processes", COLUMNS(process_columns)},
    [REPORT_FUNCTIONS] = {"functions", COLUMNS(function_columns)},
    [REPORT_PEAKS] = {"peaks", COLUMNS(peak_columns)},
};

void
report_init(struct report *report)
{
    *report = (struct report){.form = FORM_TEXT, .group = -1};
    regions_init(&report->regions);
    for (int i = 0; i < REPORT_SHEETS; i++)
        sheet_init(&report->sheets[i], kinds[i].key, kinds[i].columns,
                   kinds[i].count);
}

void
report_done(struct report *report)
{
    seen_files_done(&report->seen);
    run_list_done(&report->runs);
    regions_done(&report->regions);
    for (int i = 0; i < REPORT_SHEETS; i++)
        sheet_done(&report->sheets[i]);
}

bool
report_can_sort(const char *name, struct strbuf *names)
{
    struct sheet sheet;
    bool is_found = false;

    for (int i = 0; i < REPORT_SHEETS; i++) {
        sheet_init(&sheet, NULL, kinds[i].columns, kinds[i].count);
        is_found |= sheet_find(&sheet, name) >= 0;
    }
    for (size_t i = 0; i < kinds[REPORT_RUNS].count; i++) {
        const char *key = run_columns[i].key;

        if (key != NULL)
            strbuf_printf(names, "%s%s", names->size > 0 ? ", " : "", key);
    }
    return is_found;
}
