/* SPDX-License-Identifier: MIT */
/*
 * File names with %h and the like, so that runs on many hosts or ranks write
 * separate files.
 */
#ifndef PMON_HOST_NAMES_H
#define PMON_HOST_NAMES_H

#include <sys/types.h>

#include "base/error.h"
#include "base/strbuf.h"

/* What the letters stand for. */
struct names {
    const char *host; /* %h */
    pid_t pid;        /* %p, of the step */
    const char *step; /* %s */
    /* The environment, for %r %j %a: a getenv(3). */
    const char *(*environment)(const char *name);
};

/*
 * Appends pattern to out with %h %p %s %r %j %a and %% replaced; a '/' in a
 * value becomes '_'.  -EINVAL for an unknown letter or an unset variable, with
 * error naming the option of the pattern.
 */
int names_expand(const struct names *names, const char *pattern,
                 const char *what, struct strbuf *out, struct error *error);

/* The same before the step has a pid: %p is also -EINVAL. */
int names_expand_early(const struct names *names, const char *pattern,
                       const char *what, struct strbuf *out,
                       struct error *error);

/* The rank, job or array index of the environment; NULL when unset. */
const char *names_rank(const struct names *names);
const char *names_job(const struct names *names);
const char *names_array_index(const struct names *names);

#endif
