/* SPDX-License-Identifier: MIT */
/*
 * The main job as a machine: in which phase it is, and where an event leads.
 *
 *   STARTING --BEGIN--> RECORDING --DURATION--> UNRECORDED
 *                           |                       |
 *                           +---------STOP----------+--> STOPPING
 *                           |                       |        |
 *                           +----------END----------+--------+--> ENDED
 *                           +---------LEAVE---------+--> LEFT       |
 *                                                          |        |
 *                  DONE <--FINISH-- WAITING <--WAIT--------|--------+
 *                   ^                                      |        |
 *                   +-----------------FINISH---------------+--------+
 *
 * WAITING waits for survivors.  An event that a phase does not know leaves it
 * as it is: a second TERM, or a budget exceeded after the end.
 */
#ifndef PMON_RECORD_PHASE_H
#define PMON_RECORD_PHASE_H

#include <stdbool.h>

enum phase {
    PHASE_STARTING,   /* the step waits at its gate, or is not forked */
    PHASE_RECORDING,  /* the step runs, rows are due */
    PHASE_UNRECORDED, /* it runs, --duration has ended the rows */
    PHASE_STOPPING,   /* the tree is sent TERM, later KILL */
    PHASE_ENDED,      /* the root has ended: who survives it? */
    PHASE_LEFT,       /* an attached process is left as it is */
    PHASE_WAITING,    /* survivors are waited for, or ended */
    PHASE_DONE,       /* the last row was given out */
    PHASES,
};

enum phase_event {
    EVENT_BEGIN,    /* the moment of the row at 0.000 */
    EVENT_DURATION, /* --duration has passed */
    EVENT_STOP,     /* the tree is to end: budget, duration or signal */
    EVENT_END,      /* the root has ended */
    EVENT_LEAVE,    /* an attached process is to be left */
    EVENT_WAIT,     /* survivors are waited for */
    EVENT_FINISH,   /* nothing is waited for any more */
    PHASE_EVENTS,
};

/* The phase after event; phase itself where the event means nothing there. */
enum phase phase_next(enum phase phase, enum phase_event event);

/* Whether the step runs, and nobody has asked for its end. */
static inline bool
phase_runs(enum phase phase)
{
    return phase == PHASE_RECORDING || phase == PHASE_UNRECORDED;
}

#endif
