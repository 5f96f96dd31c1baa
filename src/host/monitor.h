/* SPDX-License-Identifier: MIT */
/*
 * The process that records a run, so that a later reader of its files can find
 * out whether it still runs.
 */
#ifndef PMON_HOST_MONITOR_H
#define PMON_HOST_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct monitor {
    int64_t pid;
    int64_t start_ticks;   /* since boot, as in proc_pid_stat(5) */
    int64_t pid_namespace; /* the inode of /proc/self/ns/pid */
    char boot_id[64];      /* of /proc/sys/kernel/random; empty: not known */
};

enum monitor_state {
    MONITOR_RUNS,
    MONITOR_GONE,
    MONITOR_UNKNOWN, /* of another host or boot, or hidden */
};

/* `BOOT_ID/PID_NAMESPACE/PID/START`, one word that no other run has. */
void monitor_append(struct strbuf *out, const struct monitor *monitor);

/* The same read back; false for anything else. */
bool monitor_parse(const char *text, struct monitor *ret_monitor);

/* This process.  NUM_UNKNOWN and an empty text for what cannot be read. */
void monitor_init(struct monitor *monitor);

/* The state of a monitor, as far as this process, self, can see it. */
enum monitor_state monitor_look(const struct monitor *monitor,
                                const struct monitor *self);

#endif
