/* SPDX-License-Identifier: MIT */
/*
 * What slows a process down: the processors it may use, the CPU quota of its
 * control groups, pressure (PSI) and time stolen by the hypervisor.  Counters
 * are read at the start and at the end of a run only.
 * See Documentation/accounting/psi.rst of Linux and proc_stat(5).
 */
#ifndef PMON_HOST_LOAD_H
#define PMON_HOST_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/cgroup.h"

enum load_pressure {
    LOAD_PRESSURE_CPU,
    LOAD_PRESSURE_MEMORY,
    LOAD_PRESSURE_IO,
    LOAD_PRESSURES,
};

/* Counters that only grow; NUM_UNKNOWN each. */
struct load_counters {
    int64_t throttled_ns; /* summed over processors */
    int64_t throttled_periods;
    int64_t pressure_ns[LOAD_PRESSURES];
    int64_t steal_ns; /* summed over processors */
};

struct load {
    bool is_known;       /* load_init has read it */
    double cpus_allowed; /* affinity and quota together; NAN */
    double quota_cores;  /* the smallest on the way to the root; NAN: none */
    char *throttled;     /* the group whose throttling counts; NULL */
    char *pressure;      /* the group whose pressure counts; NULL: the host */
    const char *proc;    /* where /proc is; the caller's */
    struct load_counters start;
};

/*
 * Reads what process pid may use and the counters.  The host's are read below
 * the folder proc, which is kept.  0 or -ENOMEM.
 */
int load_init(struct load *load, const struct cgroup_place *place, pid_t pid,
              const char *proc);
void load_done(struct load *load);

/* The counters as they are now, from the files that load_init has chosen. */
void load_read(const struct load *load, struct load_counters *ret_counters);

/* The quota in cores of cpu.max: `50000 100000`; NAN for `max`. */
double load_parse_cpu_max(const char *text);

/* Takes the throttling of cpu.stat, of either version. */
void load_parse_cpu_stat(const char *text, struct load_counters *ret_counters);

/* `some ... total=`, in us, of a file of pressure; NUM_UNKNOWN. */
int64_t load_parse_pressure(const char *text);

/* The time that the first line of /proc/stat has as stolen; NUM_UNKNOWN. */
int64_t load_parse_steal(const char *text, long ticks_per_s);

#endif
