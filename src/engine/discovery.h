/* SPDX-License-Identifier: MIT */
/*
 * How new members are found: at a cost that follows the tree and not the host.
 * Sources: proc_pid_task_tid_children(5), the last field of proc_loadavg(5).
 */
#ifndef PMON_ENGINE_DISCOVERY_H
#define PMON_ENGINE_DISCOVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tree.h"

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
