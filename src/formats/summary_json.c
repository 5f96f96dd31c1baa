/* SPDX-License-Identifier: MIT */
/*
 * The summary as JSON, through jansson.  Every key is always there; what is
 * not known is null; bytes that are no UTF-8 become U+FFFD.
 */
#include "formats/summary_json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/escape.h"
#include "base/num.h"
#include "config.h"
#include "measure/budgets.h"
#include "measure/metrics.h"
#include "measure/regions.h"

static json_t *
text_or_null(const char *text)
{
    STRBUF_AUTO buf = {0};

    if (text == NULL)
        return json_null();
    escape_utf8(&buf, text, strlen(text));
    return json_stringn(strbuf_text(&buf), buf.size);
}

static json_t *
integer_or_null(int64_t value)
{
    return value == NUM_UNKNOWN ? json_null() : json_integer(value);
}

static json_t *
seconds_or_null(int64_t ns)
{
    return ns == NUM_UNKNOWN ? json_null() : json_real(num_seconds(ns));
}

/* Percent is never negative but where it is unknown. */
static json_t *
percent_or_null(double percent)
{
    return percent < 0
               ? json_null()
               : json_real((double)(int64_t)(percent * 1000 + 0.5) / 1000);
}

static json_t *
command_json(const struct run_facts *facts)
{
    json_t *object = json_object();
    json_t *argv = facts->argv != NULL ? json_array() : json_null();

    for (char *const *arg = facts->argv; arg != NULL && *arg != NULL; arg++)
        json_array_append_new(argv, text_or_null(*arg));
    json_object_set_new(object, "argv", argv);
    json_object_set_new(object, "cwd", text_or_null(facts->cwd));
    json_object_set_new(object, "step", text_or_null(facts->step));
    json_object_set_new(object, "rank", text_or_null(facts->rank));
    json_object_set_new(object, "job", text_or_null(facts->job));
    json_object_set_new(object, "pid", integer_or_null(facts->pid));
    return object;
}

static const char *
known_text(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

static json_t *
host_json(const struct host *host)
{
    json_t *object = json_object();

    json_object_set_new(object, "name", text_or_null(known_text(host->name)));
    json_object_set_new(object, "kernel",
                        text_or_null(known_text(host->kernel)));
    json_object_set_new(object, "cpu_model",
                        text_or_null(known_text(host->cpu_model)));
    json_object_set_new(object, "cores", integer_or_null(host->cores));
    json_object_set_new(object, "mem_total_bytes",
                        integer_or_null(host->mem_total_bytes));
    json_object_set_new(object, "mem_available_min_bytes",
                        integer_or_null(host->mem_available_min_bytes));
    return object;
}

static json_t *
outcome_json(const struct summary_outcome *outcome)
{
    json_t *object = json_object();

    json_object_set_new(object, "reason",
                        json_string(metrics_reason(outcome->reason)));
    json_object_set_new(object, "exit_status",
                        integer_or_null(outcome->exit_status));
    json_object_set_new(object, "signal", integer_or_null(outcome->signal));
    json_object_set_new(object, "pmon_status",
                        integer_or_null(outcome->pmon_status));
    json_object_set_new(object, "survivors",
                        integer_or_null(outcome->survivors));
    return object;
}

static json_t *
time_json(const struct summary_time *time)
{
    json_t *object = json_object();

    json_object_set_new(object, "start_epoch_s",
                        seconds_or_null(time->start_epoch_ns));
    json_object_set_new(object, "wall_s", seconds_or_null(time->wall_ns));
    json_object_set_new(object, "suspended_s",
                        seconds_or_null(time->suspended_ns));
    return object;
}

static json_t *
cpu_json(const struct summary_cpu *cpu)
{
    json_t *object = json_object();

    json_object_set_new(object, "user_s", seconds_or_null(cpu->user_ns));
    json_object_set_new(object, "system_s", seconds_or_null(cpu->system_ns));
    json_object_set_new(object, "total_s", seconds_or_null(cpu->total_ns));
    json_object_set_new(object, "total_word",
                        cpu->total_ns == NUM_UNKNOWN
                            ? json_null()
                            : json_string(metrics_word(cpu->total_word)));
    json_object_set_new(object, "mean_percent",
                        percent_or_null(cpu->mean_percent));
    json_object_set_new(object, "max_percent",
                        percent_or_null(cpu->max_percent));
    return object;
}

static void
set_peak(json_t *object, const struct summary_memory *memory)
{
    bool known = memory->peak_rss_bytes != NUM_UNKNOWN;

    json_object_set_new(object, "peak_rss_bytes",
                        integer_or_null(memory->peak_rss_bytes));
    json_object_set_new(object, "peak_rss_upper_bytes",
                        integer_or_null(memory->peak_rss_upper_bytes));
    json_object_set_new(object, "peak_rss_word",
                        known ? json_string(metrics_word(memory->peak_rss_word))
                              : json_null());
    json_object_set_new(
        object, "peak_rss_source",
        known ? json_string(metrics_peak_source(memory->peak_rss_source))
              : json_null());
    json_object_set_new(object, "peak_rss_elapsed_s",
                        seconds_or_null(memory->peak_rss_elapsed_ns));
    json_object_set_new(object, "peak_rss_processes",
                        integer_or_null(memory->peak_rss_processes));
    json_object_set_new(object, "peak_rss_shared_counted",
                        known ? json_boolean(memory->peak_rss_shared_counted)
                              : json_null());
}

static json_t *
memory_json(const struct summary_memory *memory)
{
    json_t *object = json_object();
    bool has_limit = memory->limit_bytes != NUM_UNKNOWN;

    set_peak(object, memory);
    json_object_set_new(object, "peak_rss_without_copies_bytes",
                        integer_or_null(memory->peak_rss_without_copies_bytes));
    json_object_set_new(object, "sampled_peak_rss_bytes",
                        integer_or_null(memory->sampled_peak_rss_bytes));
    json_object_set_new(object, "largest_process_rss_bytes",
                        integer_or_null(memory->largest_process_rss_bytes));
    json_object_set_new(object, "peak_vms_bytes",
                        integer_or_null(memory->peak_vms_bytes));
    json_object_set_new(object, "peak_pss_bytes",
                        integer_or_null(memory->peak_pss.pss_bytes));
    json_object_set_new(object, "peak_pss_word",
                        memory->peak_pss.pss_bytes == NUM_UNKNOWN
                            ? json_null()
                            : json_string(metrics_word(memory->peak_pss_word)));
    json_object_set_new(object, "peak_pss_anon_bytes",
                        integer_or_null(memory->peak_pss.anon_bytes));
    json_object_set_new(object, "peak_pss_file_bytes",
                        integer_or_null(memory->peak_pss.file_bytes));
    json_object_set_new(object, "peak_pss_shmem_bytes",
                        integer_or_null(memory->peak_pss.shmem_bytes));
    json_object_set_new(object, "peak_swap_bytes",
                        integer_or_null(memory->peak_swap_bytes));
    json_object_set_new(object, "cgroup_peak_bytes",
                        integer_or_null(memory->cgroup_peak_bytes));
    json_object_set_new(object, "limit_bytes",
                        integer_or_null(memory->limit_bytes));
    json_object_set_new(
        object, "limit_source",
        has_limit ? json_string(memory->limit_is_of_cgroup ? "cgroup" : "host")
                  : json_null());
    json_object_set_new(object, "oom_kills",
                        integer_or_null(memory->oom_kills));
    return object;
}

static json_t *
processes_json(const struct summary_processes *processes)
{
    json_t *object = json_object();

    json_object_set_new(object, "seen", integer_or_null(processes->seen));
    json_object_set_new(object, "max_alive",
                        integer_or_null(processes->max_alive));
    json_object_set_new(object, "max_threads",
                        integer_or_null(processes->max_threads));
    return object;
}

static json_t *
at_peak_process_json(const struct at_peak_process *process)
{
    json_t *object = json_object();

    json_object_set_new(object, "pid", json_integer(process->pid));
    json_object_set_new(object, "name", text_or_null(process->name));
    json_object_set_new(object, "command",
                        text_or_null(known_text(process->command)));
    json_object_set_new(object, "rss_bytes", json_integer(process->rss_bytes));
    json_object_set_new(object, "age_s", seconds_or_null(process->age_ns));
    return object;
}

static json_t *
at_peak_json(const struct at_peak *at_peak)
{
    json_t *object = json_object();
    json_t *list = json_array();

    for (int i = 0; at_peak != NULL && i < at_peak->count; i++)
        json_array_append_new(list, at_peak_process_json(&at_peak->list[i]));
    json_object_set_new(object, "processes", list);
    json_object_set_new(
        object, "others",
        integer_or_null(at_peak != NULL ? at_peak->others : NUM_UNKNOWN));
    json_object_set_new(object, "others_rss_bytes",
                        integer_or_null(at_peak != NULL
                                            ? at_peak->others_rss_bytes
                                            : NUM_UNKNOWN));
    return object;
}

static json_t *
io_json(const struct summary_io *io)
{
    json_t *object = json_object();
    const int64_t *value = io->io.value;

    json_object_set_new(object, "read_bytes",
                        integer_or_null(value[PROC_IO_READ_BYTES]));
    json_object_set_new(object, "write_bytes",
                        integer_or_null(value[PROC_IO_WRITE_BYTES]));
    json_object_set_new(object, "read_calls",
                        integer_or_null(value[PROC_IO_READ_CALLS]));
    json_object_set_new(object, "write_calls",
                        integer_or_null(value[PROC_IO_WRITE_CALLS]));
    json_object_set_new(object, "minor_faults",
                        integer_or_null(io->minor_faults));
    json_object_set_new(object, "major_faults",
                        integer_or_null(io->major_faults));
    return object;
}

static json_t *
region_json(const struct region_stats *stats)
{
    json_t *object = json_object();

    json_object_set_new(object, "name", text_or_null(stats->name));
    json_object_set_new(object, "count", json_integer(stats->count));
    json_object_set_new(object, "total_s", seconds_or_null(stats->total_ns));
    json_object_set_new(object, "mean_s", seconds_or_null(stats->mean_ns));
    json_object_set_new(object, "min_s", seconds_or_null(stats->min_ns));
    json_object_set_new(object, "max_s", seconds_or_null(stats->max_ns));
    json_object_set_new(object, "p50_s", seconds_or_null(stats->p50_ns));
    json_object_set_new(object, "p95_s", seconds_or_null(stats->p95_ns));
    json_object_set_new(object, "cpu_s", seconds_or_null(stats->cpu_ns));
    json_object_set_new(object, "peak_rss_bytes",
                        integer_or_null(stats->peak_rss_bytes));
    json_object_set_new(object, "peak_rss_word",
                        stats->peak_rss_bytes == NUM_UNKNOWN
                            ? json_null()
                            : json_string(metrics_word(WORD_AT_LEAST)));
    json_object_set_new(object, "unended", json_integer(stats->unended));
    return object;
}

static json_t *
regions_json(const struct regions *regions)
{
    json_t *list = json_array();

    for (size_t i = 0; regions != NULL && i < regions->count; i++)
        json_array_append_new(list, region_json(&regions->stats[i]));
    return list;
}

static json_t *
budget_json(const struct budget *budget, enum budget_kind kind)
{
    json_t *object = json_object();
    bool is_size = kind == BUDGET_RSS;

    json_object_set_new(object, "name", json_string(metrics_budget(kind)));
    json_object_set_new(object, "limit",
                        is_size ? integer_or_null(budget->limit)
                                : seconds_or_null(budget->limit));
    json_object_set_new(object, "value",
                        is_size ? integer_or_null(budget->value)
                                : seconds_or_null(budget->value));
    json_object_set_new(object, "passed",
                        json_boolean(budgets_is_kept(budget)));
    json_object_set_new(
        object, "action",
        json_string(budget->action == BUDGET_STOP ? "stop" : "fail"));
    return object;
}

static json_t *
budgets_json(const struct budgets *budgets)
{
    json_t *list = json_array();

    for (int i = 0; budgets != NULL && i < BUDGET_KINDS; i++)
        if (budgets_is_set(&budgets->list[i]))
            json_array_append_new(
                list, budget_json(&budgets->list[i], (enum budget_kind)i));
    return list;
}

static json_t *
files_json(const struct run_facts *facts)
{
    json_t *object = json_object();

    json_object_set_new(object, "log", text_or_null(facts->log));
    json_object_set_new(object, "log_format", text_or_null(facts->log_format));
    json_object_set_new(object, "profile", text_or_null(facts->profile));
    json_object_set_new(object, "plot", text_or_null(facts->plot));
    json_object_set_new(object, "regions", text_or_null(facts->regions));
    return object;
}

static json_t *
quality_json(const struct summary_quality *quality)
{
    json_t *object = json_object();

    json_object_set_new(object, "interval_s",
                        seconds_or_null(quality->interval_ns));
    json_object_set_new(object, "achieved_interval_s",
                        seconds_or_null(quality->achieved_interval_ns));
    json_object_set_new(object, "longest_gap_s",
                        seconds_or_null(quality->longest_gap_ns));
    json_object_set_new(object, "rows", integer_or_null(quality->rows));
    json_object_set_new(object, "missed_ticks",
                        integer_or_null(quality->missed_ticks));
    json_object_set_new(object, "skipped_processes",
                        integer_or_null(quality->skipped_processes));
    json_object_set_new(object, "unsampled_processes",
                        integer_or_null(quality->unsampled_processes));
    json_object_set_new(object, "impossible_cpu_rows",
                        integer_or_null(quality->impossible_cpu_rows));
    json_object_set_new(object, "monitor_cpu_s",
                        seconds_or_null(quality->monitor_cpu_ns));
    json_object_set_new(object, "monitor_peak_rss_bytes",
                        integer_or_null(quality->monitor_peak_rss_bytes));
    return object;
}

static json_t *
series_json(const struct series *series)
{
    json_t *object = json_object();
    json_t *elapsed = json_array();
    json_t *cpu = json_array();
    json_t *rss = json_array();

    for (size_t i = 0; series != NULL && i < series->count; i++) {
        const struct series_slot *slot = &series->slots[i];

        if (slot->elapsed_ns == NUM_UNKNOWN)
            continue;
        json_array_append_new(elapsed, seconds_or_null(slot->elapsed_ns));
        json_array_append_new(cpu, percent_or_null(slot->cpu_percent));
        json_array_append_new(rss, json_integer(slot->rss_bytes));
    }
    json_object_set_new(object, "elapsed_s", elapsed);
    json_object_set_new(object, "cpu_percent", cpu);
    json_object_set_new(object, "rss_bytes", rss);
    return object;
}

int
summary_json_append(struct strbuf *out, const struct summary *summary,
                    const struct host *host, const struct run_facts *facts)
{
    enum { SCHEMA = 1 };
    json_t *root = json_object();
    char *text;

    json_object_set_new(root, "schema", json_integer(SCHEMA));
    json_object_set_new(root, "pmon", json_string(PACKAGE_VERSION));
    json_object_set_new(root, "command", command_json(facts));
    json_object_set_new(root, "host", host_json(host));
    json_object_set_new(root, "outcome", outcome_json(&summary->outcome));
    json_object_set_new(root, "time", time_json(&summary->time));
    json_object_set_new(root, "cpu", cpu_json(&summary->cpu));
    json_object_set_new(root, "memory", memory_json(&summary->memory));
    json_object_set_new(root, "processes", processes_json(&summary->processes));
    json_object_set_new(root, "at_peak", at_peak_json(summary->at_peak));
    json_object_set_new(root, "io", io_json(&summary->io));
    json_object_set_new(root, "regions", regions_json(summary->regions));
    json_object_set_new(root, "budgets", budgets_json(summary->budgets));
    json_object_set_new(root, "files", files_json(facts));
    json_object_set_new(root, "quality", quality_json(&summary->quality));
    json_object_set_new(root, "series", series_json(summary->series));

    text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(16));
    json_decref(root);
    if (text == NULL)
        return -ENOMEM;
    strbuf_puts(out, text);
    strbuf_putc(out, '\n');
    free(text);
    return out->failed ? -ENOMEM : 0;
}
