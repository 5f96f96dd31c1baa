/* SPDX-License-Identifier: MIT */
/* One row of a recording: the use of the tree at one moment. */
#ifndef PMON_MODEL_ROW_H
#define PMON_MODEL_ROW_H

#include <stdint.h>

#include "proc/parse.h"

struct row {
    int64_t elapsed_ns;       /* since the start, CLOCK_MONOTONIC */
    double cpu_percent;       /* 100 = one core; see engine/cpu_window.h */
    int64_t cpu_ns;           /* CPU time of the tree since the start */
    int64_t rss_bytes;        /* sum over the tree, without copies */
    int64_t rss_unique_bytes; /* without any process forked but not exec'ed */
    int64_t repeated_bytes;   /* of RSS: may be in more than one process */
    int64_t summed;           /* processes whose memory is in it */
    int64_t vms_bytes;
    int64_t pss_bytes; /* NUM_UNKNOWN if it was not read */
    int64_t processes;
    int64_t threads;
    int64_t minor_faults; /* totals; NUM_UNKNOWN if they were not read */
    int64_t major_faults;
    struct proc_io io; /* totals; NUM_UNKNOWN if not recorded */
};

#endif
