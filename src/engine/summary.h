/* SPDX-License-Identifier: MIT */
/*
 * All that is known of a run at its end, and meanwhile: what the summary
 * file, the closing words and the exit status are made of.  A value that is
 * not known is NUM_UNKNOWN, never 0.  Texts belong to whoever filled them in.
 */
#ifndef PMON_ENGINE_SUMMARY_H
#define PMON_ENGINE_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/at_peak.h"
#include "model/series.h"
#include "proc/parse.h"

/* How exact a figure is; the words are in engine/metrics.h. */
enum word { WORD_EXACT, WORD_BETWEEN, WORD_AT_LEAST };

enum peak_source {
    PEAK_SAMPLED,
    PEAK_HIGH_WATER_MARK,
    PEAK_RUSAGE,
    PEAK_EXIT_RECORD,
};

enum reason {
    REASON_RUNNING,
    REASON_EXITED,
    REASON_SIGNALED,
    REASON_NOT_FOUND,
    REASON_NOT_EXECUTABLE,
    REASON_MAX_TIME,
    REASON_MAX_RSS,
    REASON_MAX_CPU_TIME,
    REASON_DETACHED,
};

struct summary_outcome {
    enum reason reason;
    int64_t exit_status; /* of the step */
    int64_t signal;      /* that ended the step */
    int64_t pmon_status;
    int64_t survivors;
};

struct summary_time {
    int64_t start_epoch_ns;
    int64_t wall_ns;
    int64_t suspended_ns;
};

struct summary_cpu {
    int64_t user_ns;
    int64_t system_ns;
    int64_t total_ns;
    enum word total_word;
    double mean_percent; /* negative: not known */
    double max_percent;
};

struct summary_memory {
    int64_t peak_rss_bytes; /* the lower bound */
    int64_t peak_rss_upper_bytes;
    enum word peak_rss_word;
    enum peak_source peak_rss_source;
    int64_t peak_rss_elapsed_ns;
    int64_t peak_rss_processes;
    bool peak_rss_shared_counted;
    int64_t peak_rss_without_copies_bytes;
    int64_t sampled_peak_rss_bytes;
    int64_t largest_process_rss_bytes;
    int64_t peak_vms_bytes;
    struct proc_pss peak_pss;
    enum word peak_pss_word;
    int64_t pss_unreadable; /* processes, the most in one read */
    int64_t peak_swap_bytes;
    int64_t cgroup_peak_bytes;
    enum word cgroup_peak_word;
    const char *cgroup_note; /* what --exact got; NULL: not asked for */
    int64_t limit_bytes;
    bool limit_is_of_cgroup;
    int64_t oom_kills;
};

struct summary_processes {
    int64_t seen;
    int64_t max_alive;
    int64_t max_threads;
};

struct summary_io {
    enum word word; /* of all that is known here */
    struct proc_io io;
    int64_t minor_faults;
    int64_t major_faults;
};

struct summary_quality {
    int64_t interval_ns; /* NUM_UNKNOWN: auto */
    int64_t achieved_interval_ns;
    int64_t longest_gap_ns;
    int64_t rows;
    int64_t missed_ticks;
    int64_t skipped_processes;
    int64_t unsampled_processes;
    int64_t impossible_cpu_rows;
    int64_t monitor_cpu_ns;
    int64_t monitor_peak_rss_bytes;
};

struct budgets;
struct regions;

struct summary {
    struct summary_outcome outcome;
    struct summary_time time;
    struct summary_cpu cpu;
    struct summary_memory memory;
    struct summary_processes processes;
    struct summary_io io;
    struct summary_quality quality;
    const struct series *series;   /* the measure's; may be NULL */
    const struct at_peak *at_peak; /* likewise */
    const struct regions *regions; /* the run's; NULL: not asked for */
    const struct budgets *budgets; /* likewise */
    /* The row of the largest RSS; of equal ones the last, as in the peak block
     * of psrecord. */
    struct row peak_row;
};

/* Nothing is known yet: the state of a step that was not started. */
void summary_init(struct summary *summary);

#endif
