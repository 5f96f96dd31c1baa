/* SPDX-License-Identifier: MIT */
/*
 * The summary as JSON, through jansson.  Every key is always there; what is
 * not known is null; bytes that are no UTF-8 become U+FFFD.
 */
#include "formats/summary_json.h"

#include <jansson.h>

#include "base/json_build.h"
#include "base/num.h"
#include "config.h"
#include "engine/metrics.h"
#include "formats/summary_values.h"

static json_t *
command_json(const struct run_facts *facts)
{
    json_t *object = json_object();
    json_t *argv = facts->argv != NULL ? json_array() : json_null();

    for (char *const *arg = facts->argv; arg != NULL && *arg != NULL; arg++)
        json_build_add(&argv, summary_text(*arg));
    json_build_put(&object, "argv", argv);
    json_build_put(&object, "cwd", summary_text(facts->cwd));
    json_build_put(&object, "step", summary_text(facts->step));
    json_build_put(&object, "rank", summary_text(facts->rank));
    json_build_put(&object, "job", summary_text(facts->job));
    json_build_put(&object, "pid", summary_integer(facts->pid));
    return object;
}

static json_t *
host_json(const struct host *host)
{
    json_t *object = json_object();

    json_build_put(&object, "name", summary_text(summary_known(host->name)));
    json_build_put(&object, "kernel",
                   summary_text(summary_known(host->kernel)));
    json_build_put(&object, "cpu_model",
                   summary_text(summary_known(host->cpu_model)));
    json_build_put(&object, "cores", summary_integer(host->cores));
    json_build_put(&object, "mem_total_bytes",
                   summary_integer(host->mem_total_bytes));
    json_build_put(&object, "mem_available_min_bytes",
                   summary_integer(host->mem_available_min_bytes));
    return object;
}

static json_t *
monitor_json(const struct monitor *monitor)
{
    json_t *object = json_object();

    json_build_put(&object, "pid", summary_integer(monitor->pid));
    json_build_put(&object, "start_ticks",
                   summary_integer(monitor->start_ticks));
    json_build_put(&object, "pid_namespace",
                   summary_integer(monitor->pid_namespace));
    json_build_put(&object, "boot_id",
                   summary_text(summary_known(monitor->boot_id)));
    return object;
}

static json_t *
outcome_json(const struct summary_outcome *outcome)
{
    json_t *object = json_object();

    json_build_put(&object, "reason",
                   json_string(metrics_reason(outcome->reason)));
    json_build_put(&object, "exit_status",
                   summary_integer(outcome->exit_status));
    json_build_put(&object, "signal", summary_integer(outcome->signal));
    json_build_put(&object, "pmon_status",
                   summary_integer(outcome->pmon_status));
    json_build_put(&object, "survivors", summary_integer(outcome->survivors));
    return object;
}

static json_t *
time_json(const struct summary_time *time)
{
    json_t *object = json_object();

    json_build_put(&object, "start_epoch_s",
                   summary_seconds(time->start_epoch_ns));
    json_build_put(&object, "wall_s", summary_seconds(time->wall_ns));
    json_build_put(&object, "suspended_s", summary_seconds(time->suspended_ns));
    return object;
}

static json_t *
cpu_json(const struct summary_cpu *cpu)
{
    json_t *object = json_object();

    json_build_put(&object, "user_s", summary_seconds(cpu->user_ns));
    json_build_put(&object, "system_s", summary_seconds(cpu->system_ns));
    json_build_put(&object, "total_s", summary_seconds(cpu->total_ns));
    json_build_put(&object, "total_word",
                   cpu->total_ns == NUM_UNKNOWN
                       ? json_null()
                       : json_string(metrics_word(cpu->total_word)));
    json_build_put(&object, "mean_percent", summary_percent(cpu->mean_percent));
    json_build_put(&object, "max_percent", summary_percent(cpu->max_percent));
    return object;
}

static void
set_peak(json_t **object, const struct summary_memory *memory)
{
    bool known = memory->peak_rss_bytes != NUM_UNKNOWN;

    json_build_put(object, "peak_rss_bytes",
                   summary_integer(memory->peak_rss_bytes));
    json_build_put(object, "peak_rss_upper_bytes",
                   summary_integer(memory->peak_rss_upper_bytes));
    json_build_put(object, "peak_rss_word",
                   known ? json_string(metrics_word(memory->peak_rss_word))
                         : json_null());
    json_build_put(
        object, "peak_rss_source",
        known ? json_string(metrics_peak_source(memory->peak_rss_source))
              : json_null());
    json_build_put(object, "peak_rss_elapsed_s",
                   summary_seconds(memory->peak_rss_elapsed_ns));
    json_build_put(object, "peak_rss_processes",
                   summary_integer(memory->peak_rss_processes));
    json_build_put(object, "peak_rss_shared_counted",
                   known ? json_boolean(memory->peak_rss_shared_counted)
                         : json_null());
}

static json_t *
memory_json(const struct summary_memory *memory)
{
    json_t *object = json_object();
    bool has_limit = memory->limit_bytes != NUM_UNKNOWN;

    set_peak(&object, memory);
    json_build_put(&object, "peak_rss_without_copies_bytes",
                   summary_integer(memory->peak_rss_without_copies_bytes));
    json_build_put(&object, "sampled_peak_rss_bytes",
                   summary_integer(memory->sampled_peak_rss_bytes));
    json_build_put(&object, "largest_process_rss_bytes",
                   summary_integer(memory->largest_process_rss_bytes));
    json_build_put(&object, "peak_vms_bytes",
                   summary_integer(memory->peak_vms_bytes));
    json_build_put(&object, "peak_pss_bytes",
                   summary_integer(memory->peak_pss.pss_bytes));
    json_build_put(&object, "peak_pss_word",
                   memory->peak_pss.pss_bytes == NUM_UNKNOWN
                       ? json_null()
                       : json_string(metrics_word(memory->peak_pss_word)));
    json_build_put(&object, "peak_pss_anon_bytes",
                   summary_integer(memory->peak_pss.anon_bytes));
    json_build_put(&object, "peak_pss_file_bytes",
                   summary_integer(memory->peak_pss.file_bytes));
    json_build_put(&object, "peak_pss_shmem_bytes",
                   summary_integer(memory->peak_pss.shmem_bytes));
    json_build_put(&object, "peak_swap_bytes",
                   summary_integer(memory->peak_swap_bytes));
    json_build_put(&object, "cgroup_peak_bytes",
                   summary_integer(memory->cgroup_peak_bytes));
    json_build_put(&object, "cgroup_peak_word",
                   memory->cgroup_peak_bytes == NUM_UNKNOWN
                       ? json_null()
                       : json_string(metrics_word(memory->cgroup_peak_word)));
    json_build_put(&object, "cgroup_note", summary_text(memory->cgroup_note));
    json_build_put(&object, "limit_bytes",
                   summary_integer(memory->limit_bytes));
    json_build_put(
        &object, "limit_source",
        has_limit ? json_string(memory->limit_is_of_cgroup ? "cgroup" : "host")
                  : json_null());
    json_build_put(&object, "oom_kills", summary_integer(memory->oom_kills));
    return object;
}

static json_t *
processes_json(const struct summary_processes *processes)
{
    json_t *object = json_object();

    json_build_put(&object, "seen", summary_integer(processes->seen));
    json_build_put(&object, "max_alive", summary_integer(processes->max_alive));
    json_build_put(&object, "max_threads",
                   summary_integer(processes->max_threads));
    return object;
}

static json_t *
io_json(const struct summary_io *io)
{
    json_t *object = json_object();
    const int64_t *value = io->io.value;
    bool is_known = value[0] != NUM_UNKNOWN || io->minor_faults != NUM_UNKNOWN;

    json_build_put(&object, "read_bytes",
                   summary_integer(value[PROC_IO_READ_BYTES]));
    json_build_put(&object, "write_bytes",
                   summary_integer(value[PROC_IO_WRITE_BYTES]));
    json_build_put(&object, "read_calls",
                   summary_integer(value[PROC_IO_READ_CALLS]));
    json_build_put(&object, "write_calls",
                   summary_integer(value[PROC_IO_WRITE_CALLS]));
    json_build_put(&object, "minor_faults", summary_integer(io->minor_faults));
    json_build_put(&object, "major_faults", summary_integer(io->major_faults));
    json_build_put(&object, "word",
                   is_known ? json_string(metrics_word(io->word))
                            : json_null());
    return object;
}

static json_t *
files_json(const struct run_facts *facts)
{
    json_t *object = json_object();

    json_build_put(&object, "log", summary_text(facts->log));
    json_build_put(&object, "log_format", summary_text(facts->log_format));
    json_build_put(&object, "profile", summary_text(facts->profile));
    json_build_put(&object, "plot", summary_text(facts->plot));
    json_build_put(&object, "regions", summary_text(facts->regions));
    return object;
}

static json_t *
quality_json(const struct summary_quality *quality)
{
    json_t *object = json_object();

    json_build_put(&object, "interval_s",
                   summary_seconds(quality->interval_ns));
    json_build_put(&object, "achieved_interval_s",
                   summary_seconds(quality->achieved_interval_ns));
    json_build_put(&object, "longest_gap_s",
                   summary_seconds(quality->longest_gap_ns));
    json_build_put(&object, "rows", summary_integer(quality->rows));
    json_build_put(&object, "missed_ticks",
                   summary_integer(quality->missed_ticks));
    json_build_put(&object, "skipped_processes",
                   summary_integer(quality->skipped_processes));
    json_build_put(&object, "unsampled_processes",
                   summary_integer(quality->unsampled_processes));
    json_build_put(&object, "impossible_cpu_rows",
                   summary_integer(quality->impossible_cpu_rows));
    json_build_put(&object, "monitor_cpu_s",
                   summary_seconds(quality->monitor_cpu_ns));
    json_build_put(&object, "monitor_peak_rss_bytes",
                   summary_integer(quality->monitor_peak_rss_bytes));
    return object;
}

int
summary_json_append(struct strbuf *out, const struct summary *summary,
                    const struct host *host, const struct run_facts *facts)
{
    enum { SCHEMA = 1 };
    json_t *root = json_object();

    json_build_put(&root, "schema", json_integer(SCHEMA));
    json_build_put(&root, "pmon", json_string(PACKAGE_VERSION));
    json_build_put(&root, "command", command_json(facts));
    json_build_put(&root, "host", host_json(host));
    json_build_put(&root, "monitor", monitor_json(&facts->monitor));
    json_build_put(&root, "outcome", outcome_json(&summary->outcome));
    json_build_put(&root, "time", time_json(&summary->time));
    json_build_put(&root, "cpu", cpu_json(&summary->cpu));
    json_build_put(&root, "memory", memory_json(&summary->memory));
    json_build_put(&root, "processes", processes_json(&summary->processes));
    json_build_put(&root, "at_peak", summary_at_peak(summary->at_peak));
    json_build_put(&root, "io", io_json(&summary->io));
    json_build_put(&root, "regions", summary_regions(summary->regions));
    json_build_put(&root, "budgets", summary_budgets(summary->budgets));
    json_build_put(&root, "files", files_json(facts));
    json_build_put(&root, "quality", quality_json(&summary->quality));
    json_build_put(&root, "series", summary_series(summary->series));

    return json_build_print(root, JSON_INDENT(1) | JSON_REAL_PRECISION(16),
                            out);
}
