/* SPDX-License-Identifier: MIT */
/*
 * The control groups that pmon and so the step run in: their memory limit and
 * OOM kills, which are read always, and a group of the step's own (--exact).
 * Both versions; see cgroups(7), Documentation/admin-guide/cgroup-v2.rst and
 * cgroup-v1/memory.rst of Linux.
 */
#ifndef PMON_PLACE_CGROUP_H
#define PMON_PLACE_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/strbuf.h"

/* Folders of the own group; NULL where that hierarchy is not mounted. */
struct cgroup_place {
    char *unified;       /* version 2 */
    char *unified_mount; /* where climbing to the root ends */
    char *memory;        /* version 1, memory */
    char *memory_mount;
    char *cpuacct;         /* version 1, cpuacct */
    bool cpuacct_with_cpu; /* mounted together: a new group takes a share */
};

/* Finds them from the texts of /proc/self/cgroup and /proc/self/mountinfo. */
int cgroup_place_parse(struct cgroup_place *place, const char *self_cgroup,
                       const char *mountinfo);

/* The same from the files themselves. */
int cgroup_place_init(struct cgroup_place *place);
void cgroup_place_done(struct cgroup_place *place);

/* The smallest memory limit on the way to the root, or NUM_UNKNOWN. */
int64_t cgroup_memory_limit(const struct cgroup_place *place);

/* Processes that the OOM killer has ended here so far, or NUM_UNKNOWN. */
int64_t cgroup_oom_kills(const struct cgroup_place *place);

/* A group of the step's own, as folders of up to three hierarchies. */
struct cgroup_leaf {
    char *unified;
    char *memory;
    char *cpuacct;
    int cpu_fd; /* cpu.stat or cpuacct.usage; -1 */
};

/*
 * Makes the group, below or beside the own one, named after pmon's id; the
 * memory limit in force is copied, no cpu controller is enabled.  -EACCES and
 * the like with the reason in error when no hierarchy allows it.
 */
int cgroup_leaf_init(struct cgroup_leaf *leaf, const struct cgroup_place *place,
                     struct error *error);

/* Moves the process pid into it.  0 or a negative errno. */
int cgroup_leaf_enter(const struct cgroup_leaf *leaf, pid_t pid);

/* CPU time of all that ever ran in it; NUM_UNKNOWN. */
struct cgroup_cpu {
    int64_t total_ns;
    int64_t user_ns; /* the split: of version 2 alone */
    int64_t system_ns;
};
void cgroup_leaf_cpu(const struct cgroup_leaf *leaf,
                     struct cgroup_cpu *ret_cpu);

/* Most memory charged to it, page cache and kernel memory included. */
int64_t cgroup_leaf_memory_peak(const struct cgroup_leaf *leaf);

/* OOM kills within it; NUM_UNKNOWN. */
int64_t cgroup_leaf_oom_kills(const struct cgroup_leaf *leaf);

/* Appends the ids of its processes, a line each.  0 or a negative errno. */
int cgroup_leaf_pids(const struct cgroup_leaf *leaf, struct strbuf *text);

/*
 * Moves what still lives in it back and removes it, with the groups that the
 * step has made in it; not those in which something lives: they are another's
 * to end.  0, or a negative errno with error (which may be NULL) filled.
 */
int cgroup_leaf_remove(struct cgroup_leaf *leaf,
                       const struct cgroup_place *place, struct error *error);

#endif
