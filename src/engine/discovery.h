/* SPDX-License-Identifier: MIT */
/*
 * How new members are found: at a cost that follows the tree and not the host.
 * Sources: proc_pid_task_tid_children(5), the last field of proc_loadavg(5).
 *
 * One pass of the sampler:
 *
 *   discovery_begin
 *   for each member that ran:
 *     discovery_scan        Was a task made since the last pass?  The newest
 *                           id of /proc/loadavg tells, read once a pass.
 *       no                  Nothing can be new; no other file is read.
 *       few ids are new     probes: leave it to discovery_probe.
 *       many ids are new    Read the children file of each member that ran.
 *       no children files   reads_all: leave it to discovery_scan_all.
 *   discovery_scan_self     The same for orphans, which are pmon's children.
 *   discovery_probe         Ask each new id for its parent, and read the
 *                           children of those parents that are members.
 *   discovery_scan_all      Read the stat of each id that was not known.
 *
 * A wide pass (is_wide) does not go by the newest id: a process may choose the
 * id of its child (clone3(2), set_tid), and then the newest does not move.
 */
#ifndef PMON_ENGINE_DISCOVERY_H
#define PMON_ENGINE_DISCOVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "proc/source.h"

struct member;
struct tree;

struct discovery {
    /* What is looked for. */
    bool finds_children; /* false: the root alone is measured */
    bool adopts;         /* pmon is a subreaper: orphans are its children */
    struct proc_handle self_handle; /* pmon's own, for their list */
    uint32_t self_generation;       /* when that was last read */

    /* The newest task id, which moves with every task that is made. */
    bool looked;         /* newest was read in this pass */
    pid_t newest;        /* at the last look */
    pid_t probed;        /* at the look before: ids behind it are new */
    pid_t known_until;   /* ids up to this one were asked for before */
    pid_t unborn;        /* an id without a process so far; 0: none */
    uint32_t generation; /* moves whenever a task was made */
    bool is_wide;        /* this pass does not go by newest */

    /* Which way this pass goes. */
    bool probes;       /* new ids are asked, not parents */
    bool scanned;      /* parents were asked since the last wide pass */
    uint32_t unprobed; /* the last generation whose ids were not asked */
    int64_t scan_cost; /* of the last pass, in reads of a children file */

    /* Whether processes may have come and gone unseen. */
    bool vanish;   /* ids were made and have gone since the last pass */
    bool vanished; /* the same of the pass before */

    /* Where the kernel has no task/TID/children. */
    bool reads_all; /* it is so */
    bool is_stale;  /* all ids are to be looked at again */
    pid_t *known;   /* ids at the last look, ascending */
    size_t known_count;
    pid_t known_newest; /* newest at that look */
};

void discovery_init(struct discovery *discovery, pid_t self);
void discovery_done(struct discovery *discovery, struct proc_source *source);

/* A new pass begins: the newest id is read again when first needed. */
void discovery_begin(struct tree *tree);

/* Moves whenever a task was made somewhere; read at most once a pass. */
uint32_t discovery_generation(struct tree *tree);

/*
 * Reads the children of member, when a task was made since the last time and
 * its clock (read just before) has moved: who has not run has not forked.
 * New ones are appended to the list.  force: in any case.
 */
int discovery_scan(struct tree *tree, struct member *member, bool force);

/*
 * Asks each id that was made since the last pass for its parent, and reads
 * the children of those, where that is cheaper than to read the children of
 * all that ran; nothing elsewhere.
 */
int discovery_probe(struct tree *tree);

/* Adds the orphans that pmon has adopted. */
int discovery_add_orphans(struct tree *tree);

/* The same when a task was made since the last time, or in any case. */
int discovery_scan_self(struct tree *tree, bool force);

/*
 * Where there is no task/TID/children: reads the stat of all processes that
 * are new since the last time, and adds those whose parent is a member.  Does
 * nothing while no task was made, and nothing elsewhere.
 */
int discovery_scan_all(struct tree *tree);

/*
 * Adds those of the ids, as text, that are no members yet and are known to be
 * of the tree; sets in_group of all members.
 */
int discovery_add_ids(struct tree *tree, const char *pids);

#endif
