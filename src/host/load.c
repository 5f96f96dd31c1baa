/* SPDX-License-Identifier: MIT */
/* Reads affinity, quota, throttling, pressure and steal. */
#include "host/load.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"
#include "host/cgroup_file.h"

static const char *const pressure_names[] = {
    [LOAD_PRESSURE_CPU] = "cpu",
    [LOAD_PRESSURE_MEMORY] = "memory",
    [LOAD_PRESSURE_IO] = "io",
};

/* Digits, then blank or line end; NUM_UNKNOWN.  *text moves behind them. */
static int64_t
take_number(const char **text)
{
    size_t size = strspn(*text, "0123456789");
    char digits[24];
    uint64_t value;

    if (size >= sizeof(digits))
        return NUM_UNKNOWN;
    memcpy(digits, *text, size);
    digits[size] = '\0';
    *text += size;
    if (num_parse_u64(digits, &value) < 0 || value > INT64_MAX ||
        (**text != ' ' && **text != '\n' && **text != '\0'))
        return NUM_UNKNOWN;
    *text += strspn(*text, " ");
    return (int64_t)value;
}

static double
quota_of(int64_t quota_us, int64_t period_us)
{
    return quota_us > 0 && period_us > 0 ? (double)quota_us / (double)period_us
                                         : (double)NAN;
}

double
load_parse_cpu_max(const char *text)
{
    int64_t quota_us = take_number(&text);

    return quota_us == NUM_UNKNOWN ? (double)NAN
                                   : quota_of(quota_us, take_number(&text));
}

void
load_parse_cpu_stat(const char *text, struct load_counters *ret_counters)
{
    int64_t usec = cgroup_file_parse_keyed(text, "throttled_usec");

    ret_counters->throttled_periods =
        cgroup_file_parse_keyed(text, "nr_throttled");
    ret_counters->throttled_ns =
        usec != NUM_UNKNOWN ? num_mul(usec, NUM_NS_PER_US)
                            : cgroup_file_parse_keyed(text, "throttled_time");
}

int64_t
load_parse_pressure(const char *text)
{
    static const char key[] = " total=";
    const char *line = text;
    const char *at;
    int64_t usec;

    while (line != NULL && strncmp(line, "some ", 5) != 0) {
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    at = line != NULL ? strstr(line, key) : NULL;
    if (at == NULL || at > line + strcspn(line, "\n"))
        return NUM_UNKNOWN;
    at += sizeof(key) - 1;
    usec = take_number(&at);
    return usec == NUM_UNKNOWN ? usec : num_mul(usec, NUM_NS_PER_US);
}

int64_t
load_parse_steal(const char *text, long ticks_per_s)
{
    enum { STEAL = 7 }; /* behind user nice system idle iowait irq softirq */
    int64_t ticks;

    if (strncmp(text, "cpu ", 4) != 0 || ticks_per_s <= 0)
        return NUM_UNKNOWN;
    text += 4;
    text += strspn(text, " ");
    ticks = take_number(&text);
    for (int i = 0; i < STEAL && ticks != NUM_UNKNOWN; i++)
        ticks = take_number(&text);
    return ticks == NUM_UNKNOWN ? ticks
                                : num_mul(ticks, NUM_NS_PER_S / ticks_per_s);
}

/* The quota of one group, of either version; NAN where it has none. */
static double
quota_in(const char *folder, bool is_unified)
{
    STRBUF_AUTO text = {0};

    if (!is_unified)
        return quota_of(cgroup_file_number(folder, "cpu.cfs_quota_us"),
                        cgroup_file_number(folder, "cpu.cfs_period_us"));
    if (cgroup_file_read_all(folder, "cpu.max", &text) < 0)
        return (double)NAN;
    return load_parse_cpu_max(strbuf_text(&text));
}

/* Whether folder counts throttling: only where the controller is enabled. */
static bool
counts_throttling(const char *folder)
{
    return cgroup_file_keyed(folder, "cpu.stat", "nr_throttled") != NUM_UNKNOWN;
}

/*
 * Looks from folder up: the smallest quota, and the group that has it; without
 * a quota, the nearest group that counts throttling.
 */
static int
climb_quotas(struct load *load, const char *folder, const char *mount,
             bool is_unified)
{
    FREE_AUTO char *path = folder != NULL ? strdup(folder) : NULL;
    double quota;

    if (path == NULL)
        return folder != NULL ? -ENOMEM : 0;
    do {
        quota = quota_in(path, is_unified);
        if (isnan(quota) ? load->throttled != NULL || !counts_throttling(path)
                         : quota >= load->quota_cores)
            continue;
        free(load->throttled);
        load->throttled = strdup(path);
        if (load->throttled == NULL)
            return -ENOMEM;
        if (!isnan(quota))
            load->quota_cores = quota;
    } while (cgroup_climb(path, mount));
    return 0;
}

/* The processors in the affinity of pid, which cpuset(7) limits as well. */
static int64_t
affinity_of(pid_t pid)
{
    cpu_set_t sets[8]; /* 8192 processors, the most that Linux has */

    memset(sets, 0, sizeof(sets));
    if (sched_getaffinity(pid, sizeof(sets), sets) < 0)
        return NUM_UNKNOWN;
    return CPU_COUNT_S(sizeof(sets), sets);
}

static int64_t
read_pressure(const struct load *load, enum load_pressure which)
{
    STRBUF_AUTO text = {0};
    char name[24];
    int rc;

    if (load->pressure != NULL) {
        snprintf(name, sizeof(name), "%s.pressure", pressure_names[which]);
        rc = cgroup_file_read_all(load->pressure, name, &text);
    } else {
        snprintf(name, sizeof(name), "pressure/%s", pressure_names[which]);
        rc = cgroup_file_read_all(load->proc, name, &text);
    }
    return rc < 0 ? NUM_UNKNOWN : load_parse_pressure(strbuf_text(&text));
}

static int64_t
read_steal(const struct load *load)
{
    FD_AUTO folder = open(load->proc, O_PATH | O_DIRECTORY | O_CLOEXEC);
    FD_AUTO fd = openat(folder, "stat", O_RDONLY | O_CLOEXEC);
    char text[256];

    file_read_head(fd, text, sizeof(text));
    return load_parse_steal(text, sysconf(_SC_CLK_TCK));
}

void
load_read(const struct load *load, struct load_counters *ret_counters)
{
    STRBUF_AUTO text = {0};

    if (load->throttled != NULL)
        cgroup_file_read_all(load->throttled, "cpu.stat", &text);
    load_parse_cpu_stat(strbuf_text(&text), ret_counters);
    for (int i = 0; i < LOAD_PRESSURES; i++)
        ret_counters->pressure_ns[i] =
            read_pressure(load, (enum load_pressure)i);
    ret_counters->steal_ns = read_steal(load);
}

/* The root group has the host's pressure, and no file cgroup.type. */
static int
choose_pressure(struct load *load, const struct cgroup_place *place)
{
    if (place->unified == NULL ||
        !cgroup_file_exists(place->unified, "cgroup.type"))
        return 0;
    load->pressure = strdup(place->unified);
    if (load->pressure == NULL)
        return -ENOMEM;
    if (read_pressure(load, LOAD_PRESSURE_CPU) != NUM_UNKNOWN)
        return 0;
    free(load->pressure);
    load->pressure = NULL;
    return 0;
}

int
load_init(struct load *load, const struct cgroup_place *place, pid_t pid,
          const char *proc)
{
    int64_t cpus = affinity_of(pid);
    int rc;

    *load = (struct load){.quota_cores = HUGE_VAL, .proc = proc};
    rc = climb_quotas(load, place->unified, place->unified_mount, true);
    if (rc == 0)
        rc = climb_quotas(load, place->cpu, place->cpu_mount, false);
    if (rc == 0)
        rc = choose_pressure(load, place);
    if (rc < 0) {
        load_done(load);
        return rc;
    }
    load->cpus_allowed = cpus != NUM_UNKNOWN ? (double)cpus : (double)NAN;
    if (isinf(load->quota_cores))
        load->quota_cores = (double)NAN;
    else if (load->quota_cores < load->cpus_allowed)
        load->cpus_allowed = load->quota_cores;
    load_read(load, &load->start);
    load->is_known = true;
    return 0;
}

void
load_done(struct load *load)
{
    free(load->throttled);
    free(load->pressure);
    *load = (struct load){0};
}
