/* SPDX-License-Identifier: MIT */
/*
 * Address spaces shared by several processes: a vfork child and its parent, or
 * processes made by clone(2) with CLONE_VM.  Shared memory counts once.  Only a
 * process between fork and exec can share its parent's, so each of those is
 * checked once, when it begins to count.
 */
#ifndef PMON_ENGINE_SPACES_H
#define PMON_ENGINE_SPACES_H

#include "engine/sampler.h"

/* After a read of member: finds its sharers and keeps their figures. */
void spaces_update(struct sampler *sampler, struct member *member);

/*
 * Whether member is the first of its address space in this sum; it then gets
 * the newest figures of all its sharers.
 */
bool spaces_is_first(struct sampler *sampler, struct member *member);

#endif
