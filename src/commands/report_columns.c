/* SPDX-License-Identifier: MIT */
/* The columns of the report's sheets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "base/num.h"
#include "commands/report_state.h"
#include "views/human.h"

/* `exit 0`, `signal KILL`, `max time` */
static void
fill_ended(struct sheet *sheet, const struct run *run)
{
    const struct run_outcome *outcome = &run->outcome;
    STRBUF_AUTO text = {0};

    if (outcome->reason == REASON_UNKNOWN) {
        sheet_text(sheet, NULL);
        return;
    }
    if (outcome->reason == REASON_EXITED &&
        outcome->exit_status != NUM_UNKNOWN) {
        strbuf_printf(&text, "exit %lld", (long long)outcome->exit_status);
    } else if (outcome->reason == REASON_SIGNALED && outcome->signal > 0 &&
               outcome->signal < 1000) {
        strbuf_puts(&text, "signal ");
        human_signal(&text, (int)outcome->signal);
    } else {
        strbuf_puts(&text, reason_name(outcome->reason));
        for (char *at = text.text; at != NULL && *at != '\0'; at++)
            *at = *at == '_' ? ' ' : *at;
    }
    sheet_text(sheet, strbuf_text(&text));
}

static void
fill_name(struct sheet *sheet, const struct run *run)
{
    sheet_text(sheet, run_name(run));
}

static void
fill_array_index(struct sheet *sheet, const struct run *run)
{
    sheet_text(sheet, run->command.array_index);
}

/* People need the name of the file only if two runs have the same name. */
static void
fill_twin(struct sheet *sheet, const struct run *run)
{
    sheet_text(sheet, run->has_twin ? run->file : NULL);
}

#define TEXT(key, heading, member)                            \
    {                                                         \
        key, heading, UNIT_TEXT, 0, SHEET_FIELD(member), NULL \
    }
#define NUMBER(key, heading, unit, with, member)            \
    {                                                       \
        key, heading, unit, with, SHEET_FIELD(member), NULL \
    }
#define FILLED(heading, fill)                \
    {                                        \
        NULL, heading, UNIT_TEXT, 0, 0, fill \
    }

/* clang-format off */
static const struct sheet_column run_columns[] = {
    FILLED("run", fill_name),
    FILLED("file", fill_twin),
    TEXT("file", NULL, file),
    TEXT("step", NULL, command.step),
    TEXT("host", "host", host.name),
    TEXT("rank", "rank", command.rank),
    FILLED("array task", fill_array_index),
    TEXT("job", "job", command.job),
    FILLED("ended", fill_ended),
    TEXT("reason", NULL, outcome.reason),
    NUMBER("exit_status", NULL, UNIT_COUNT, 0, outcome.exit_status),
    NUMBER("signal", NULL, UNIT_COUNT, 0, outcome.signal),
    NUMBER("start_epoch_s", NULL, UNIT_SECONDS, 0, time.start_epoch_ns),
    NUMBER("wall_s", "time", UNIT_SECONDS, 0, time.wall_ns),
    NUMBER("cpu_s", "CPU time", UNIT_SECONDS, SHEET_WITH_WORD, cpu.total_ns),
    TEXT("cpu_word", NULL, cpu.total_word),
    NUMBER("cpu_mean_percent", "mean CPU", UNIT_PERCENT, 0, cpu.mean_percent),
    NUMBER("cpu_max_percent", "max CPU", UNIT_PERCENT, 0, cpu.max_percent),
    NUMBER("mean_rss_bytes", "mean memory", UNIT_BYTES, 0,
           memory.mean_rss_bytes),
    NUMBER("peak_rss_bytes", "peak memory", UNIT_BYTES, SHEET_WITH_BOUNDS,
           memory.peak_rss_bytes),
    NUMBER("peak_rss_upper_bytes", NULL, UNIT_BYTES, 0,
           memory.peak_rss_upper_bytes),
    TEXT("peak_rss_word", NULL, memory.peak_rss_word),
    NUMBER("peak_pss_bytes", "peak PSS", UNIT_BYTES, SHEET_WITH_WORD,
           memory.peak_pss_bytes),
    TEXT("peak_pss_word", NULL, memory.peak_pss_word),
    NUMBER("peak_vms_bytes", NULL, UNIT_BYTES, 0, memory.peak_vms_bytes),
    NUMBER("read_bytes", NULL, UNIT_BYTES, 0, io.read_bytes),
    NUMBER("write_bytes", NULL, UNIT_BYTES, 0, io.write_bytes),
    NUMBER("processes", NULL, UNIT_COUNT, 0, processes.seen),
    NUMBER("rows", NULL, UNIT_COUNT, 0, quality.rows),
    TEXT("array_index", NULL, command.array_index),
    TEXT("job_step", NULL, command.job_step),
};
/* clang-format on */

static const struct sheet_column group_columns[] = {
    {"group", "group", UNIT_TEXT, 0, 0, NULL},
    {"runs", "runs", UNIT_COUNT, 0, 0, NULL},
    {"wall_max_s", "max time", UNIT_SECONDS, 0, 0, NULL},
    {"wall_mean_s", "mean time", UNIT_SECONDS, 0, 0, NULL},
    {"cpu_sum_s", "CPU time", UNIT_SECONDS, SHEET_WITH_WORD, 0, NULL},
    {"cpu_word", NULL, UNIT_TEXT, 0, 0, NULL},
    {"cpu_max_s", NULL, UNIT_SECONDS, 0, 0, NULL},
    {"cpu_mean_s", NULL, UNIT_SECONDS, 0, 0, NULL},
    {"cpu_mean_percent", "mean CPU", UNIT_PERCENT, 0, 0, NULL},
    {"peak_rss_sum_bytes", "sum of peaks", UNIT_BYTES, 0, 0, NULL},
    {"peak_rss_max_bytes", "max peak", UNIT_BYTES, SHEET_WITH_WORD, 0, NULL},
    {"peak_rss_word", NULL, UNIT_TEXT, 0, 0, NULL},
    {"peak_rss_mean_bytes", "mean peak", UNIT_BYTES, 0, 0, NULL},
};

static const struct sheet_column budget_columns[] = {
    {"step", "budgets of", UNIT_TEXT, 0, 0, NULL},
    {"rank", "rank", UNIT_TEXT, 0, 0, NULL},
    {"name", "budget", UNIT_TEXT, 0, 0, NULL},
    {"figure", "figure", UNIT_TEXT, 0, 0, NULL},
    {"value", "used", UNIT_COUNT, 0, 0, NULL},
    {"limit", "limit", UNIT_COUNT, 0, 0, NULL},
    {"action", "action", UNIT_TEXT, 0, 0, NULL},
    {"passed", NULL, UNIT_BOOL, 0, 0, NULL},
    {NULL, "verdict", UNIT_TEXT, 0, 0, NULL},
    {"array_index", "array task", UNIT_TEXT, 0, 0, NULL},
};

static const struct sheet_column region_columns[] = {
    {"name", "region", UNIT_TEXT, 0, 0, NULL},
    {"step", "step", UNIT_TEXT, 0, 0, NULL},
    {"rank", "rank", UNIT_TEXT, 0, 0, NULL},
    {"count", "count", UNIT_COUNT, 0, 0, NULL},
    {"total_s", "total", UNIT_SECONDS, 0, 0, NULL},
    {"mean_s", "mean", UNIT_SECONDS, 0, 0, NULL},
    {"min_s", "min", UNIT_SECONDS, 0, 0, NULL},
    {"p50_s", "p50", UNIT_SECONDS, 0, 0, NULL},
    {"p95_s", "p95", UNIT_SECONDS, 0, 0, NULL},
    {"max_s", "max", UNIT_SECONDS, 0, 0, NULL},
    {"cpu_s", "CPU time", UNIT_SECONDS, 0, 0, NULL},
    {"peak_rss_bytes", "peak memory", UNIT_BYTES, SHEET_WITH_WORD, 0, NULL},
    {"peak_rss_word", NULL, UNIT_TEXT, 0, 0, NULL},
    {"array_index", "array task", UNIT_TEXT, 0, 0, NULL},
};

static const struct sheet_column process_columns[] = {
    {"command", "process", UNIT_TEXT, 0, 0, NULL},
    {"running_since_s", NULL, UNIT_SECONDS, 0, 0, NULL},
    {"rows", "rows", UNIT_COUNT, 0, 0, NULL},
    {"watched_s", "watched", UNIT_SECONDS, 0, 0, NULL},
    {"cpu_s", "CPU time", UNIT_SECONDS, 0, 0, NULL},
    {"cpu_mean_percent", "mean CPU", UNIT_PERCENT, 0, 0, NULL},
    {"memory_mean_percent", "mean memory", UNIT_PERCENT, 0, 0, NULL},
    {"memory_max_percent", "max memory", UNIT_PERCENT, 0, 0, NULL},
    {"pid", "pid", UNIT_COUNT, 0, 0, NULL},
};

static const struct sheet_column function_columns[] = {
    {"name", "function", UNIT_TEXT, 0, 0, NULL},
    {"file", "profile", UNIT_TEXT, 0, 0, NULL},
    {"calls", "calls", UNIT_COUNT, 0, 0, NULL},
    {"primitive_calls", NULL, UNIT_COUNT, 0, 0, NULL},
    {"total_s", "itself", UNIT_SECONDS, 0, 0, NULL},
    {"cumulative_s", "cumulative", UNIT_SECONDS, 0, 0, NULL},
};

static const struct sheet_column peak_columns[] = {
    {"file", "peak of", UNIT_TEXT, 0, 0, NULL},
    {"elapsed_s", "after", UNIT_SECONDS, 0, 0, NULL},
    {"cpu_percent", "CPU", UNIT_PERCENT, 0, 0, NULL},
    {"peak_rss_bytes", "peak memory", UNIT_BYTES, SHEET_WITH_WORD, 0, NULL},
    {"peak_rss_word", NULL, UNIT_TEXT, 0, 0, NULL},
    {"peak_vms_bytes", "address space", UNIT_BYTES, 0, 0, NULL},
};

static const struct sheet_column command_columns[] = {
    {"run", NULL, UNIT_TEXT, 0, 0, NULL},
    {NULL, "run", UNIT_TEXT, 0, 0, NULL},
    {"rank", "rank", UNIT_TEXT, 0, 0, NULL},
    {"kind", NULL, UNIT_TEXT, 0, 0, NULL},
    {"command", NULL, UNIT_TEXT, 0, 0, NULL},
    {NULL, "command", UNIT_TEXT, 0, 0, NULL},
    {"count", "processes", UNIT_COUNT, 0, 0, NULL},
    {"cpu_s", "CPU time", UNIT_SECONDS, 0, 0, NULL},
    {"largest_rss_bytes", "largest process", UNIT_BYTES, 0, 0, NULL},
    {"peak_rss_bytes", "largest sum", UNIT_BYTES, 0, 0, NULL},
    {"first_s", "first seen", UNIT_SECONDS, 0, 0, NULL},
    {"last_s", "last seen", UNIT_SECONDS, 0, 0, NULL},
};

static const struct sheet_column at_peak_columns[] = {
    {"run", NULL, UNIT_TEXT, 0, 0, NULL},
    {NULL, "run", UNIT_TEXT, 0, 0, NULL},
    {"rank", "rank", UNIT_TEXT, 0, 0, NULL},
    {"pid", NULL, UNIT_COUNT, 0, 0, NULL},
    {"name", NULL, UNIT_TEXT, 0, 0, NULL},
    {"command", NULL, UNIT_TEXT, 0, 0, NULL},
    {NULL, "at the peak", UNIT_TEXT, 0, 0, NULL},
    {"rss_bytes", "memory", UNIT_BYTES, 0, 0, NULL},
    {"age_s", "age", UNIT_SECONDS, 0, 0, NULL},
};

#define COLUMNS(list) list, ARRAY_SIZE(list)

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
    [REPORT_COMMANDS] = {"commands", COLUMNS(command_columns)},
    [REPORT_AT_PEAK] = {"at_peak", COLUMNS(at_peak_columns)},
};

void
report_init_sheet(struct sheet *sheet, enum report_sheet kind)
{
    sheet_init(sheet, kinds[kind].key, kinds[kind].columns, kinds[kind].count);
}

void
report_init(struct report *report)
{
    *report = (struct report){.form = FORM_TEXT, .bad.say = message_text};
    regions_init(&report->regions);
    for (int i = 0; i < REPORT_SHEETS; i++)
        report_init_sheet(&report->sheets[i], (enum report_sheet)i);
}

static bool
has_column(const struct report *report, const char *tag)
{
    for (size_t i = 0; i < report->tag_count; i++)
        if (strcmp(report->tag_keys[i] + strlen(SHEET_TAG), tag) == 0)
            return true;
    return false;
}

/* The keys, in the order in which the runs have them. */
static int
take_tags(struct report *report, const struct run *run)
{
    for (size_t i = 0; i < run->tags.count; i++) {
        STRBUF_AUTO key = {0};
        const char *name = run->tags.list[i].name;
        char *text;

        if (report->tag_count == RUN_TAGS || has_column(report, name))
            continue;
        strbuf_printf(&key, "%s%s", SHEET_TAG, name);
        text = strbuf_steal(&key);
        if (text == NULL)
            return -ENOMEM;
        report->tag_keys[report->tag_count++] = text;
    }
    return 0;
}

int
report_add_tags(struct report *report)
{
    size_t count = ARRAY_SIZE(run_columns);
    struct sheet_column *columns;

    for (size_t i = 0; i < report->runs.count; i++)
        if (take_tags(report, &report->runs.list[i]) < 0)
            return -ENOMEM;
    columns = calloc(count + report->tag_count, sizeof(*columns));
    if (columns == NULL)
        return -ENOMEM;
    memcpy(columns, run_columns, sizeof(run_columns));
    for (size_t i = 0; i < report->tag_count; i++)
        columns[count++] = (struct sheet_column){
            .key = report->tag_keys[i],
            .heading = report->tag_keys[i] + strlen(SHEET_TAG),
            .unit = UNIT_TEXT};
    report->run_columns = columns;
    sheet_init(&report->sheets[REPORT_RUNS], kinds[REPORT_RUNS].key, columns,
               count);
    return 0;
}

void
report_done(struct report *report)
{
    for (size_t i = 0; i < report->tag_count; i++)
        free(report->tag_keys[i]);
    free(report->run_columns);
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
    bool is_found = strncmp(name, SHEET_TAG, strlen(SHEET_TAG)) == 0;

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
