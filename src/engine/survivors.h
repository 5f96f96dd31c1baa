/* SPDX-License-Identifier: MIT */
/* The members of the tree that outlive the step. */
#ifndef PMON_ENGINE_SURVIVORS_H
#define PMON_ENGINE_SURVIVORS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/sampler.h"
#include "model/survivors.h"

/*
 * Whether a member, or an orphan not seen so far, is in exit(2) or was sent
 * KILL: it is about to become a zombie, and is not a survivor.
 */
bool survivors_are_ending(struct sampler *sampler);

/* Those of the last pass that are neither foreign nor zombies. */
void survivors_find(struct sampler *sampler, struct survivors *ret_survivors);

#endif
