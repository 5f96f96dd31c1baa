/* SPDX-License-Identifier: MIT */
/* Samples one member in a pass. */
#ifndef PMON_ENGINE_SAMPLE_MEMBER_H
#define PMON_ENGINE_SAMPLE_MEMBER_H

#include <stdbool.h>

#include "engine/sampler.h"

/* How much of the tree a pass reads. */
struct sample_scope {
    bool all;      /* statm of those too that have not run */
    bool scan_all; /* children likewise */
};

/* Samples one member; call it for parents before their children.  0, -ENOMEM */
int sample_member(struct sampler *sampler, struct member *member,
                  const struct sample_scope *scope);

/* Reads the memory of one that counts. */
void sample_member_read_memory(struct sampler *sampler, struct member *member);

/* Reads its high-water mark and the signals that it ignores. */
void sample_member_read_mark(struct sampler *sampler, struct member *member);

#endif
