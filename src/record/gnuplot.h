/* SPDX-License-Identifier: MIT */
/*
 * Runs gnuplot without a shell and without the user's settings, for at most 10
 * s.
 */
#ifndef PMON_RECORD_GNUPLOT_H
#define PMON_RECORD_GNUPLOT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "views/picture.h"

/* Advice if gnuplot is missing, for the end of a message. */
#define GNUPLOT_MISSING \
    "gnuplot is not on PATH: install gnuplot-nox (Debian's package)"

/* Finds its path in search (a PATH, or NULL). 0 or -ENOENT. */
int gnuplot_find(const char *search, struct strbuf *ret_path);

/*
 * Runs the script, and stores the picture in ret_picture if it has this format
 * and its letters could be drawn.  A negative errno, such as -ETIMEDOUT, with
 * one line in error.
 */
int gnuplot_run(const char *gnuplot, enum picture_format format,
                const struct strbuf *script, struct strbuf *ret_picture,
                struct error *error);

#endif
