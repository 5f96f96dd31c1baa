/* SPDX-License-Identifier: MIT */
/* Bounds, source and word of the peak; pure functions on what was seen. */
#include "engine/peak.h"

#include <stdlib.h>

#include "base/num.h"

void
peak_init(struct peak *peak)
{
    *peak = (struct peak){.reaped_rss_bytes = NUM_UNKNOWN};
}

static void
take_maxima(struct peak *peak, const struct row *row)
{
    peak->vms_bytes = num_max(peak->vms_bytes, row->vms_bytes);
    peak->rss_unique_bytes =
        num_max(peak->rss_unique_bytes, row->rss_unique_bytes);
    peak->processes = num_max(peak->processes, row->processes);
    peak->threads = num_max(peak->threads, row->threads);
    if (row->cpu_percent > peak->cpu_percent)
        peak->cpu_percent = row->cpu_percent;
}

void
peak_take_row(struct peak *peak, const struct row *row)
{
    if (!peak->has_row || row->rss_bytes > peak->first.rss_bytes)
        peak->first = *row;
    if (!peak->has_row || row->rss_bytes >= peak->last.rss_bytes)
        peak->last = *row;
    peak->has_row = true;
    take_maxima(peak, row);
}

void
peak_take_unsampled_row(struct peak *peak, const struct row *row)
{
    peak->unsampled = *row;
    peak->has_unsampled = true;
    take_maxima(peak, row);
}

struct row
peak_largest_row(const struct peak *peak)
{
    if (peak->has_unsampled && peak->unsampled.rss_bytes > peak->last.rss_bytes)
        return peak->unsampled;
    return peak->last;
}

void
peak_take_rusage(struct peak *peak, int64_t maxrss_bytes, int64_t image_bytes)
{
    peak->ceiling_bytes = num_max(peak->ceiling_bytes, maxrss_bytes);
    if (maxrss_bytes > image_bytes)
        peak->reaped_rss_bytes = num_max(peak->reaped_rss_bytes, maxrss_bytes);
}

bool
peak_is_close(int64_t lower_bytes, int64_t upper_bytes)
{
    return upper_bytes - lower_bytes <= num_max(upper_bytes / 100, NUM_MIB);
}

static int64_t
sampled_bytes(const struct peak *peak)
{
    return peak->has_row ? peak->first.rss_bytes : 0;
}

static void
choose_source(const struct peak *peak, const struct peak_end *end,
              struct run_memory *memory)
{
    memory->peak_rss_bytes = sampled_bytes(peak);
    memory->peak_rss_source = PEAK_SAMPLED;
    if (end->largest_mark_bytes > memory->peak_rss_bytes) {
        memory->peak_rss_bytes = end->largest_mark_bytes;
        if (end->by_high_water_mark)
            memory->peak_rss_source = PEAK_HIGH_WATER_MARK;
    }
    if (num_max(peak->reaped_rss_bytes, peak->unsampled.rss_bytes) >
        memory->peak_rss_bytes) {
        memory->peak_rss_bytes =
            num_max(peak->reaped_rss_bytes, peak->unsampled.rss_bytes);
        memory->peak_rss_source = PEAK_RUSAGE;
    }
}

static void
choose_word(const struct peak *peak, const struct peak_end *end,
            struct run_memory *memory)
{
    memory->peak_rss_upper_bytes = NUM_UNKNOWN;
    memory->peak_rss_word = WORD_AT_LEAST;
    if (!end->is_complete || peak->processes > 1)
        return;
    memory->peak_rss_upper_bytes = num_add(
        num_max(memory->peak_rss_bytes, peak->ceiling_bytes), end->slack_bytes);
    memory->peak_rss_word =
        peak_is_close(memory->peak_rss_bytes, memory->peak_rss_upper_bytes)
            ? WORD_EXACT
            : WORD_BETWEEN;
}

/* How much of the sum may be in it more than once. */
static int64_t
repeated_bytes(const struct row *row)
{
    int64_t most_bytes = row->rss_bytes - row->pss_bytes;

    return row->pss_bytes != NUM_UNKNOWN && row->repeated_bytes > most_bytes
               ? most_bytes
               : row->repeated_bytes;
}

/* When the peak was and who made it up: known where a row comes close. */
static void
place_in_time(const struct peak *peak, struct run_memory *memory)
{
    memory->peak_rss_elapsed_ns = NUM_UNKNOWN;
    memory->peak_rss_processes = 1;
    memory->peak_rss_shared_counted = false;
    /* Where no memory was ever read, no row says when it was. */
    if (sampled_bytes(peak) == 0 ||
        !peak_is_close(sampled_bytes(peak), memory->peak_rss_bytes))
        return;
    memory->peak_rss_elapsed_ns = peak->first.elapsed_ns;
    memory->peak_rss_processes = num_max(peak->first.summed, 1);
    memory->peak_rss_shared_counted =
        peak->first.summed > 1 &&
        repeated_bytes(&peak->first) > peak->first.rss_bytes / 10;
}

void
peak_summarize(const struct peak *peak, const struct peak_end *end,
               struct run_memory *memory)
{
    choose_source(peak, end, memory);
    choose_word(peak, end, memory);
    place_in_time(peak, memory);
    memory->peak_rss_without_copies_bytes =
        peak->has_row ? peak->rss_unique_bytes : NUM_UNKNOWN;
    memory->sampled_peak_rss_bytes =
        sampled_bytes(peak) > 0 ? sampled_bytes(peak) : NUM_UNKNOWN;
    memory->largest_process_rss_bytes =
        num_max(end->largest_mark_bytes, peak->reaped_rss_bytes);
    if (memory->largest_process_rss_bytes <= 0)
        memory->largest_process_rss_bytes = NUM_UNKNOWN;
    /* The address space of a process holds at least what is resident. */
    memory->peak_vms_bytes =
        peak->has_row
            ? num_max(peak->vms_bytes, memory->largest_process_rss_bytes)
            : NUM_UNKNOWN;
}

int64_t
peak_counter_slack(const char *release, int64_t cpus, int64_t max_threads,
                   int64_t page_bytes)
{
    enum { COUNTERS = 3, OLD_BATCH = 64 };
    char *dot;
    long major = strtol(release, &dot, 10);
    long minor = *dot == '.' ? strtol(dot + 1, NULL, 10) : 0;
    int64_t batch = num_max(32, 2 * cpus);

    if (dot != release && (major < 6 || (major == 6 && minor < 2)))
        return OLD_BATCH * num_max(max_threads, 1) * page_bytes;
    return COUNTERS * batch * cpus * page_bytes;
}
