/* SPDX-License-Identifier: MIT */
/* The figures of a run at its end, with the words that say how exact. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "engine/measure.h"

/* Two clocks are read one after the other; less than this is no suspend. */
static const int64_t least_suspend_ns = 10 * NUM_NS_PER_MS;

/* CPU time in the group that no process waited for: one has escaped. */
static bool
group_knows_more(const struct measure *measure)
{
    return measure->outside.total_ns != NUM_UNKNOWN &&
           measure->outside.total_ns >
               measure->sampler.last_cpu_ns + 5 * NUM_NS_PER_MS;
}

/* A group that the step has left knows less than wait4 and the clocks. */
static bool
group_knows_all(const struct measure *measure)
{
    return measure->outside.total_ns != NUM_UNKNOWN &&
           measure->outside.total_ns + 2 * NUM_NS_PER_MS >=
               measure->sampler.last_cpu_ns;
}

bool
measure_has_left_cgroup(const struct measure *measure)
{
    return measure->outside.total_ns != NUM_UNKNOWN &&
           !group_knows_all(measure);
}

static bool
is_complete(const struct measure *measure)
{
    return measure->root_reaped && !measure->options.root_only &&
           !measure->options.misses_orphans && measure->root.has_stat &&
           measure->root.stat.cminflt == 0 && measure->root.stat.cmajflt == 0 &&
           !measure->adopted && !measure->sigchld_ignored &&
           !group_knows_more(measure) && measure->sampler.tree.seen == 1;
}

/* User and system time, where they add up to the total. */
static void
summarize_split(const struct measure *measure, struct run_cpu *cpu)
{
    cpu->user_ns = NUM_UNKNOWN;
    cpu->system_ns = NUM_UNKNOWN;
    if (cpu->total_word != WORD_EXACT)
        return;
    if (group_knows_all(measure)) {
        cpu->user_ns = measure->outside.user_ns;
        cpu->system_ns = measure->outside.system_ns;
        return;
    }
    cpu->user_ns = num_timeval(&measure->reaped.ru_utime);
    cpu->system_ns = num_timeval(&measure->reaped.ru_stime);
}

/* Whether wait4 has reported all ended processes, and none is left. */
static bool
all_were_waited_for(const struct measure *measure, const struct run *run)
{
    return measure->root_reaped && !measure->options.root_only &&
           !measure->options.misses_orphans && run->outcome.survivors <= 0 &&
           !measure->sampler.unwaited && !measure->sigchld_ignored &&
           measure->root.has_stat;
}

static void
summarize_cpu(const struct measure *measure, const struct run *run,
              struct run_cpu *cpu)
{
    const struct measure_options *options = &measure->options;
    const struct sampler *sampler = &measure->sampler;
    int64_t base_ns = options->attached ? measure->base_cpu_ns : 0;
    int64_t span_ns =
        num_max(run->time.wall_ns,
                measure->used_until_ns - measure->start.monotonic_ns);

    cpu->total_ns = measure_cpu_ns(measure, sampler->last_cpu_ns) - base_ns;
    cpu->total_word = WORD_AT_LEAST;
    if (all_were_waited_for(measure, run) ||
        (measure->root_reaped && !options->root_only &&
         run->outcome.survivors <= 0 && group_knows_all(measure)))
        cpu->total_word = WORD_EXACT;
    summarize_split(measure, cpu);
    cpu->mean_percent = span_ns > 0
                            ? 100.0 * (double)cpu->total_ns / (double)span_ns
                            : (double)NAN;
    /* A row is of clocks read before the end: the mean may be above it. */
    cpu->max_percent = measure->peak.cpu_percent;
    if (cpu->max_percent < cpu->mean_percent)
        cpu->max_percent = cpu->mean_percent;
}

/* What io has grown to from base (NULL: 0); io NULL: not known. */
static void
take_io(struct run_io *ret_io, const struct proc_io *io,
        const struct proc_io *base)
{
    int64_t *const values[PROC_IO_FIELDS] = {
        [PROC_IO_READ_CALLS] = &ret_io->read_calls,
        [PROC_IO_WRITE_CALLS] = &ret_io->write_calls,
        [PROC_IO_READ_BYTES] = &ret_io->read_bytes,
        [PROC_IO_WRITE_BYTES] = &ret_io->write_bytes,
    };

    for (int i = 0; i < PROC_IO_FIELDS; i++)
        *values[i] = io == NULL     ? NUM_UNKNOWN
                     : base == NULL ? io->value[i]
                                    : io->value[i] - base->value[i];
}

/*
 * Calls and bytes reach the parent as CPU time does, so they are lost where
 * that is; but no control group counts them.
 */
static void
summarize_io(const struct measure *measure, const struct run *run,
             struct run_io *io)
{
    const struct sampler *sampler = &measure->sampler;

    io->word = WORD_UNKNOWN;
    io->minor_faults = NUM_UNKNOWN;
    io->major_faults = NUM_UNKNOWN;
    take_io(io, NULL, NULL);
    if (sampler->records_io && !sampler->lost_io)
        take_io(io, &sampler->last_io, &measure->base_io);
    if (measure->root_reaped && !measure->options.root_only) {
        io->minor_faults = measure->reaped.ru_minflt;
        io->major_faults = measure->reaped.ru_majflt;
        if (sampler->needs_io && !sampler->records_io && !sampler->lost_io)
            take_io(io, &sampler->ended_io, NULL);
    }
    if (io->read_calls == NUM_UNKNOWN && io->minor_faults == NUM_UNKNOWN)
        return;
    io->word = all_were_waited_for(measure, run) && !group_knows_more(measure)
                   ? WORD_EXACT
                   : WORD_AT_LEAST;
}

/* wait4(2) covers all that pmon has reaped, and what those waited for. */
static void
summarize_load(const struct measure *measure, struct run_load *load)
{
    bool is_known = measure->root_reaped && !measure->options.root_only;

    load->voluntary_switches =
        is_known ? measure->reaped.ru_nvcsw : NUM_UNKNOWN;
    load->involuntary_switches =
        is_known ? measure->reaped.ru_nivcsw : NUM_UNKNOWN;
}

static void
summarize_quality(const struct measure *measure, struct run_quality *quality)
{
    quality->interval_ns = measure->options.interval_ns;
    quality->rows = measure->rows;
    quality->achieved_interval_ns =
        measure->rows > 1 ? measure->gaps_sum_ns / (measure->rows - 1)
                          : NUM_UNKNOWN;
    quality->longest_gap_ns =
        measure->rows > 1 ? measure->longest_gap_ns : NUM_UNKNOWN;
    quality->missed_ticks = measure->missed_ticks;
    quality->skipped_processes = measure->sampler.tree.skipped;
    quality->unsampled_processes = measure->sampler.unsampled;
    quality->impossible_cpu_rows = measure->impossible_rows;
}

/*
 * Between two reads PSS may have been larger, up to RSS: exact only where the
 * upper bound of RSS is as close.
 */
static void
summarize_pss(const struct measure *measure, struct run_memory *memory)
{
    const struct pss *pss = &measure->pss;
    int64_t upper = memory->peak_rss_upper_bytes;

    memory->peak_pss_bytes = pss->peak.pss_bytes;
    memory->peak_pss_anon_bytes = pss->peak.anon_bytes;
    memory->peak_pss_file_bytes = pss->peak.file_bytes;
    memory->peak_pss_shmem_bytes = pss->peak.shmem_bytes;
    memory->pss_unreadable = pss->unreadable;
    memory->peak_swap_bytes = pss->swap_bytes;
    memory->peak_pss_word = WORD_UNKNOWN;
    if (pss->peak.pss_bytes == NUM_UNKNOWN)
        return;
    memory->peak_pss_word = upper != NUM_UNKNOWN && pss->unreadable == 0 &&
                                    peak_is_close(pss->peak.pss_bytes, upper)
                                ? WORD_EXACT
                                : WORD_AT_LEAST;
}

static void
summarize_memory(const struct measure *measure, struct run_memory *memory)
{
    struct peak_end end = {
        .is_complete = is_complete(measure),
        .largest_mark_bytes = measure->sampler.largest_rss_bytes,
        .by_high_water_mark = measure->sampler.by_high_water_mark,
        .slack_bytes = measure->options.slack_bytes,
    };

    peak_summarize(&measure->peak, &end, memory);
    summarize_pss(measure, memory);
    memory->cgroup_peak_bytes = NUM_UNKNOWN;
    memory->cgroup_peak_word = WORD_UNKNOWN;
    memory->limit_bytes = NUM_UNKNOWN;
    memory->oom_kills = NUM_UNKNOWN;
}

const char *
measure_launcher(const struct measure *measure)
{
    const struct launchers *longest = &measure->sampler.launchers;
    int64_t wall_ns = measure->last.monotonic_ns - measure->start.monotonic_ns;

    if (measure->root_reaped && measure->root.has_stat) {
        unsigned kind = launchers_find(measure->root.stat.name);

        if (kind != LAUNCHERS_NONE)
            return launchers_name(kind);
        if (longest->pid == measure->root.stat.pid)
            return NULL;
    }
    if (longest->lived_ns < wall_ns / 2 || measure->last_cpu_ns > wall_ns / 5)
        return NULL;
    return launchers_name(longest->kind);
}

static int
summarize_at_peak(const struct at_peak *at_peak,
                  struct run_at_peak *ret_at_peak)
{
    run_at_peak_reset(ret_at_peak);
    if (at_peak->count == 0)
        return 0;
    ret_at_peak->list =
        calloc((size_t)at_peak->count, sizeof(*ret_at_peak->list));
    if (ret_at_peak->list == NULL)
        return -ENOMEM;
    ret_at_peak->count = (size_t)at_peak->count;
    ret_at_peak->others = at_peak->others;
    ret_at_peak->others_rss_bytes = at_peak->others_rss_bytes;
    for (int i = 0; i < at_peak->count; i++) {
        const struct at_peak_process *from = &at_peak->list[i];
        struct run_process *process = &ret_at_peak->list[i];
        const char *command = from->command[0] != '\0' ? from->command : NULL;

        process->pid = from->pid;
        process->rss_bytes = from->rss_bytes;
        process->age_ns = from->age_ns;
        if (run_set_text(&process->name, from->name) < 0 ||
            run_set_text(&process->command, command) < 0)
            return -ENOMEM;
    }
    return 0;
}

int
measure_summarize(struct measure *measure, const struct moment *now,
                  struct run *ret_run)
{
    struct run_time *time = &ret_run->time;
    int rc;

    time->wall_ns = now->monotonic_ns - measure->start.monotonic_ns;
    time->suspended_ns =
        now->boottime_ns - measure->start.boottime_ns - time->wall_ns;
    if (time->suspended_ns < least_suspend_ns)
        time->suspended_ns = 0;
    summarize_cpu(measure, ret_run, &ret_run->cpu);
    summarize_memory(measure, &ret_run->memory);
    summarize_io(measure, ret_run, &ret_run->io);
    summarize_load(measure, &ret_run->load);
    summarize_quality(measure, &ret_run->quality);
    ret_run->processes = (struct run_processes){
        .seen = measure->sampler.tree.seen,
        .max_alive = measure->peak.processes,
        .max_threads = measure->peak.threads,
    };
    ret_run->peak_row = peak_largest_row(&measure->peak);
    rc = series_take(&measure->series, &ret_run->series);
    if (rc == 0)
        rc =
            by_command_summarize(&measure->sampler, measure->start.monotonic_ns,
                                 ret_run->cpu.total_ns, &ret_run->by_command);
    if (rc == 0)
        rc = summarize_at_peak(&measure->at_peak, &ret_run->at_peak);
    return rc;
}
