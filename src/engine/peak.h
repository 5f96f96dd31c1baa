/* SPDX-License-Identifier: MIT */
/*
 * The peak as an interval with a word.  The lower bound is the largest of the
 * samples, one process's high-water mark and ru_maxrss.  The upper bound is
 * known only if no process can have escaped sampling.
 */
#ifndef PMON_ENGINE_PEAK_H
#define PMON_ENGINE_PEAK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/row.h"
#include "model/run.h"

struct peak {
    bool has_row;
    /* Of the largest RSS sum; of equal ones the first, and the last. */
    struct row first;
    struct row last;
    bool has_unsampled;
    struct row unsampled; /* a row whose memory is ru_maxrss */
    int64_t vms_bytes;
    int64_t rss_unique_bytes;
    int64_t reaped_rss_bytes; /* largest ru_maxrss; NUM_UNKNOWN */
    int64_t ceiling_bytes;    /* the same, be it inherited or not */
    int64_t processes;        /* most alive */
    int64_t threads;
    double cpu_percent;
};

/* Facts at the end about processes that may have escaped sampling. */
struct peak_end {
    bool is_complete;           /* the root never had a child */
    int64_t largest_mark_bytes; /* of one process, sampled or VmHWM */
    bool by_high_water_mark;    /* that came from VmHWM */
    int64_t slack_bytes;        /* how far the kernel's counters may be low */
};

void peak_init(struct peak *peak);
void peak_take_row(struct peak *peak, const struct row *row);

/*
 * The row of a step that ended before its memory was read, filled from
 * ru_maxrss, whose time is unknown.
 */
void peak_take_unsampled_row(struct peak *peak, const struct row *row);

/* The row of the peak, of either kind; zeros without a peak. */
struct row peak_largest_row(const struct peak *peak);

/*
 * ru_maxrss of a reaped process in bytes.  It begins with the image that was
 * there before the exec, so a value of no more than image_bytes bounds the
 * peak from above but not from below.
 */
void peak_take_rusage(struct peak *peak, int64_t maxrss_bytes,
                      int64_t image_bytes);

/* Within 1 % or 1 MiB: such bounds make a figure exact. */
bool peak_is_close(int64_t lower_bytes, int64_t upper_bytes);

void peak_summarize(const struct peak *peak, const struct peak_end *end,
                    struct run_memory *memory);

/*
 * How far RSS counters may lag behind the truth, in bytes: per-CPU batches of
 * three counters since Linux 6.2 (lib/percpu_counter.c), before that 64 pages
 * a thread (SPLIT_RSS_COUNTING).  release is that of uname(2).
 */
int64_t peak_counter_slack(const char *release, int64_t cpus,
                           int64_t max_threads, int64_t page_bytes);

#endif
