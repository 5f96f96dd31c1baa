/* SPDX-License-Identifier: MIT */
/*
 * The table in which libpmon lists open regions, so that the regions of a
 * killed process are known; its layout is in libpmon/open.h.
 */
#ifndef PMON_REGIONS_OPEN_REGIONS_H
#define PMON_REGIONS_OPEN_REGIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "proc/source.h"

struct open_regions {
    int fd;     /* a sealed memfd; -1: none */
    char *copy; /* of the table, at the last look */
};

/* Makes an empty table.  0 or a negative errno; then fd is -1. */
int open_regions_init(struct open_regions *open);
void open_regions_done(struct open_regions *open);

/* One that a dead process had open. */
struct open_region {
    char name[257]; /* hostile */
    int64_t start_ns;
    pid_t pid;
};

/*
 * Removes the next region whose process has ended (all: of any process) from
 * the table, from slot *at on, and moves *at behind it; begin with 0.  0; 1 if
 * there are no more.
 */
int open_regions_take(struct open_regions *open, struct proc_source *source,
                      bool all, uint64_t *at, struct open_region *ret_region);

#endif
