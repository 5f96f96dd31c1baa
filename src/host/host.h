/* SPDX-License-Identifier: MIT */
/* The machine that pmon runs on. */
#ifndef PMON_HOST_HOST_H
#define PMON_HOST_HOST_H

#include <stdint.h>

struct host {
    char name[65];
    char kernel[65]; /* release, as uname -r */
    char cpu_model[128];
    int64_t cores; /* online */
    int64_t mem_total_bytes;
    int64_t mem_available_min_bytes; /* smallest MemAvailable seen */
};

/* Name, kernel and cores; the rest is NUM_UNKNOWN or empty. */
void host_init(struct host *host);

/* Fills the rest, as far as it can be known: reads two files of /proc. */
void host_look(struct host *host);

/* Reads MemAvailable of proc_meminfo(5), or NUM_UNKNOWN; keeps the smallest. */
int64_t host_watch_memory(struct host *host);

/* The value of one line of /proc/meminfo's text in bytes, or NUM_UNKNOWN. */
int64_t host_parse_meminfo(const char *text, const char *label);

/* VmHWM of this process in bytes; 0 when /proc cannot be read. */
int64_t host_own_high_water_mark(void);

#endif
