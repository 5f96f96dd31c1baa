/* SPDX-License-Identifier: MIT */
/*
 * The control groups that a process runs in: their memory limit and OOM kills,
 * which are read always, and a group of the step's own (--exact).
 * Both versions; see cgroups(7), Documentation/admin-guide/cgroup-v2.rst and
 * cgroup-v1/memory.rst of Linux.
 */
#ifndef PMON_HOST_CGROUP_H
#define PMON_HOST_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/strbuf.h"

/* Folders of its group; NULL where that hierarchy is not mounted. */
struct cgroup_place {
    char *unified;       /* version 2 */
    char *unified_mount; /* where climbing to the root ends */
    char *memory;        /* version 1, memory */
    char *memory_mount;
    char *cpu; /* version 1, cpu */
    char *cpu_mount;
    char *cpuacct;         /* version 1, cpuacct */
    bool cpuacct_with_cpu; /* mounted together: a new group takes a share */
};

/* Finds them from the texts of /proc/PID/cgroup and /proc/self/mountinfo. */
int cgroup_place_parse(struct cgroup_place *place, const char *groups,
                       const char *mountinfo);

/* The same of process pid, 0 for pmon itself, from the files themselves. */
int cgroup_place_init(struct cgroup_place *place, pid_t pid);
void cgroup_place_done(struct cgroup_place *place);

/*
 * Whether its groups still exist: one that systemd made is removed as soon as
 * its last process has ended, and then only those above it are left to read.
 */
bool cgroup_place_exists(const struct cgroup_place *place);

/* Changes path to the parent group; false at the mount's own folder. */
bool cgroup_climb(char *path, const char *mount);

/* The smallest memory limit on the way to the root, or NUM_UNKNOWN. */
int64_t cgroup_memory_limit(const struct cgroup_place *place);

/*
 * What may still be charged before a memory limit on the way to the root is
 * reached: the limit less usage, page cache that can be dropped not counted.
 * 0 where usage is above it; NUM_UNKNOWN: there is no limit.
 */
int64_t cgroup_memory_room(const struct cgroup_place *place);

/*
 * Processes that the OOM killer has killed here so far, or NUM_UNKNOWN.  Where
 * memory is not counted for the group itself, of the nearest above it.
 */
int64_t cgroup_oom_kills(const struct cgroup_place *place);

/* Why the memory that is charged to the step's group is not known. */
enum cgroup_missing {
    CGROUP_MISSING_NOTHING,
    CGROUP_MISSING_DELEGATION, /* the own group is another's to divide */
    CGROUP_MISSING_CONTROLLER, /* the own group is not given memory */
    CGROUP_MISSING_PLACE,      /* other processes are in the own group */
    CGROUP_MISSING_PEAK,       /* no memory.peak before Linux 5.19 */
    CGROUP_MISSING_OTHER,      /* missing_rc says */
};

/* A group of the step's own, as folders of up to three hierarchies. */
struct cgroup_leaf {
    char *unified;
    char *memory;
    char *cpuacct;
    char *self; /* where pmon has gone, so that unified has memory; or NULL */
    int cpu_fd; /* cpu.stat or cpuacct.usage; -1 */
    enum cgroup_missing missing;
    int missing_rc;
};

/*
 * Whether folder may be divided: systemd says so of its unit, or the user
 * owns it, or it is below such a one, or no systemd manages it.  mount is
 * where climbing ends.  https://systemd.io/CGROUP_DELEGATION
 */
bool cgroup_is_delegated(const char *folder, const char *mount);

/*
 * Makes the group, always below the own one, so that every limit still holds;
 * named after pmon's id.  -EACCES and the like with the reason in error when
 * no hierarchy allows it.
 */
int cgroup_leaf_init(struct cgroup_leaf *leaf, const struct cgroup_place *place,
                     struct error *error);

/*
 * Moves the process pid into it.  Where memory is not counted there and the
 * own group is delegated, pmon goes to a group of its own beside the step's,
 * and memory is enabled for both: a group that has processes has no say over
 * its children.  0 or a negative errno.
 */
int cgroup_leaf_enter(struct cgroup_leaf *leaf,
                      const struct cgroup_place *place, pid_t pid);

/*
 * Whether the live process pid is in the group, or below it, of the hierarchy
 * that counts memory; true where that cannot be known.
 */
bool cgroup_leaf_holds(const struct cgroup_leaf *leaf, pid_t pid);

/* CPU time of all that ever ran in it; NUM_UNKNOWN. */
struct cgroup_cpu {
    int64_t total_ns;
    int64_t user_ns; /* the split: only in version 2 */
    int64_t system_ns;
};
void cgroup_leaf_cpu(const struct cgroup_leaf *leaf,
                     struct cgroup_cpu *ret_cpu);

/* Most memory charged to it, page cache and kernel memory included. */
int64_t cgroup_leaf_memory_peak(const struct cgroup_leaf *leaf);

/* OOM kills within it; NUM_UNKNOWN. */
int64_t cgroup_leaf_oom_kills(const struct cgroup_leaf *leaf);

/*
 * Appends the ids of the processes in it and below it, a line each.  0 or a
 * negative errno.
 */
int cgroup_leaf_pids(const struct cgroup_leaf *leaf, struct strbuf *text);

/*
 * Moves what still lives in it back, and pmon, and removes it, with the groups
 * that the step has made in it; not those in which something lives: they are
 * another's to end.  0, or a negative errno with error (which may be NULL)
 * filled.
 */
int cgroup_leaf_remove(struct cgroup_leaf *leaf,
                       const struct cgroup_place *place, struct error *error);

#endif
