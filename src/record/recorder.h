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

/* The result of a run, for the command that started it. */
struct recorder_result {
    int64_t elapsed_ns; /* until the root has ended by itself; NUM_UNKNOWN */
    int signal;         /* pmon must also end by it; 0: none */
};

/*
 * Records as the options say.  Returns the exit status of pmon, or a negative
 * errno with error if the step was not started; fills result in both cases.
 */
int recorder_run(const struct options *options, const struct context *context,
                 struct recorder_result *ret_result, struct error *error);

/*
 * Ends pmon by the signal of the result, if any, so that a shell sees what the
 * step did; else returns status.
 */
int recorder_leave(const struct recorder_result *result, int status);

#endif
