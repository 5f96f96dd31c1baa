/* SPDX-License-Identifier: MIT */
/* Updates struct run, and writes its summary. */
#include "formats/summary.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#include "base/array.h"
#include "base/num.h"
#include "base/replace.h"
#include "host/command_name.h"
#include "record/recorder_state.h"

static const int64_t summary_every_ns = 60 * NUM_NS_PER_S;

/* The difference of two counts, each of which may be unknown. */
static int64_t
grown(int64_t now, int64_t before)
{
    return now == NUM_UNKNOWN || before == NUM_UNKNOWN ? NUM_UNKNOWN
                                                       : now - before;
}

/* For a run shorter than a second only a summary shows the load. */
static bool
is_load_shown(const struct recorder *recorder)
{
    return recorder->outputs.summary_path != NULL ||
           (!recorder->options.is_quiet &&
            recorder->run.time.wall_ns >= NUM_NS_PER_S);
}

/* Takes the growth since the start; reads it only if it is shown. */
static void
fill_load(struct recorder *recorder)
{
    const struct load *place_load = &recorder->load;
    const struct load_counters *start = &place_load->start;
    struct run_load *load = &recorder->run.load;
    struct load_counters now;

    if (!place_load->is_known || !is_load_shown(recorder))
        return;
    load_read(place_load, &now);
    /* Without a summary nothing else fills these. */
    recorder->run.host.cores = recorder->host.cores;
    load->cpus_allowed = place_load->cpus_allowed;
    load->cpu_quota_cores = place_load->quota_cores;
    load->throttled_ns = grown(now.throttled_ns, start->throttled_ns);
    load->throttled_periods =
        grown(now.throttled_periods, start->throttled_periods);
    load->pressure_cpu_ns = grown(now.pressure_ns[LOAD_PRESSURE_CPU],
                                  start->pressure_ns[LOAD_PRESSURE_CPU]);
    load->pressure_memory_ns = grown(now.pressure_ns[LOAD_PRESSURE_MEMORY],
                                     start->pressure_ns[LOAD_PRESSURE_MEMORY]);
    load->pressure_io_ns = grown(now.pressure_ns[LOAD_PRESSURE_IO],
                                 start->pressure_ns[LOAD_PRESSURE_IO]);
    load->steal_ns = grown(now.steal_ns, start->steal_ns);
    load->pressure_source = place_load->pressure != NULL ? PRESSURE_OF_CGROUP
                            : load->pressure_cpu_ns != NUM_UNKNOWN ||
                                    load->pressure_memory_ns != NUM_UNKNOWN ||
                                    load->pressure_io_ns != NUM_UNKNOWN
                                ? PRESSURE_OF_HOST
                                : PRESSURE_SOURCE_UNKNOWN;
}

/* Whether the groups of an attached process were removed meanwhile. */
static bool
has_lost_place(const struct recorder *recorder)
{
    return recorder->options.attach_pid != 0 &&
           !cgroup_place_exists(&recorder->place);
}

/*
 * Limits and OOM kills of the place, and figures of the step's own group.  If
 * the groups of an attached process cannot be read, they are unknown; if they
 * were removed, the limit is that of the start.
 */
void
recorder_fill_place(struct recorder *recorder)
{
    struct run_memory *memory = &recorder->run.memory;
    bool is_known = recorder->options.attach_pid == 0 ||
                    recorder->place.unified != NULL ||
                    recorder->place.memory != NULL;

    memory->oom_kills =
        grown(cgroup_oom_kills(&recorder->place), recorder->oom_kills);
    if (has_lost_place(recorder))
        memory->oom_kills = NUM_UNKNOWN;
    recorder_exact_fill(recorder);
    fill_load(recorder);
    /* Not needed, so the end of the step does not wait for it. */
    if (!is_known ||
        (recorder->outputs.summary_path == NULL &&
         recorder->outputs.plot_path == NULL && memory->oom_kills <= 0))
        return;
    memory->limit_bytes = cgroup_memory_limit(&recorder->place);
    if (has_lost_place(recorder))
        memory->limit_bytes = recorder->limit_bytes;
    memory->limit_source = LIMIT_OF_CGROUP;
    if (memory->limit_bytes != NUM_UNKNOWN &&
        (recorder->host.mem_total_bytes == NUM_UNKNOWN ||
         memory->limit_bytes < recorder->host.mem_total_bytes))
        return;
    memory->limit_bytes = recorder->host.mem_total_bytes;
    memory->limit_source = memory->limit_bytes != NUM_UNKNOWN
                               ? LIMIT_OF_HOST
                               : LIMIT_SOURCE_UNKNOWN;
}

void
recorder_fill_run(struct recorder *recorder)
{
    struct moment now = recorder_now(recorder);
    struct rusage usage;

    if (recorder->phase == PHASE_DONE)
        now = recorder->measure.last;
    recorder->run.time.start_epoch_ns = recorder->start_epoch_ns;
    if (measure_summarize(&recorder->measure, &now, &recorder->run) < 0)
        recorder_say(recorder, "out of memory: the summary is incomplete");
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        recorder->run.quality.monitor_cpu_ns =
            num_timeval(&usage.ru_utime) + num_timeval(&usage.ru_stime);
    recorder_fill_place(recorder);
    if (recorder->outputs.summary_path == NULL && !recorder->options.is_verbose)
        return;
    recorder->run.quality.monitor_peak_rss_bytes = host_own_high_water_mark();
    host_watch_memory(&recorder->host);
}

/* The texts of the host are copied at each writing: they may have changed. */
static int
fill_host(struct run_host *ret_host, const struct host *host, bool is_named)
{
    const struct {
        char **where;
        const char *text; /* empty: unknown */
    } texts[] = {{&ret_host->name, is_named ? host->name : ""},
                 {&ret_host->kernel, host->kernel},
                 {&ret_host->cpu_model, host->cpu_model}};

    ret_host->cores = host->cores;
    ret_host->mem_total_bytes = host->mem_total_bytes;
    ret_host->mem_available_min_bytes = host->mem_available_min_bytes;
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        if (run_set_text(texts[i].where,
                         texts[i].text[0] != '\0' ? texts[i].text : NULL) < 0)
            return -ENOMEM;
    return 0;
}

/* Identifies the pmon that writes the summary, to recognise a lost run. */
static int
fill_monitor(struct recorder *recorder)
{
    struct run_monitor *ret_monitor = &recorder->run.monitor;
    const char *boot_id = recorder->monitor.boot_id;

    if (recorder->monitor.pid == 0)
        monitor_init(&recorder->monitor);
    ret_monitor->pid = recorder->monitor.pid;
    ret_monitor->start_ticks = recorder->monitor.start_ticks;
    ret_monitor->pid_namespace = recorder->monitor.pid_namespace;
    return run_set_text(&ret_monitor->boot_id,
                        boot_id[0] != '\0' ? boot_id : NULL);
}

/* Takes the command, the host, this pmon, and the names of the files. */
static int
fill_facts(struct recorder *recorder)
{
    static const char *const formats[] = {
        [LOG_PLAIN] = "plain", [LOG_CSV] = "csv", [LOG_JSONL] = "jsonl"};
    struct run *run = &recorder->run;
    char *const *argv = recorder->options.argv;
    char *shown[3];
    const char *log = recorder->outputs.log.path;
    const struct {
        char **where;
        const char *text;
    } texts[] = {
        {&run->command.cwd, recorder->options.no_host ? NULL : recorder->cwd},
        {&run->command.step, recorder->names.step},
        {&run->files.log, log},
        {&run->files.log_format,
         log != NULL ? formats[recorder->options.log_format] : NULL},
        {&run->files.processes, recorder->outputs.processes.path},
        {&run->files.profile, recorder->outputs.profile_path},
        {&run->files.plot, recorder->outputs.plot_path},
        {&run->files.regions, recorder->regions.name},
        {&run->memory.cgroup_note,
         recorder->exact.note[0] != '\0' ? recorder->exact.note : NULL},
    };

    run->command.pid = recorder->root > 0 ? recorder->root : NUM_UNKNOWN;
    /* Other arguments may be secrets, and summaries are often public. */
    if (argv != NULL && !recorder->options.full_commands) {
        command_arguments(argv, shown);
        argv = shown;
    }
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        if (run_set_text(texts[i].where, texts[i].text) < 0)
            return -ENOMEM;
    if (run_set_texts(&run->command.argv, argv) < 0 ||
        fill_monitor(recorder) < 0)
        return -ENOMEM;
    return fill_host(&run->host, &recorder->host, !recorder->options.no_host);
}

/* 0, or negative with error; reports the same failure only once. */
static int
write_summary(struct recorder *recorder, struct error *error)
{
    STRBUF_AUTO text = {0};
    int rc;

    if (recorder->outputs.summary_path == NULL)
        return 0;
    rc = fill_facts(recorder);
    if (rc == 0)
        rc = summary_write(&text, &recorder->run);
    if (rc == 0)
        rc = outputs_write_summary(&recorder->outputs, strbuf_text(&text),
                                   text.size, error);
    else
        error_set(error, rc, "%s: out of memory",
                  recorder->outputs.summary_path);
    return rc;
}

void
recorder_write_final(struct recorder *recorder)
{
    struct error error = {0};

    if (write_summary(recorder, &error) < 0)
        recorder_say(recorder, "%s", error.text);
}

void
recorder_write_first_summary(struct recorder *recorder)
{
    struct error error = {0};

    if (!outputs_replaces_summary(&recorder->outputs))
        return;
    replace_remove_stale(AT_FDCWD, recorder->outputs.summary_path);
    recorder->run.time =
        (struct run_time){.start_epoch_ns = recorder->start_epoch_ns,
                          .wall_ns = 0,
                          .suspended_ns = 0};
    recorder->run.quality.interval_ns = recorder->options.interval_ns;
    if (write_summary(recorder, &error) == 0)
        return;
    recorder_say(recorder, "%s%s", error.text,
                 outputs_remove_summary(&recorder->outputs)
                     ? "; the older summary was removed"
                     : "");
}

void
recorder_write_summary(struct recorder *recorder)
{
    recorder->summary_at_ns = recorder_monotonic(recorder) + summary_every_ns;
    if (!outputs_replaces_summary(&recorder->outputs))
        return;
    recorder_fill_run(recorder);
    recorder_write_final(recorder);
}
