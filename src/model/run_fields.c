/* SPDX-License-Identifier: MIT */
/*
 * The table of a run's scalars, in the order of the summary.  A new figure is
 * a member of struct run, a row here, and the line that fills it.
 */
#include "model/run_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"

static const char *const words[] = {
    [WORD_EXACT] = "exact",
    [WORD_BETWEEN] = "between",
    [WORD_AT_LEAST] = "at least",
    NULL,
};

static const char *const peak_sources[] = {
    [PEAK_SAMPLED] = "sampled",
    [PEAK_HIGH_WATER_MARK] = "high_water_mark",
    [PEAK_RUSAGE] = "rusage",
    NULL,
};

static const char *const reasons[] = {
    [REASON_RUNNING] = "running",
    [REASON_EXITED] = "exited",
    [REASON_SIGNALED] = "signaled",
    [REASON_NOT_FOUND] = "not_found",
    [REASON_NOT_EXECUTABLE] = "not_executable",
    [REASON_MAX_TIME] = "max_time",
    [REASON_MAX_RSS] = "max_rss",
    [REASON_MAX_CPU_TIME] = "max_cpu_time",
    [REASON_MIN_FREE] = "min_free",
    [REASON_DETACHED] = "detached",
    [REASON_LOST] = "lost",
    NULL,
};

static const char *const limit_sources[] = {
    [LIMIT_OF_HOST] = "host",
    [LIMIT_OF_CGROUP] = "cgroup",
    NULL,
};

static const char *const pressure_sources[] = {
    [PRESSURE_OF_HOST] = "host",
    [PRESSURE_OF_CGROUP] = "cgroup",
    NULL,
};

#define AT(member) .offset = offsetof(struct run, member)
#define WORD(member) .word = offsetof(struct run, member)
#define TEXT .type = FIELD_TEXT, .unit = UNIT_TEXT
#define BOOL .type = FIELD_INTEGER, .unit = UNIT_BOOL
#define COUNT .type = FIELD_INTEGER, .unit = UNIT_COUNT
#define BYTES .type = FIELD_INTEGER, .unit = UNIT_BYTES
#define SECONDS .type = FIELD_NS, .unit = UNIT_SECONDS
#define PERCENT .type = FIELD_PERCENT, .unit = UNIT_PERCENT
#define CORES .type = FIELD_PERCENT, .unit = UNIT_COUNT
#define CHOICE(names) .type = FIELD_CHOICE, .unit = UNIT_TEXT, .choices = names

/* clang-format off */
static const struct run_field fields[] = {
    {"command", "argv", .type = FIELD_TEXTS, .unit = UNIT_TEXT,
     AT(command.argv)},
    {"command", "cwd", TEXT, AT(command.cwd)},
    {"command", "step", TEXT, AT(command.step)},
    {"command", "rank", TEXT, AT(command.rank)},
    {"command", "tasks", COUNT, AT(command.tasks)},
    {"command", "job", TEXT, AT(command.job)},
    {"command", "array_index", TEXT, AT(command.array_index)},
    {"command", "job_step", TEXT, AT(command.job_step)},
    {"command", "pid", COUNT, AT(command.pid)},

    {"host", "name", TEXT, AT(host.name)},
    {"host", "kernel", TEXT, AT(host.kernel)},
    {"host", "cpu_model", TEXT, AT(host.cpu_model)},
    {"host", "cores", COUNT, AT(host.cores)},
    {"host", "mem_total_bytes", BYTES, AT(host.mem_total_bytes)},
    {"host", "mem_available_min_bytes", BYTES,
     AT(host.mem_available_min_bytes)},

    {"monitor", "pid", COUNT, AT(monitor.pid)},
    {"monitor", "start_ticks", COUNT, AT(monitor.start_ticks)},
    {"monitor", "pid_namespace", COUNT, AT(monitor.pid_namespace)},
    {"monitor", "boot_id", TEXT, AT(monitor.boot_id)},

    {"outcome", "reason", CHOICE(reasons), AT(outcome.reason)},
    {"outcome", "exit_status", COUNT, AT(outcome.exit_status)},
    {"outcome", "signal", COUNT, AT(outcome.signal)},
    {"outcome", "pmon_status", COUNT, AT(outcome.pmon_status)},
    {"outcome", "survivors", COUNT, AT(outcome.survivors)},

    {"time", "start_epoch_s", SECONDS, AT(time.start_epoch_ns)},
    {"time", "wall_s", SECONDS, AT(time.wall_ns), .name = "wall",
     .label = "time", .is_usual = true},
    {"time", "suspended_s", SECONDS, AT(time.suspended_ns)},

    {"cpu", "user_s", SECONDS, AT(cpu.user_ns)},
    {"cpu", "system_s", SECONDS, AT(cpu.system_ns)},
    {"cpu", "total_s", SECONDS, AT(cpu.total_ns), WORD(cpu.total_word),
     .name = "cpu", .label = "CPU time", .is_usual = true},
    {"cpu", "total_word", CHOICE(words), AT(cpu.total_word)},
    {"cpu", "mean_percent", PERCENT, AT(cpu.mean_percent),
     .name = "cpu_mean", .label = "mean CPU"},
    {"cpu", "max_percent", PERCENT, AT(cpu.max_percent), .name = "cpu_max",
     .label = "max CPU"},

    {"memory", "peak_rss_bytes", BYTES, AT(memory.peak_rss_bytes),
     WORD(memory.peak_rss_word), .name = "peak_rss", .label = "peak memory",
     .is_usual = true},
    {"memory", "peak_rss_upper_bytes", BYTES, AT(memory.peak_rss_upper_bytes),
     .name = "peak_rss_upper", .label = "upper bound of the peak"},
    {"memory", "peak_rss_word", CHOICE(words), AT(memory.peak_rss_word)},
    {"memory", "peak_rss_source", CHOICE(peak_sources),
     AT(memory.peak_rss_source)},
    {"memory", "peak_rss_elapsed_s", SECONDS, AT(memory.peak_rss_elapsed_ns)},
    {"memory", "peak_rss_processes", COUNT, AT(memory.peak_rss_processes)},
    {"memory", "peak_rss_shared_counted", BOOL,
     AT(memory.peak_rss_shared_counted)},
    {"memory", "peak_rss_without_copies_bytes", BYTES,
     AT(memory.peak_rss_without_copies_bytes)},
    {"memory", "sampled_peak_rss_bytes", BYTES,
     AT(memory.sampled_peak_rss_bytes)},
    {"memory", "largest_process_rss_bytes", BYTES,
     AT(memory.largest_process_rss_bytes)},
    {"memory", "peak_vms_bytes", BYTES, AT(memory.peak_vms_bytes),
     .name = "peak_vms", .label = "peak address space"},
    {"memory", "peak_pss_bytes", BYTES, AT(memory.peak_pss_bytes),
     WORD(memory.peak_pss_word), .name = "peak_pss", .label = "peak PSS",
     .is_usual = true},
    {"memory", "peak_pss_word", CHOICE(words), AT(memory.peak_pss_word)},
    {"memory", "peak_pss_anon_bytes", BYTES, AT(memory.peak_pss_anon_bytes)},
    {"memory", "peak_pss_file_bytes", BYTES, AT(memory.peak_pss_file_bytes)},
    {"memory", "peak_pss_shmem_bytes", BYTES, AT(memory.peak_pss_shmem_bytes)},
    {"memory", "peak_swap_bytes", BYTES, AT(memory.peak_swap_bytes),
     .name = "peak_swap", .label = "peak swap"},
    {"memory", "cgroup_peak_bytes", BYTES, AT(memory.cgroup_peak_bytes),
     WORD(memory.cgroup_peak_word),
     .name = "cgroup_peak", .label = "peak of the control group",
     .is_usual = true},
    {"memory", "cgroup_peak_word", CHOICE(words), AT(memory.cgroup_peak_word)},
    {"memory", "cgroup_note", TEXT, AT(memory.cgroup_note)},
    {"memory", "limit_bytes", BYTES, AT(memory.limit_bytes)},
    {"memory", "limit_source", CHOICE(limit_sources), AT(memory.limit_source)},
    {"memory", "oom_kills", COUNT, AT(memory.oom_kills)},

    {"processes", "seen", COUNT, AT(processes.seen), .name = "processes",
     .label = "processes"},
    {"processes", "max_alive", COUNT, AT(processes.max_alive),
     .name = "max_alive", .label = "processes at once"},
    {"processes", "max_threads", COUNT, AT(processes.max_threads),
     .name = "max_threads", .label = "threads at once"},

    {"io", "read_bytes", BYTES, AT(io.read_bytes), .name = "read_bytes",
     .label = "read", .is_usual = true},
    {"io", "write_bytes", BYTES, AT(io.write_bytes), .name = "write_bytes",
     .label = "written", .is_usual = true},
    {"io", "read_calls", COUNT, AT(io.read_calls), .name = "read_calls",
     .label = "read calls"},
    {"io", "write_calls", COUNT, AT(io.write_calls), .name = "write_calls",
     .label = "write calls"},
    {"io", "minor_faults", COUNT, AT(io.minor_faults), .name = "minor_faults",
     .label = "minor faults"},
    {"io", "major_faults", COUNT, AT(io.major_faults), .name = "major_faults",
     .label = "major faults"},
    {"io", "word", CHOICE(words), AT(io.word)},

    {"load", "cpus_allowed", CORES, AT(load.cpus_allowed)},
    {"load", "cpu_quota_cores", CORES, AT(load.cpu_quota_cores)},
    {"load", "throttled_s", SECONDS, AT(load.throttled_ns),
     .name = "throttled", .label = "time held back by the quota"},
    {"load", "throttled_periods", COUNT, AT(load.throttled_periods)},
    {"load", "pressure_cpu_s", SECONDS, AT(load.pressure_cpu_ns),
     .name = "pressure_cpu", .label = "CPU pressure"},
    {"load", "pressure_memory_s", SECONDS, AT(load.pressure_memory_ns),
     .name = "pressure_memory", .label = "memory pressure"},
    {"load", "pressure_io_s", SECONDS, AT(load.pressure_io_ns),
     .name = "pressure_io", .label = "I/O pressure"},
    {"load", "pressure_source", CHOICE(pressure_sources),
     AT(load.pressure_source)},
    {"load", "steal_s", SECONDS, AT(load.steal_ns),
     .name = "steal", .label = "time that the hypervisor took"},
    {"load", "voluntary_switches", COUNT, AT(load.voluntary_switches),
     .name = "voluntary_switches", .label = "voluntary switches"},
    {"load", "involuntary_switches", COUNT, AT(load.involuntary_switches),
     .name = "involuntary_switches", .label = "involuntary switches"},

    {"files", "log", TEXT, AT(files.log)},
    {"files", "log_format", TEXT, AT(files.log_format)},
    {"files", "processes", TEXT, AT(files.processes)},
    {"files", "profile", TEXT, AT(files.profile)},
    {"files", "plot", TEXT, AT(files.plot)},
    {"files", "regions", TEXT, AT(files.regions)},

    {"quality", "interval_s", SECONDS, AT(quality.interval_ns)},
    {"quality", "achieved_interval_s", SECONDS,
     AT(quality.achieved_interval_ns)},
    {"quality", "longest_gap_s", SECONDS, AT(quality.longest_gap_ns)},
    {"quality", "rows", COUNT, AT(quality.rows), .name = "rows",
     .label = "rows"},
    {"quality", "missed_ticks", COUNT, AT(quality.missed_ticks)},
    {"quality", "skipped_processes", COUNT, AT(quality.skipped_processes)},
    {"quality", "unsampled_processes", COUNT,
     AT(quality.unsampled_processes)},
    {"quality", "impossible_cpu_rows", COUNT,
     AT(quality.impossible_cpu_rows)},
    {"quality", "monitor_cpu_s", SECONDS, AT(quality.monitor_cpu_ns)},
    {"quality", "monitor_peak_rss_bytes", BYTES,
     AT(quality.monitor_peak_rss_bytes)},

    /* Known, but not in the summary. */
    {NULL, "file", TEXT, AT(file)},
    {NULL, "mean_rss_bytes", BYTES, AT(memory.mean_rss_bytes)},
    {NULL, "pss_unreadable", COUNT, AT(memory.pss_unreadable)},
};
/* clang-format on */

_Static_assert(ARRAY_SIZE(fields) <= RUN_FIELDS, "RUN_FIELDS is too small");

const struct run_field *
run_field_at(size_t index)
{
    return index < ARRAY_SIZE(fields) ? &fields[index] : NULL;
}

const struct run_field *
run_field_of(size_t offset)
{
    for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
        if (fields[i].offset == offset)
            return &fields[i];
    return NULL;
}

int
run_field_find(const char *name, size_t size)
{
    for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
        if (fields[i].name != NULL && strlen(fields[i].name) == size &&
            memcmp(fields[i].name, name, size) == 0)
            return (int)i;
    return -1;
}

void
run_field_names(struct strbuf *out)
{
    const char *before = "";

    for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
        if (fields[i].name == NULL)
            continue;
        strbuf_printf(out, "%s%s", before, fields[i].name);
        before = ", ";
    }
}

/* Where the field stands in a run. */
static const void *
place_of(const struct run_field *field, const struct run *run)
{
    return (const char *)run + field->offset;
}

static void *
writable_place_of(const struct run_field *field, struct run *run)
{
    return (char *)run + field->offset;
}

double
run_field_number(const struct run_field *field, const struct run *run)
{
    const void *place = place_of(field, run);
    int64_t value;

    if (field->type == FIELD_PERCENT)
        return *(const double *)place;
    if (field->type != FIELD_INTEGER && field->type != FIELD_NS)
        return (double)NAN;
    value = *(const int64_t *)place;
    if (value == NUM_UNKNOWN)
        return (double)NAN;
    return field->type == FIELD_NS ? num_seconds(value) : (double)value;
}

void
run_field_set_number(const struct run_field *field, struct run *run,
                     double number)
{
    void *place = writable_place_of(field, run);

    if (field->type == FIELD_PERCENT)
        *(double *)place =
            isfinite(number) && number >= 0 ? number : (double)NAN;
    else if (field->type == FIELD_NS)
        *(int64_t *)place = num_from_double(number * (double)NUM_NS_PER_S);
    else if (field->type == FIELD_INTEGER)
        *(int64_t *)place = num_from_double(number);
}

const char *
run_field_text(const struct run_field *field, const struct run *run)
{
    const void *place = place_of(field, run);

    if (field->type == FIELD_TEXT)
        return *(char *const *)place;
    if (field->type == FIELD_CHOICE)
        return field->choices[*(const int *)place];
    return NULL;
}

int
run_field_set_text(const struct run_field *field, struct run *run,
                   const char *text)
{
    void *place = writable_place_of(field, run);
    int choice = 1;

    if (field->type == FIELD_TEXT)
        return run_set_text(place, text);
    if (field->type != FIELD_CHOICE)
        return 0;
    while (text != NULL && field->choices[choice] != NULL &&
           strcmp(field->choices[choice], text) != 0)
        choice++;
    *(int *)place = text != NULL && field->choices[choice] != NULL ? choice : 0;
    return 0;
}

const char *
run_field_word(const struct run_field *field, const struct run *run)
{
    if (field->word == 0)
        return NULL;
    return words[*(const enum word *)(const void *)((const char *)run +
                                                    field->word)];
}

const char *
word_name(enum word word)
{
    return words[word];
}

const char *
peak_source_name(enum peak_source source)
{
    return peak_sources[source];
}

const char *
reason_name(enum reason reason)
{
    return reasons[reason];
}

const char *
run_fields_next_group(const char *group)
{
    const struct run_field *field;
    bool is_behind = group == NULL;

    for (size_t i = 0; (field = run_field_at(i)) != NULL; i++) {
        if (field->group == NULL)
            continue;
        if (is_behind && (group == NULL || strcmp(field->group, group) != 0))
            return field->group;
        is_behind |= group != NULL && strcmp(field->group, group) == 0;
    }
    return NULL;
}
