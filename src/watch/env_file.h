/* SPDX-License-Identifier: MIT */
/*
 * A file of variables, as in systemd's EnvironmentFile=: lines NAME=VALUE,
 * comments that begin with # or ;, values that may be quoted.
 */
#ifndef PMON_WATCH_ENV_FILE_H
#define PMON_WATCH_ENV_FILE_H

#include <stddef.h>

#include "base/error.h"
#include "base/strbuf.h"

/* {0} is an empty one. */
struct env_file {
    struct strbuf text; /* NAME, NUL, VALUE, NUL, and so on */
};

/* Reads path.  0, or a negative errno with error, which names file and line. */
int env_file_read(struct env_file *file, const char *path, struct error *error);

/* The same for a text; path is only for the error. */
int env_file_parse(struct env_file *file, const char *text, const char *path,
                   struct error *error);

void env_file_done(struct env_file *file);

/* The last value of the name in the file, or NULL. */
const char *env_file_find(const struct env_file *file, const char *name);

#endif
