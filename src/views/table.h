/* SPDX-License-Identifier: MIT */
/* A table of texts in columns, for a terminal or a log. */
#ifndef PMON_VIEWS_TABLE_H
#define PMON_VIEWS_TABLE_H

#include <stddef.h>

#include "base/strbuf.h"

struct table {
    size_t columns;
    struct strbuf cells; /* each with a NUL byte */
    size_t count;        /* cells */
};

/* The first row is the heading. */
void table_init(struct table *table, size_t columns);
void table_done(struct table *table);

/* The next cell, row by row; control characters become '?'. */
void table_cell(struct table *table, const char *text);

/*
 * Appends the table: the first column to the left, the others to the right,
 * two blanks between.
 */
void table_text(const struct table *table, struct strbuf *out);

#endif
