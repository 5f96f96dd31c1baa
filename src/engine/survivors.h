/* SPDX-License-Identifier: MIT */
/* Who of the tree still lives when the step has ended. */
#ifndef PMON_ENGINE_SURVIVORS_H
#define PMON_ENGINE_SURVIVORS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/sampler.h"
#include "model/survivors.h"

/*
 * Whether a member, or an orphan not seen so far, is in exit(2) or has been
 * sent KILL: it will be a zombie in a moment, and is no survivor.
 */
bool survivors_are_ending(struct sampler *sampler);

/* Those of the last pass that are neither foreign nor zombies. */
void survivors_find(struct sampler *sampler, struct survivors *ret_survivors);

#endif
