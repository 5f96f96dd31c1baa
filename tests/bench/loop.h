/* SPDX-License-Identifier: MIT */
/*
 * What the loops of the benchmark have in common: a tree that is found once,
 * ticks at absolute deadlines, and rows as psrecord writes them.
 */
#ifndef BENCH_LOOP_H
#define BENCH_LOOP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

/* The arguments of both loops: PID INTERVAL_MS TICKS LOG. */
struct loop {
    pid_t root;
    int64_t interval_ns;
    int64_t ticks_max; /* 0: until the root has ended */
    int fd;            /* the log */
    int64_t start_ns;
    int64_t next_ns;
    int64_t ticks;
    int64_t late; /* deadlines that passed while one was served */
    int64_t latest_ns;
    int64_t begin_cpu_ns; /* own, when the first tick was due */
    int64_t last_ns;      /* of the row before */
    int64_t last_cpu_ns;
};

/* What a row is made of. */
struct figures {
    int64_t cpu_ns; /* total of the tree */
    int64_t rss_bytes;
    int64_t vms_bytes;
};

/* Ends with status 2 and one line on stderr. */
_Noreturn void loop_die(const char *what);

/* Takes the arguments, opens the log, sets the timer slack to 1 ns. */
void loop_init(struct loop *loop, int argc, char **argv);

/*
 * The root and its descendants, found through task/TID/children; memory of
 * the caller's.
 */
pid_t *loop_find_tree(pid_t root, size_t *ret_count);

/* Waits for the next tick.  1 while there is one, 0 when all are done. */
int loop_wait(struct loop *loop);

/* Writes one row, by one write. */
void loop_row(struct loop *loop, const struct figures *figures);

/* Prints key=value lines on stdout: processes, ticks, late_ticks, cpu_ns, … */
void loop_report(const struct loop *loop, size_t processes);

int64_t loop_clock_ns(clockid_t id);

#endif
