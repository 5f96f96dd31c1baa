/* SPDX-License-Identifier: MIT */
/*
 * Copies: a child between fork and exec shows the pages of its parent as its
 * own (a vfork child even shares them all).  It is omitted from the row until
 * it proves to be a worker: 200 ms old, and asleep or with 5 ms of CPU; or
 * clearly larger than its parent.
 */
#ifndef PMON_ENGINE_COPIES_H
#define PMON_ENGINE_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tree.h"
#include "proc/parse.h"

/*
 * Decides again from its stat whether member is a copy.  boot_ns is
 * CLOCK_BOOTTIME, which stat's start time counts in.
 */
void copies_update(struct member *member, const struct proc_stat *stat,
                   int64_t boot_ns, int64_t ticks_per_s);

/*
 * Whether member is a copy whose pages may all be its parent's: not larger than
 * its parent by more than 1 % or 1 MiB, which it has touched since.
 */
bool copies_may_share_all(const struct member *member,
                          const struct member *root);

/* How many bytes of a copy may be its parent's; 0 for any other. */
int64_t copies_may_share(const struct member *member,
                         const struct member *root);

/* The same from the sizes of member and its parent. */
void copies_compare(struct member *member, const struct member *root);

#endif
