/* SPDX-License-Identifier: MIT */
/*
 * Address spaces that several processes have: a vfork child and its parent,
 * or what clone(2) with CLONE_VM makes.  Their memory is one memory, and
 * counts once.  Only a process between fork and exec can share its parent's,
 * so that each of those is asked about once, when it begins to count.
 */
#ifndef PMON_ENGINE_SPACES_H
#define PMON_ENGINE_SPACES_H

#include "engine/sampler.h"

/* member was read: finds whom it shares with, and keeps what they hold. */
void spaces_update(struct sampler *sampler, struct member *member);

/*
 * Whether member is the first of its address space in this sum; it then has
 * the newest figures that any of them showed.
 */
bool spaces_is_first(struct sampler *sampler, struct member *member);

#endif
