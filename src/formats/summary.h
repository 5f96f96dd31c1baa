/* SPDX-License-Identifier: MIT */
/*
 * The summary file: a run as one JSON object, written and read back; see
 * pmon-formats(5).  The scalars come from model/run_fields.h.
 */
#ifndef PMON_FORMATS_SUMMARY_H
#define PMON_FORMATS_SUMMARY_H

#include "base/error.h"
#include "base/strbuf.h"
#include "model/run.h"

enum {
    /* The value of the key schema. */
    SUMMARY_SCHEMA = 1,
};

/*
 * Appends the object and a line end.  Every key is present; unknown values are
 * null; invalid UTF-8 becomes U+FFFD.  0 or -ENOMEM.
 */
int summary_write(struct strbuf *out, const struct run *run);

/* The message about impossible values of a run: the path, and how many. */
#define SUMMARY_IMPOSSIBLE                                              \
    "%s: %lld values are negative or too large for a figure, taken as " \
    "unknown"

/*
 * Reads the file at path, a summary by file_kind.h, into run, which was
 * initialised and which the caller frees in any case.  A value of the wrong
 * type is unknown; run->impossible counts the numbers that no figure can have.
 * 0 or a negative errno: -ENOMSG for the JSON of another program, -EBADMSG for
 * text that is not JSON or for a newer schema; error names file, reason and
 * line.
 */
int summary_read(struct run *run, const char *path, struct error *error);

/*
 * Makes a path in the summary into one that can be opened: unchanged if
 * absolute and readable; else a file of that name beside the summary; else
 * relative to the run's working directory.  The caller frees it; NULL if path
 * is NULL or without memory.
 */
char *summary_find_file(const struct run *run, const char *path);

#endif
