/* SPDX-License-Identifier: MIT */
/*
 * Puts samples, ends of processes and rows together; the one place where a
 * run's figures meet.  Opens nothing and prints nothing.
 */
#include "engine/measure.h"

#include <errno.h>
#include <sys/time.h>

#include "base/num.h"
#include "engine/discovery.h"

int
measure_init(struct measure *measure, struct proc_source *source, pid_t self,
             const struct measure_options *options)
{
    int64_t width_ns = options->interval_ns == NUM_UNKNOWN
                           ? 20 * NUM_NS_PER_MS
                           : options->interval_ns;
    int rc;

    *measure =
        (struct measure){.options = *options,
                         .outside = {NUM_UNKNOWN, NUM_UNKNOWN, NUM_UNKNOWN},
                         .at_peak = {.whole_commands = options->full_commands}};
    measure_take_image(measure, NUM_UNKNOWN);
    peak_init(&measure->peak);
    cpu_window_init(&measure->window, options->interval_ns);
    pss_init(&measure->pss, options->reads_pss, options->rss_limit_bytes);
    faults_init(&measure->faults, options->records_faults);
    tracks_init(&measure->tracks);
    measure->tracks.is_on = options->tracks;
    measure->tracks.is_attached = options->attached;
    measure->tracks.whole_commands = options->full_commands;
    measure->tracks.root_command = options->command;
    rc = sampler_init(&measure->sampler, source, self);
    measure->sampler.records_io = options->records_io;
    measure->sampler.needs_io = options->records_io;
    measure->sampler.root_only = options->root_only;
    measure->sampler.tree.discovery.finds_children = !options->root_only;
    series_init(&measure->series, width_ns);
    return rc;
}

void
measure_done(struct measure *measure)
{
    sampler_done(&measure->sampler);
    tracks_done(&measure->tracks);
    series_done(&measure->series);
}

int64_t
measure_cpu_ns(const struct measure *measure, int64_t sampled_ns)
{
    if (measure->outside.total_ns == NUM_UNKNOWN)
        return sampled_ns;
    return num_max(measure->outside.total_ns, sampled_ns);
}

/* Page faults up to now, with those of all that pmon has reaped. */
static void
take_faults(struct measure *measure)
{
    int64_t minor = measure->reaped.ru_minflt;
    int64_t major = measure->reaped.ru_majflt;

    if (measure->options.root_only && measure->root_reaped) {
        minor = (int64_t)measure->root.stat.minflt;
        major = (int64_t)measure->root.stat.majflt;
    }
    faults_read(&measure->faults, &measure->sampler, minor, major);
}

/*
 * CPU time up to now, but no more than all processors can give since the row
 * before: clocks are read one after the other, and what was used meanwhile is
 * the next row's.  The last row has all that is left.
 */
static int64_t
cpu_of_row(const struct measure *measure, const struct sample *sample,
           int64_t gap_ns, bool is_last)
{
    int64_t cpu_ns =
        measure_cpu_ns(measure, sample->cpu_ns) - measure->base_cpu_ns;
    int64_t most_ns =
        num_add(measure->last_cpu_ns, num_mul(gap_ns, measure->options.cores));

    return measure->rows > 0 && !is_last && cpu_ns > most_ns ? most_ns : cpu_ns;
}

/* The row of a sample; takes it into peak, series and quality. */
static void
make_row(struct measure *measure, const struct moment *now,
         const struct sample *sample, bool is_last, struct row *ret_row)
{
    int64_t gap_ns = now->monotonic_ns - measure->last.monotonic_ns;
    struct row row = {
        .elapsed_ns = now->monotonic_ns - measure->start.monotonic_ns,
        .cpu_ns = cpu_of_row(measure, sample, gap_ns, is_last),
        .rss_bytes = sample->rss_bytes,
        .rss_unique_bytes = sample->rss_unique_bytes,
        .repeated_bytes = sample->repeated_bytes,
        .summed = sample->summed,
        .vms_bytes = sample->vms_bytes,
        .pss_bytes = NUM_UNKNOWN,
        .processes = sample->processes,
        .threads = sample->threads,
        .minor_faults = NUM_UNKNOWN,
        .major_faults = NUM_UNKNOWN,
        .io = sample->io,
    };

    for (int i = 0; i < PROC_IO_FIELDS; i++)
        if (row.io.value[i] != NUM_UNKNOWN)
            row.io.value[i] -= measure->base_io.value[i];
    if (faults_are_due(&measure->faults, now->monotonic_ns)) {
        take_faults(measure);
        row.minor_faults = measure->faults.minor - measure->base_minor_faults;
        row.major_faults = measure->faults.major - measure->base_major_faults;
    }
    row.cpu_percent =
        cpu_window_push(&measure->window, row.elapsed_ns, row.cpu_ns);
    if (row.cpu_percent > 100.0 * (double)measure->options.cores)
        measure->impossible_rows++;
    if (measure->rows > 0) {
        measure->gaps_sum_ns += gap_ns;
        measure->longest_gap_ns = num_max(measure->longest_gap_ns, gap_ns);
    }
    measure->last = *now;
    measure->last_rss_bytes = row.rss_bytes;
    measure->last_cpu_ns = row.cpu_ns;
    measure->rows++;
    /* Not for an equal one: a steady step would be looked at each tick. */
    if (row.rss_bytes > 0 && (!measure->peak.has_row ||
                              row.rss_bytes > measure->peak.first.rss_bytes))
        at_peak_take(&measure->at_peak, &measure->sampler);
    peak_take_row(&measure->peak, &row);
    series_push(&measure->series, &row);
    *ret_row = row;
}

/* Rows of the processes at the time of row; without memory they are lost. */
static void
take_tracks(struct measure *measure, const struct row *row)
{
    if (measure->tracks.is_on)
        tracks_take(&measure->tracks, &measure->sampler, row->elapsed_ns);
}

void
measure_hold(struct measure *measure, pid_t root, const struct moment *now)
{
    struct proc_source *source = measure->sampler.source;

    measure->start = *now;
    measure->last = *now;
    if (source->clock(source, root, &measure->base_cpu_ns) < 0)
        measure->base_cpu_ns = 0;
    measure->tracks.base_clock_ns = measure->base_cpu_ns;
}

void
measure_take_image(struct measure *measure, int64_t bytes)
{
    measure->image_bytes = bytes == NUM_UNKNOWN ? INT64_MAX : bytes;
}

void
measure_need_io(struct measure *measure)
{
    measure->sampler.needs_io = true;
}

int
measure_start(struct measure *measure, pid_t root, const struct moment *now,
              struct row *ret_row, bool *ret_pending)
{
    struct sampler *sampler = &measure->sampler;
    struct moment start = *now;
    struct sample sample;
    int rc = sampler_set_root(sampler, root);

    if (rc < 0 && rc != -ESRCH)
        return rc;
    rc = sampler_pass(sampler, now->monotonic_ns, now->boottime_ns, &sample);
    if (measure->options.attached) {
        measure->start = *now;
        measure->base_cpu_ns = sample.cpu_ns;
        measure->base_io = sample.io;
        sampler_take_bases(sampler);
        if (measure->faults.is_wanted)
            take_faults(measure);
        measure->base_minor_faults = num_max(measure->faults.minor, 0);
        measure->base_major_faults = num_max(measure->faults.major, 0);
        measure->faults.next_ns = now->monotonic_ns;
    } else {
        start = measure->start;
        sample.cpu_ns = measure->base_cpu_ns;
    }
    *ret_pending = sample.root_rss_bytes == 0;
    make_row(measure, &start, &sample, false, ret_row);
    measure->tracks.root = root;
    if (!*ret_pending)
        take_tracks(measure, ret_row);
    return rc;
}

/* More than the image before the exec, and not that of a waited child. */
static bool
is_of_the_step(const struct measure *measure, int64_t maxrss_bytes)
{
    return maxrss_bytes > measure->image_bytes &&
           (!measure->options.root_only ||
            (measure->root.has_stat && measure->root.stat.cminflt == 0));
}

void
measure_first_row(struct measure *measure, struct row *row)
{
    int64_t rss_bytes = num_mul(measure->reaped.ru_maxrss, 1024);
    int64_t used_ns = num_timeval(&measure->reaped.ru_utime) +
                      num_timeval(&measure->reaped.ru_stime);

    if (rss_bytes <= 0)
        return;
    if (!is_of_the_step(measure, rss_bytes))
        rss_bytes = measure->sampler.source->page_bytes;
    row->rss_bytes = rss_bytes;
    row->rss_unique_bytes = rss_bytes;
    row->vms_bytes = rss_bytes;
    row->processes = 1;
    row->threads = 1;
    if (measure->tracks.is_on)
        tracks_first_row(&measure->tracks, &measure->sampler, rss_bytes,
                         num_max(used_ns - measure->base_cpu_ns, 0));
    peak_take_unsampled_row(&measure->peak, row);
    series_push(&measure->series, row);
}

int
measure_tick(struct measure *measure, const struct clock_source *clock,
             struct moment *now, struct row *ret_row)
{
    struct sample sample;
    int rc = timely_sample(&measure->sampler, clock, now, &sample);

    make_row(measure, now, &sample, false, ret_row);
    take_tracks(measure, ret_row);
    return rc;
}

void
measure_miss(struct measure *measure, int64_t ticks)
{
    measure->missed_ticks += ticks;
}

bool
measure_pss_is_due(struct measure *measure)
{
    return pss_is_due(&measure->pss, measure->last_rss_bytes,
                      measure->last.monotonic_ns);
}

void
measure_read_pss(struct measure *measure, const struct clock_source *clock,
                 struct row *row)
{
    int64_t begin_ns = clock_now(clock, CLOCK_MONOTONIC);

    pss_read(&measure->pss, &measure->sampler);
    pss_spent(&measure->pss, begin_ns, clock_now(clock, CLOCK_MONOTONIC));
    row->pss_bytes = measure->pss.read_bytes;
    /* PSS tells how much of that is in more than one. */
    if (measure->peak.first.elapsed_ns == row->elapsed_ns &&
        measure->pss.unreadable == 0)
        measure->peak.first.pss_bytes = row->pss_bytes;
}

void
measure_budget_memory(const struct measure *measure,
                      struct budget_memory *ret_memory)
{
    const struct pss *pss = &measure->pss;

    *ret_memory = (struct budget_memory){
        .rss_bytes = measure->peak.first.rss_bytes,
        .pss_bytes = pss->peak.pss_bytes,
        .pss_upper_bytes = pss->upper_bytes,
        /* Between two reads it may have grown, and its own pages are there. */
        .alone_bytes = measure->sampler.largest_rss_bytes - pss->shared_bytes,
    };
}

void
measure_take_cgroup_cpu(struct measure *measure, const struct cgroup_cpu *cpu)
{
    if (cpu->total_ns == NUM_UNKNOWN)
        return;
    /* What the child used before it entered the group is known as well. */
    measure->outside = *cpu;
    measure->outside.total_ns = num_add(cpu->total_ns, measure->base_cpu_ns);
    /* It waited at its gate: the kernel's time. */
    if (cpu->system_ns != NUM_UNKNOWN)
        measure->outside.system_ns =
            num_add(cpu->system_ns, measure->base_cpu_ns);
}

void
measure_take_cgroup_members(struct measure *measure, const char *pids)
{
    discovery_add_ids(&measure->sampler.tree, pids);
}

void
measure_zombie(struct measure *measure, pid_t pid,
               struct accounts_zombie *ret_zombie)
{
    accounts_look_at_zombie(&measure->sampler, pid, ret_zombie);
}

static void
add_usage(struct rusage *sum, const struct rusage *usage)
{
    timeradd(&sum->ru_utime, &usage->ru_utime, &sum->ru_utime);
    timeradd(&sum->ru_stime, &usage->ru_stime, &sum->ru_stime);
    sum->ru_minflt += usage->ru_minflt;
    sum->ru_majflt += usage->ru_majflt;
    sum->ru_nvcsw += usage->ru_nvcsw;
    sum->ru_nivcsw += usage->ru_nivcsw;
    if (sum->ru_maxrss < usage->ru_maxrss)
        sum->ru_maxrss = usage->ru_maxrss;
}

void
measure_reaped(struct measure *measure, pid_t pid, bool is_root,
               const struct accounts_zombie *zombie, const struct rusage *usage)
{
    accounts_take_reaped(&measure->sampler, pid, zombie, usage);
    if (zombie->is_foreign || (measure->options.root_only && !is_root))
        return;
    if (is_root) {
        measure->root_reaped = true;
        measure->root = *zombie;
    } else {
        measure->adopted = true;
    }
    measure->sigchld_ignored |= zombie->ignores_sigchld;
    add_usage(&measure->reaped, usage);
    if (!measure->options.root_only)
        peak_take_rusage(&measure->peak, num_mul(usage->ru_maxrss, 1024),
                         measure->image_bytes);
}

int
measure_finish(struct measure *measure, const struct clock_source *clock,
               struct moment *now, bool is_row, struct row *ret_row)
{
    struct sample sample;
    struct moment end = *now;
    int rc = timely_sample(&measure->sampler, clock, now, &sample);

    /* Where nothing lives, nothing has changed since the end. */
    if (sample.processes == 0)
        *now = end;
    if (!measure->options.attached)
        sampler_read_marks(&measure->sampler);
    measure->faults.next_ns = now->monotonic_ns;
    if (is_row) {
        make_row(measure, now, &sample, true, ret_row);
        take_tracks(measure, ret_row);
    }
    measure->last = *now;
    return rc;
}
