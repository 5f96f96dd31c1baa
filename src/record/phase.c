/* SPDX-License-Identifier: MIT */
/* The one transition table of the main job. */
#include "record/phase.h"

/* 0 is PHASE_STARTING, which no event leads to: it means no change. */
static const unsigned char transitions[PHASES][PHASE_EVENTS] = {
    [PHASE_STARTING] = {[EVENT_BEGIN] = PHASE_RECORDING},
    [PHASE_RECORDING] = {[EVENT_DURATION] = PHASE_UNRECORDED,
                         [EVENT_STOP] = PHASE_STOPPING,
                         [EVENT_END] = PHASE_ENDED,
                         [EVENT_LEAVE] = PHASE_LEFT},
    [PHASE_UNRECORDED] = {[EVENT_STOP] = PHASE_STOPPING,
                          [EVENT_END] = PHASE_ENDED,
                          [EVENT_LEAVE] = PHASE_LEFT},
    [PHASE_STOPPING] = {[EVENT_END] = PHASE_ENDED},
    [PHASE_ENDED] = {[EVENT_WAIT] = PHASE_WAITING, [EVENT_FINISH] = PHASE_DONE},
    [PHASE_LEFT] = {[EVENT_FINISH] = PHASE_DONE},
    [PHASE_WAITING] = {[EVENT_FINISH] = PHASE_DONE},
};

enum phase
phase_next(enum phase phase, enum phase_event event)
{
    unsigned char next = transitions[phase][event];

    return next != 0 ? (enum phase)next : phase;
}
