/* SPDX-License-Identifier: MIT */
/*
 * File names with %h and the like, so that runs on many hosts or ranks write
 * separate files.
 */
#ifndef PMON_HOST_NAMES_H
#define PMON_HOST_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/strbuf.h"

/* What the letters stand for. */
struct names {
    const char *host; /* %h; NULL: not to be named */
    pid_t pid;        /* %p, of the step */
    const char *step; /* %s */
    /* As --step gave it; NULL: nothing is put behind the step. */
    const char *step_pattern;
    bool keeps_slashes; /* what is expanded is no name of a file */
    /* The environment, for %r %j %a %{NAME}: a getenv(3). */
    const char *(*environment)(const char *name);
};

/*
 * Appends pattern to out with %h %p %s %r %j %a %{NAME} and %% replaced; a '/'
 * in a value becomes '_', and of a variable also a control character and a dot
 * that begins a part of a path.  Behind a %s in the last part of a path follow
 * _rank3 when the launcher has started several tasks, and _task7 in an array,
 * unless pattern or step_pattern have %r, %a or %p for it.  -EINVAL for an
 * unknown letter or an unset variable, with error naming the option of the
 * pattern.
 */
int names_expand(const struct names *names, const char *pattern,
                 const char *what, struct strbuf *out, struct error *error);

/* The same before the step has a pid: %p is also -EINVAL. */
int names_expand_early(const struct names *names, const char *pattern,
                       const char *what, struct strbuf *out,
                       struct error *error);

/*
 * The rank, the job, its array index or its step in Slurm (SLURM_STEP_ID) of
 * the environment; NULL when unset.
 */
const char *names_rank(const struct names *names);
const char *names_job(const struct names *names);
const char *names_array_index(const struct names *names);
const char *names_job_step(const struct names *names);

/*
 * How many tasks the launcher of the rank has started; NUM_UNKNOWN without a
 * rank, and where the launcher does not tell.
 */
int64_t names_tasks(const struct names *names);

#endif
