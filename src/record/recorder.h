/* SPDX-License-Identifier: MIT */
/*
 * The main job: run a step, or follow a process that runs, and record it.
 * The loop pulls rows: while ((rc = recorder_next(&recorder, &row)) == 0) …
 */
#ifndef PMON_RECORD_RECORDER_H
#define PMON_RECORD_RECORDER_H

#include "base/context.h"
#include "base/error.h"
#include "record/options.h"

/* How a run has come out, for the command that asked for it. */
struct recorder_result {
    int64_t
        elapsed_ns; /* to the end of the root; NUM_UNKNOWN: none of its own */
    int signal;     /* pmon is to end by it as well; 0: none */
};

/*
 * Records what options ask for.  Returns the status pmon is to exit with, or a
 * negative errno with error filled when the step was not started; result is
 * filled in both cases.
 */
int recorder_run(const struct options *options, const struct context *context,
                 struct recorder_result *ret_result, struct error *error);

/*
 * Ends pmon by the result's signal, where there is one, so that a shell sees
 * what the step did; else returns status.
 */
int recorder_leave(const struct recorder_result *result, int status);

#endif
