/* SPDX-License-Identifier: MIT */
/* The figures of a run at its end, with the words that say how exact. */
#include "base/num.h"
#include "engine/measure.h"

/* Two clocks are read one after the other; less than this is no suspend. */
static const int64_t least_suspend_ns = 10 * NUM_NS_PER_MS;

/* CPU time in the group that nobody waited for: some process has escaped. */
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
           measure->root.has_stat && measure->root.stat.cminflt == 0 &&
           measure->root.stat.cmajflt == 0 && !measure->adopted &&
           !measure->sigchld_ignored && !group_knows_more(measure) &&
           measure->sampler.tree.seen == 1;
}

/* User and system time, where they add up to the total. */
static void
summarize_split(const struct measure *measure, struct summary_cpu *cpu)
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

/* Whether wait4 has told of all that ended, and nothing lives on. */
static bool
all_were_waited_for(const struct measure *measure,
                    const struct summary *summary)
{
    return measure->root_reaped && !measure->options.root_only &&
           summary->outcome.survivors <= 0 && !measure->sampler.unwaited &&
           !measure->sigchld_ignored && measure->root.has_stat;
}

static void
summarize_cpu(const struct measure *measure, const struct summary *summary,
              struct summary_cpu *cpu)
{
    const struct measure_options *options = &measure->options;
    const struct sampler *sampler = &measure->sampler;
    int64_t base_ns = options->attached ? measure->base_cpu_ns : 0;

    cpu->total_ns = measure_cpu_ns(measure, sampler->last_cpu_ns) - base_ns;
    cpu->total_word = WORD_AT_LEAST;
    if (all_were_waited_for(measure, summary) ||
        (measure->root_reaped && !options->root_only &&
         summary->outcome.survivors <= 0 && group_knows_all(measure)))
        cpu->total_word = WORD_EXACT;
    summarize_split(measure, cpu);
    cpu->mean_percent =
        summary->time.wall_ns > 0
            ? 100.0 * (double)cpu->total_ns / (double)summary->time.wall_ns
            : -1;
    /* A row is of clocks read before the end: the mean may be above it. */
    cpu->max_percent = measure->peak.cpu_percent;
    if (cpu->max_percent < cpu->mean_percent)
        cpu->max_percent = cpu->mean_percent;
}

/*
 * Calls and bytes reach the parent as CPU time does, so they are lost where
 * that is; but no control group counts them.
 */
static void
summarize_io(const struct measure *measure, const struct summary *summary,
             struct summary_io *io)
{
    const struct sampler *sampler = &measure->sampler;

    io->word =
        all_were_waited_for(measure, summary) && !group_knows_more(measure)
            ? WORD_EXACT
            : WORD_AT_LEAST;
    io->minor_faults = NUM_UNKNOWN;
    io->major_faults = NUM_UNKNOWN;
    for (int i = 0; i < PROC_IO_FIELDS; i++)
        io->io.value[i] =
            sampler->records_io && !sampler->lost_io
                ? sampler->last_io.value[i] - measure->base_io.value[i]
                : NUM_UNKNOWN;
    if (!measure->root_reaped || measure->options.root_only)
        return;
    io->minor_faults = measure->reaped.ru_minflt;
    io->major_faults = measure->reaped.ru_majflt;
    if (sampler->needs_io && !sampler->records_io && !sampler->lost_io)
        io->io = sampler->ended_io;
}

static void
summarize_quality(const struct measure *measure,
                  struct summary_quality *quality)
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
summarize_pss(const struct measure *measure, struct summary_memory *memory)
{
    const struct pss *pss = &measure->pss;
    int64_t upper = memory->peak_rss_upper_bytes;

    memory->peak_pss = pss->peak;
    memory->pss_unreadable = pss->unreadable;
    memory->peak_swap_bytes = pss->swap_bytes;
    memory->peak_pss_word = upper != NUM_UNKNOWN && pss->unreadable == 0 &&
                                    peak_is_close(pss->peak.pss_bytes, upper)
                                ? WORD_EXACT
                                : WORD_AT_LEAST;
}

static void
summarize_memory(const struct measure *measure, struct summary_memory *memory)
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
    memory->cgroup_peak_word = WORD_AT_LEAST;
    memory->cgroup_note = NULL;
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

void
measure_summarize(struct measure *measure, const struct moment *now,
                  struct summary *ret_summary)
{
    struct summary_time *time = &ret_summary->time;

    time->wall_ns = now->monotonic_ns - measure->start.monotonic_ns;
    time->suspended_ns =
        now->boottime_ns - measure->start.boottime_ns - time->wall_ns;
    if (time->suspended_ns < least_suspend_ns)
        time->suspended_ns = 0;
    summarize_cpu(measure, ret_summary, &ret_summary->cpu);
    summarize_memory(measure, &ret_summary->memory);
    summarize_io(measure, ret_summary, &ret_summary->io);
    summarize_quality(measure, &ret_summary->quality);
    ret_summary->processes = (struct summary_processes){
        .seen = measure->sampler.tree.seen,
        .max_alive = measure->peak.processes,
        .max_threads = measure->peak.threads,
    };
    ret_summary->series = &measure->series;
    ret_summary->at_peak =
        measure->at_peak.count > 0 ? &measure->at_peak : NULL;
    ret_summary->peak_row = peak_largest_row(&measure->peak);
}
