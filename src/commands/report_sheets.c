/* SPDX-License-Identifier: MIT */
/* The report's rows of runs, groups and regions. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "commands/report_state.h"

static bool
is_same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Whether two runs have the same name, so that people need names of files. */
static bool
has_twins(const struct run_list *runs)
{
    for (size_t i = 1; i < runs->count; i++) {
        const struct run *one = &runs->list[i];

        for (size_t j = 0; j < i; j++) {
            const struct run *two = &runs->list[j];

            if (strcmp(run_name(one), run_name(two)) == 0 &&
                is_same_text(one->command.rank, two->command.rank) &&
                is_same_text(one->command.array_index,
                             two->command.array_index) &&
                is_same_text(one->command.job, two->command.job) &&
                is_same_text(one->host.name, two->host.name))
                return true;
        }
    }
    return false;
}

/* The figures of a group. */
enum { GROUP_WALL, GROUP_CPU, GROUP_PEAK, GROUP_FIGURES };

struct group {
    double runs;
    double sum[GROUP_FIGURES]; /* NAN if one of them is unknown */
    double max[GROUP_FIGURES];
    bool is_exact[GROUP_FIGURES];
    double cpu_area; /* percent times seconds */
};

static void
add_to_group(struct group *group, const struct run *run)
{
    const struct run_field *const fields[GROUP_FIGURES] = {
        [GROUP_WALL] = RUN_FIELD(time.wall_ns),
        [GROUP_CPU] = RUN_FIELD(cpu.total_ns),
        [GROUP_PEAK] = RUN_FIELD(memory.peak_rss_bytes),
    };

    group->runs++;
    for (int i = 0; i < GROUP_FIGURES; i++) {
        double value = run_field_number(fields[i], run);
        const char *word = run_field_word(fields[i], run);

        group->sum[i] += value;
        group->max[i] = num_max_double(group->max[i], value);
        group->is_exact[i] &=
            word != NULL && strcmp(word, word_name(WORD_EXACT)) == 0;
    }
    group->cpu_area +=
        run->cpu.mean_percent * run_field_number(fields[GROUP_WALL], run);
}

/* A sum that lacks a part would be too small, so it is unknown. */
static double
max_of(const struct group *group, int figure)
{
    return isfinite(group->sum[figure]) ? group->max[figure] : (double)NAN;
}

static const char *
group_word(const struct group *group, int figure)
{
    if (!isfinite(group->sum[figure]))
        return NULL;
    return word_name(group->is_exact[figure] ? WORD_EXACT : WORD_AT_LEAST);
}

static bool
is_of_group(const struct report *report, const struct run *run,
            const char *name)
{
    return is_same_text(run_field_text(report->group, run), name);
}

static void
add_group(struct report *report, const char *name)
{
    struct sheet *sheet = &report->sheets[REPORT_GROUPS];
    struct group group = {.is_exact = {true, true, true}};

    for (size_t i = 0; i < report->runs.count; i++)
        if (is_of_group(report, &report->runs.list[i], name))
            add_to_group(&group, &report->runs.list[i]);
    sheet_text(sheet, name);
    sheet_number(sheet, group.runs);
    sheet_number(sheet, max_of(&group, GROUP_WALL));
    sheet_number(sheet, group.sum[GROUP_WALL] / group.runs);
    sheet_number(sheet, group.sum[GROUP_CPU]);
    sheet_text(sheet, group_word(&group, GROUP_CPU));
    sheet_number(sheet, max_of(&group, GROUP_CPU));
    sheet_number(sheet, group.sum[GROUP_CPU] / group.runs);
    sheet_number(sheet, group.cpu_area / group.sum[GROUP_WALL]);
    sheet_number(sheet, group.sum[GROUP_PEAK]);
    sheet_number(sheet, max_of(&group, GROUP_PEAK));
    sheet_text(sheet, group_word(&group, GROUP_PEAK));
    sheet_number(sheet, group.sum[GROUP_PEAK] / group.runs);
}

/* Adds groups in the order of first runs. */
static void
add_groups(struct report *report)
{
    for (size_t i = 0; i < report->runs.count; i++) {
        const char *name = run_field_text(report->group, &report->runs.list[i]);
        size_t first = 0;

        while (!is_of_group(report, &report->runs.list[first], name))
            first++;
        if (first == i)
            add_group(report, name);
    }
}

void
report_add_regions(struct report *report, const struct run *run,
                   const struct region_stats *list, size_t count)
{
    struct sheet *sheet = &report->sheets[REPORT_REGIONS];

    for (size_t i = 0; i < count; i++) {
        const struct region_stats *one = &list[i];
        const int64_t times_ns[] = {one->total_ns, one->mean_ns, one->min_ns,
                                    one->p50_ns,   one->p95_ns,  one->max_ns,
                                    one->cpu_ns};
        bool has_peak = one->peak_rss_bytes != NUM_UNKNOWN;

        sheet_text(sheet, one->name);
        sheet_text(sheet, run != NULL ? run_name(run) : NULL);
        sheet_text(sheet, run != NULL ? run->command.rank : NULL);
        sheet_number(sheet, sheet_value(UNIT_COUNT, one->count));
        for (size_t j = 0; j < ARRAY_SIZE(times_ns); j++)
            sheet_number(sheet, sheet_value(UNIT_SECONDS, times_ns[j]));
        sheet_number(sheet, sheet_value(UNIT_BYTES, one->peak_rss_bytes));
        sheet_text(sheet, has_peak ? word_name(WORD_AT_LEAST) : NULL);
        sheet_text(sheet, run != NULL ? run->command.array_index : NULL);
    }
}

/* All for programs; people get the largest, of one run. */
static void
add_who(struct report *report)
{
    enum { MOST = 10 };
    struct sheet *commands = &report->sheets[REPORT_COMMANDS];
    const struct run_list *runs = &report->runs;
    bool is_one = runs->count == 1;

    for (size_t i = 0; i < runs->count && report->form == FORM_JSON; i++) {
        report_add_commands(commands, &runs->list[i], is_one, SIZE_MAX);
        report_add_at_peak(&report->sheets[REPORT_AT_PEAK], &runs->list[i],
                           is_one, SIZE_MAX);
    }
    if ((report->form == FORM_TEXT || report->form == FORM_MARKDOWN) &&
        is_one && run_has_commands(&runs->list[0]))
        report_add_commands(commands, &runs->list[0], true, MOST);
}

int
report_make_sheets(struct report *report, struct error *error)
{
    bool has_twin = has_twins(&report->runs);
    int rc = regions_summarize(&report->regions, NULL);

    if (rc == 0)
        rc = report_add_tags(report);
    if (rc == 0) {
        report_add_regions(report, NULL, report->regions.stats,
                           report->regions.count);
        for (size_t i = 0; i < report->runs.count; i++) {
            report->runs.list[i].has_twin = has_twin;
            sheet_run(&report->sheets[REPORT_RUNS], &report->runs.list[i]);
        }
        if (report->group != NULL)
            add_groups(report);
        add_who(report);
    }
    for (int i = 0; i < REPORT_SHEETS && rc == 0; i++) {
        struct sheet *sheet = &report->sheets[i];
        int column =
            report->sort != NULL ? sheet_find(sheet, report->sort) : -1;

        rc = sheet->failed ? -ENOMEM : 0;
        if (column >= 0 && rc == 0)
            rc = sheet_sort(sheet, (size_t)column);
    }
    return rc < 0 ? error_no_memory(error) : 0;
}
