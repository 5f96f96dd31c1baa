/* SPDX-License-Identifier: MIT */
/* One row of the file of --processes: a process at one moment. */
#ifndef PMON_MODEL_PROCESS_ROW_H
#define PMON_MODEL_PROCESS_ROW_H

#include <stdint.h>

struct process_row {
    int64_t elapsed_ns; /* since the start, CLOCK_MONOTONIC */
    int64_t pid;
    int64_t ppid;        /* NUM_UNKNOWN */
    const char *command; /* hostile; "" if unknown */
    /*
     * CPU time since the last row of this process that has CPU, in percent of
     * that time, 100 = one core; in the first row of a process, since the
     * previous time in the file.  Negative: counted in the next row.
     */
    double cpu_percent;
    int64_t rss_bytes;    /* 0: it has ended; NUM_UNKNOWN: not its own memory */
    int64_t shared_bytes; /* of RSS: files and shared memory; NUM_UNKNOWN */
};

#endif
