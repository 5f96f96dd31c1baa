/* SPDX-License-Identifier: MIT */
/*
 * The main job: run a step, or follow a process that runs, and record it.
 * The loop pulls rows: while ((rc = recorder_next(&recorder, &row)) == 0) …
 */
#ifndef PMON_RECORD_RECORDER_H
#define PMON_RECORD_RECORDER_H

#include "base/error.h"
#include "commands/commands.h"
#include "record/options.h"

/* How a run has come out, for the command that asked for it. */
struct run_result {
    int64_t
        elapsed_ns; /* to the end of the root; NUM_UNKNOWN: none of its own */
    int signal;     /* pmon is to end by it as well; 0: none */
};

/*
 * pmon [OPTIONS] -- COMMAND, pmon [OPTIONS] --pid PID.  Returns the status
 * pmon is to exit with, or a negative errno with error filled when the step
 * was not started; may not return when the step was ended by a signal.
 */
int run_command(int argc, char **argv, const struct context *context,
                struct error *error);

/*
 * The main job with options that are made already.  Returns the status or a
 * negative errno, with result filled in both cases.
 */
int run_job(const struct options *options, const struct context *context,
            struct run_result *ret_result, struct error *error);

/* Ends by the result's signal, where there is one; else returns status. */
int run_leave(const struct run_result *result, int status);

#endif
