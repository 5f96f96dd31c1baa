/* SPDX-License-Identifier: MIT */
/* The report's rows of who used what: commands, and processes at the peak. */
#include "base/num.h"
#include "commands/report_state.h"

/* `python3 work.py`, or what a row without a command stands for. */
static const char *
name_of(const struct run_command_use *use)
{
    if (use->kind == COMMAND_UNSAMPLED)
        return "(between samples)";
    return use->command != NULL ? use->command : "(others)";
}

static void
add_run(struct sheet *sheet, const struct run *run, bool is_one)
{
    sheet_text(sheet, run_name(run));
    sheet_text(sheet, is_one ? NULL : run_name(run));
    sheet_text(sheet, run->command.rank);
}

static void
add_command(struct sheet *sheet, const struct run *run, bool is_one,
            const struct run_command_use *use)
{
    add_run(sheet, run, is_one);
    sheet_text(sheet, run_command_kind_name(use->kind));
    sheet_text(sheet, use->command);
    sheet_text(sheet, name_of(use));
    sheet_number(sheet, sheet_value(UNIT_COUNT, use->count));
    sheet_number(sheet, sheet_value(UNIT_SECONDS, use->cpu_ns));
    sheet_number(sheet, sheet_value(UNIT_BYTES, use->largest_rss_bytes));
    sheet_number(sheet, sheet_value(UNIT_BYTES, use->peak_rss_bytes));
    sheet_number(sheet, sheet_value(UNIT_SECONDS, use->first_ns));
    sheet_number(sheet, sheet_value(UNIT_SECONDS, use->last_ns));
}

static int64_t
sum_of(int64_t a, int64_t b)
{
    return a == NUM_UNKNOWN || b == NUM_UNKNOWN ? NUM_UNKNOWN : num_add(a, b);
}

/* Adds a row to the others, of which no sum of RSS is known. */
static void
merge(struct run_command_use *others, const struct run_command_use *use)
{
    others->count = sum_of(others->count, use->count);
    others->cpu_ns = sum_of(others->cpu_ns, use->cpu_ns);
    others->largest_rss_bytes =
        num_max(others->largest_rss_bytes, use->largest_rss_bytes);
    if (others->first_ns == NUM_UNKNOWN || others->first_ns > use->first_ns)
        others->first_ns = use->first_ns;
    others->last_ns = num_max(others->last_ns, use->last_ns);
}

/* How many commands there are; those beyond the table count as one. */
static size_t
named_of(const struct run_by_command *by_command)
{
    size_t count = 0;

    for (size_t i = 0; i < by_command->count; i++)
        count += by_command->list[i].kind != COMMAND_UNSAMPLED;
    return count;
}

void
report_add_commands(struct sheet *sheet, const struct run *run, bool is_one,
                    size_t most)
{
    const struct run_by_command *by_command = &run->by_command;
    struct run_command_use others = {.kind = COMMAND_OTHERS,
                                     .largest_rss_bytes = NUM_UNKNOWN,
                                     .peak_rss_bytes = NUM_UNKNOWN,
                                     .first_ns = NUM_UNKNOWN,
                                     .last_ns = NUM_UNKNOWN};

    /* One alone can be named in as many rows. */
    if (most < SIZE_MAX && named_of(by_command) == most + 1)
        most++;
    for (size_t i = 0; i < by_command->count; i++) {
        const struct run_command_use *use = &by_command->list[i];

        if (use->kind != COMMAND_UNSAMPLED &&
            (i >= most || use->kind == COMMAND_OTHERS))
            merge(&others, use);
        else if (use->kind == COMMAND_NAMED)
            add_command(sheet, run, is_one, use);
    }
    if (others.count != 0)
        add_command(sheet, run, is_one, &others);
    for (size_t i = 0; i < by_command->count; i++)
        if (by_command->list[i].kind == COMMAND_UNSAMPLED)
            add_command(sheet, run, is_one, &by_command->list[i]);
}

void
report_add_at_peak(struct sheet *sheet, const struct run *run, bool is_one,
                   size_t most)
{
    const struct run_at_peak *at_peak = &run->at_peak;

    for (size_t i = 0; i < at_peak->count && i < most; i++) {
        const struct run_process *process = &at_peak->list[i];

        add_run(sheet, run, is_one);
        sheet_number(sheet, sheet_value(UNIT_COUNT, process->pid));
        sheet_text(sheet, process->name);
        sheet_text(sheet, process->command);
        sheet_text(sheet,
                   process->command != NULL ? process->command : process->name);
        sheet_number(sheet, sheet_value(UNIT_BYTES, process->rss_bytes));
        sheet_number(sheet, sheet_value(UNIT_SECONDS, process->age_ns));
    }
}

bool
report_has_more_at_peak(const struct run *run)
{
    return num_add((int64_t)run->at_peak.count, run->at_peak.others) > 1;
}
