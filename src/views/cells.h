/* SPDX-License-Identifier: MIT */
/* A line of a terminal, character by character. */
#ifndef PMON_VIEWS_CELLS_H
#define PMON_VIEWS_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

struct cells {
    char (*list)[5]; /* one character of UTF-8 each; "" is a blank */
    int width;
    bool is_ascii; /* others become '?' */
};

/* 0 or -ENOMEM; all blank. */
int cells_init(struct cells *cells, int width, bool is_ascii);
void cells_done(struct cells *cells);
void cells_clear(struct cells *cells);

/*
 * Writes text (hostile) from a column on and clips it.  Returns the next
 * column.
 */
int cells_put(struct cells *cells, int at, const char *text);

/* The same for at most most columns, with an ellipsis if it is cut. */
int cells_put_most(struct cells *cells, int at, int most, const char *text);

/* Writes text so that it ends before a column, or begins the line. */
void cells_put_right(struct cells *cells, int end, const char *text);

/* Appends the line without the blanks at its end. */
void cells_append(const struct cells *cells, struct strbuf *out);

/* Columns that a text takes in a terminal. */
int cells_width(const char *text);

#endif
