/* SPDX-License-Identifier: MIT */
/*
 * A picture of one or several runs, as a script for gnuplot 5 that writes it to
 * standard output.  The script contains the data.  Names enter it only as text,
 * never as commands or markup.
 */
#ifndef PMON_VIEWS_PICTURE_H
#define PMON_VIEWS_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "model/recording.h"

enum picture_format { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF };

struct picture {
    enum picture_format format;
    const char *title; /* hostile; NULL: none */
    bool shows[RECORDING_CURVES];
    bool is_stacked; /* one run under the other, not overlaid */
};

/* The format by the ending of a name: 0, or -EINVAL for another ending. */
int picture_format_of(const char *path, enum picture_format *ret_format);

/*
 * Appends the script; count is 1 or more.  titles gets a line for the picture
 * and one for each thing that the script plots, in this order.  0 or -ENOMEM.
 */
int picture_script(struct strbuf *out, struct strbuf *titles,
                   const struct picture *picture, const struct recording *runs,
                   size_t count);

/* Puts these titles into gnuplot's SVG.  0 or -ENOMEM. */
int picture_title_svg(struct strbuf *svg, const struct strbuf *titles);

/*
 * Appends text as a string of gnuplot, in single quotes, within which nothing
 * is special; a quote in it becomes a typographic one.  Text longer than most
 * characters is cut.
 */
void picture_quote(struct strbuf *out, const char *text, size_t most);

#endif
