/* SPDX-License-Identifier: MIT */
/* The report's rows of runs, groups and regions. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "commands/report_state.h"
#include "views/human.h"

/* `exit 0`, `signal KILL`, `max time` */
static void
add_ended(struct sheet *sheet, const struct run_file *run)
{
    const char *reason = run->texts[RUN_REASON];
    STRBUF_AUTO text = {0};

    if (reason == NULL) {
        sheet_text(sheet, NULL);
        return;
    }
    if (strcmp(reason, "exited") == 0 && isfinite(run->exit_status)) {
        strbuf_printf(&text, "exit %.0f", run->exit_status);
    } else if (strcmp(reason, "signaled") == 0 && run->signal > 0) {
        strbuf_puts(&text, "signal ");
        human_signal(&text, num_to_int(run->signal, INT_MAX));
    } else {
        strbuf_puts(&text, reason);
        for (char *at = text.text; at != NULL && *at != '\0'; at++)
            *at = *at == '_' ? ' ' : *at;
    }
    sheet_text(sheet, strbuf_text(&text));
}

static bool
is_same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Whether two runs have the same name, so that people need the files'. */
static bool
has_twins(const struct run_list *runs)
{
    for (size_t i = 1; i < runs->count; i++) {
        const struct run_file *one = &runs->list[i];

        for (size_t j = 0; j < i; j++) {
            const struct run_file *two = &runs->list[j];

            if (strcmp(run_file_name(one), run_file_name(two)) == 0 &&
                is_same_text(one->texts[RUN_RANK], two->texts[RUN_RANK]) &&
                is_same_text(one->texts[RUN_HOST], two->texts[RUN_HOST]))
                return true;
        }
    }
    return false;
}

static void
add_run(struct sheet *sheet, const struct run_file *run, bool has_twin)
{
    static const enum figure counts[] = {FIGURE_PEAK_VMS, FIGURE_READ_BYTES,
                                         FIGURE_WRITE_BYTES, FIGURE_PROCESSES,
                                         FIGURE_ROWS};

    sheet_text(sheet, run_file_name(run));
    sheet_text(sheet, has_twin ? run->texts[RUN_FILE] : NULL);
    for (int i = RUN_FILE; i <= RUN_JOB; i++)
        sheet_text(sheet, run->texts[i]);
    add_ended(sheet, run);
    sheet_text(sheet, run->texts[RUN_REASON]);
    sheet_number(sheet, run->exit_status);
    sheet_number(sheet, run->signal);
    sheet_number(sheet, run->start_epoch_s);
    sheet_number(sheet, run->values[FIGURE_WALL]);
    sheet_number(sheet, run->values[FIGURE_CPU]);
    sheet_text(sheet, run->texts[RUN_CPU_WORD]);
    sheet_number(sheet, run->values[FIGURE_CPU_MEAN]);
    sheet_number(sheet, run->values[FIGURE_CPU_MAX]);
    sheet_number(sheet, run->values[FIGURE_MEAN_RSS]);
    sheet_number(sheet, run->values[FIGURE_PEAK_RSS]);
    sheet_number(sheet, run->values[FIGURE_PEAK_RSS_UPPER]);
    sheet_text(sheet, run->texts[RUN_PEAK_WORD]);
    sheet_number(sheet, run->values[FIGURE_PEAK_PSS]);
    sheet_text(sheet, run->texts[RUN_PSS_WORD]);
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        sheet_number(sheet, run->values[counts[i]]);
}

static bool
is_of_group(const struct run_file *run, int by, const char *name)
{
    return is_same_text(run->texts[by], name);
}

struct group {
    size_t runs;
    double sum[FIGURES]; /* FIGURE_UNKNOWN once one of them is not known */
    double max[FIGURES];
    double cpu_area; /* percent times seconds */
    bool is_exact[RUN_TEXTS];
};

static void
add_to_group(struct group *group, const struct run_file *run)
{
    group->runs++;
    for (int i = 0; i < FIGURES; i++) {
        group->sum[i] += run->values[i];
        group->max[i] = figures_max(group->max[i], run->values[i]);
    }
    group->cpu_area += run->values[FIGURE_CPU_MEAN] * run->values[FIGURE_WALL];
    for (int i = 0; i < RUN_TEXTS; i++)
        group->is_exact[i] &=
            run->texts[i] != NULL && strcmp(run->texts[i], "exact") == 0;
}

/* A sum without one of its parts would be too small, so it is not known. */
static double
max_of(const struct group *group, enum figure figure)
{
    return isfinite(group->sum[figure]) ? group->max[figure] : FIGURE_UNKNOWN;
}

static double
mean_of(const struct group *group, enum figure figure)
{
    return group->sum[figure] / (double)group->runs;
}

static const char *
word_of(const struct group *group, enum figure figure, enum run_text word)
{
    if (!isfinite(group->sum[figure]))
        return NULL;
    return group->is_exact[word] ? "exact" : "at least";
}

static void
add_group(struct report *report, const char *name)
{
    struct sheet *sheet = &report->sheets[REPORT_GROUPS];
    struct group group = {0};

    for (int i = 0; i < RUN_TEXTS; i++)
        group.is_exact[i] = true;
    for (size_t i = 0; i < report->runs.count; i++)
        if (is_of_group(&report->runs.list[i], report->group, name))
            add_to_group(&group, &report->runs.list[i]);
    sheet_text(sheet, name);
    sheet_number(sheet, (double)group.runs);
    sheet_number(sheet, max_of(&group, FIGURE_WALL));
    sheet_number(sheet, mean_of(&group, FIGURE_WALL));
    sheet_number(sheet, group.sum[FIGURE_CPU]);
    sheet_text(sheet, word_of(&group, FIGURE_CPU, RUN_CPU_WORD));
    sheet_number(sheet, max_of(&group, FIGURE_CPU));
    sheet_number(sheet, mean_of(&group, FIGURE_CPU));
    sheet_number(sheet, group.cpu_area / group.sum[FIGURE_WALL]);
    sheet_number(sheet, group.sum[FIGURE_PEAK_RSS]);
    sheet_number(sheet, max_of(&group, FIGURE_PEAK_RSS));
    sheet_text(sheet, word_of(&group, FIGURE_PEAK_RSS, RUN_PEAK_WORD));
    sheet_number(sheet, mean_of(&group, FIGURE_PEAK_RSS));
}

/* In the order of their first runs. */
static void
add_groups(struct report *report)
{
    for (size_t i = 0; i < report->runs.count; i++) {
        const char *name = report->runs.list[i].texts[report->group];
        size_t first = 0;

        while (!is_of_group(&report->runs.list[first], report->group, name))
            first++;
        if (first == i)
            add_group(report, name);
    }
}

static void
add_region_files(struct report *report)
{
    struct sheet *sheet = &report->sheets[REPORT_REGIONS];

    for (size_t i = 0; i < report->regions.count; i++) {
        const struct region_stats *stats = &report->regions.stats[i];
        const int64_t times_ns[] = {stats->total_ns, stats->mean_ns,
                                    stats->min_ns,   stats->p50_ns,
                                    stats->p95_ns,   stats->max_ns};

        sheet_text(sheet, stats->name);
        sheet_text(sheet, NULL);
        sheet_text(sheet, NULL);
        sheet_number(sheet, (double)stats->count);
        for (size_t j = 0; j < sizeof(times_ns) / sizeof(times_ns[0]); j++)
            sheet_number(sheet, num_seconds(times_ns[j]));
        sheet_number(sheet, FIGURE_UNKNOWN);
        sheet_number(sheet, FIGURE_UNKNOWN);
        sheet_text(sheet, NULL);
    }
}

int
report_make_sheets(struct report *report, struct error *error)
{
    bool has_twin = has_twins(&report->runs);
    int rc = regions_summarize(&report->regions, NULL);

    if (rc == 0) {
        add_region_files(report);
        for (size_t i = 0; i < report->runs.count; i++)
            add_run(&report->sheets[REPORT_RUNS], &report->runs.list[i],
                    has_twin);
        if (report->group >= 0)
            add_groups(report);
    }
    for (int i = 0; i < REPORT_SHEETS && rc == 0; i++) {
        struct sheet *sheet = &report->sheets[i];
        int column =
            report->sort != NULL ? sheet_find(sheet, report->sort) : -1;

        rc = sheet->failed ? -ENOMEM : 0;
        if (column >= 0 && rc == 0)
            rc = sheet_sort(sheet, (size_t)column);
    }
    return rc < 0 ? error_set(error, rc, "out of memory") : 0;
}
