/* SPDX-License-Identifier: MIT */
/* Runs gnuplot: no shell, no settings of the user's, 10 s at most. */
#ifndef PMON_RECORD_GNUPLOT_H
#define PMON_RECORD_GNUPLOT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "views/picture.h"

/* What to do about a missing one, for the end of a line. */
#define GNUPLOT_MISSING \
    "gnuplot is not on PATH: install gnuplot-nox (Debian's package)"

/* Its path, looked for in search (a PATH, or NULL).  0 or -ENOENT. */
int gnuplot_find(const char *search, struct strbuf *ret_path);

/*
 * Runs the script, and puts the picture into ret_picture once it is one of
 * this format with letters in it.  A negative errno, -ETIMEDOUT among them,
 * with one line in error.
 */
int gnuplot_run(const char *gnuplot, enum picture_format format,
                const struct strbuf *script, struct strbuf *ret_picture,
                struct error *error);

#endif
