/* SPDX-License-Identifier: MIT */
/*
 * CPU % from a total of CPU time: a running thread's time is posted only every
 * few ms, so the window is at least 100 ms, except at the start.
 */
#ifndef PMON_ENGINE_CPU_WINDOW_H
#define PMON_ENGINE_CPU_WINDOW_H

#include <stddef.h>
#include <stdint.h>

/* At 1 ms a row the window spans 100 rows. */
enum { CPU_WINDOW_SIZE = 128 };

struct cpu_window {
    struct {
        int64_t elapsed_ns;
        int64_t cpu_ns;
    } past[CPU_WINDOW_SIZE];
    size_t count; /* rows ever pushed */
    int64_t span_ns;
};

/*
 * interval_ns is the expected distance of rows, NUM_UNKNOWN where it varies.
 * Rows that are to be 100 ms or more apart may come closer by some lateness:
 * each still has its own window, so that rates times distances add up.
 */
void cpu_window_init(struct cpu_window *window, int64_t interval_ns);

/*
 * CPU time used over real time in percent, 100 = one core, from the row
 * before, or, where rows are closer than 100 ms, from the newest row that is
 * at least so old, or from the first.  Remembers the row.  The first row
 * gives 0.
 */
double cpu_window_push(struct cpu_window *window, int64_t elapsed_ns,
                       int64_t cpu_ns);

#endif
