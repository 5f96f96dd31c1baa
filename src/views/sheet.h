/* SPDX-License-Identifier: MIT */
/*
 * A table of typed cells, for people (text, Markdown) and for programs (CSV,
 * JSON).  People get units, words and '-' for unknown values, without columns
 * that are unknown in every row.  Programs get plain numbers, always the same
 * columns, and an empty field (CSV) or null (JSON) for unknown values.
 */
#ifndef PMON_VIEWS_SHEET_H
#define PMON_VIEWS_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/run_fields.h"

struct json_t;

enum form { FORM_TEXT, FORM_MARKDOWN, FORM_CSV, FORM_JSON };

/* How a number is shown together with the columns that follow it. */
enum sheet_with {
    SHEET_ALONE,
    SHEET_WITH_WORD,   /* the next is its word */
    SHEET_WITH_BOUNDS, /* the next is its upper bound, then its word */
};

struct sheet;

struct sheet_column {
    const char *key;     /* for programs; NULL: people only */
    const char *heading; /* for people; NULL: programs only */
    enum unit unit;
    enum sheet_with with;
    /* For sheet_run: how a run fills the cell. */
    size_t field; /* SHEET_FIELD, or 0: by fill */
    /* NULL as well: by the tag whose name stands in key behind SHEET_TAG */
    void (*fill)(struct sheet *sheet, const struct run *run);
};

#define SHEET_TAG "tag:"

/* The field of struct run that a column shows. */
#define SHEET_FIELD(member) (offsetof(struct run, member) + 1)

struct sheet_cell {
    enum unit unit;
    bool is_known;
    double number; /* a bool is 0 or 1 */
    char *text;
};

struct sheet {
    const char *key; /* of the list in JSON */
    const struct sheet_column *columns;
    size_t column_count;
    struct sheet_cell *cells;
    size_t count; /* cells */
    size_t allocated;
    bool failed; /* no memory */
};

void sheet_init(struct sheet *sheet, const char *key,
                const struct sheet_column *columns, size_t column_count);
void sheet_done(struct sheet *sheet);

/* The next cell, row by row.  Not known: a NULL text, a number NAN. */
void sheet_text(struct sheet *sheet, const char *text);
void sheet_number(struct sheet *sheet, double number);

/* A number whose unit is not its column's. */
void sheet_number_as(struct sheet *sheet, enum unit unit, double number);

/* A row of columns that all have a field, a fill or a tag. */
void sheet_run(struct sheet *sheet, const struct run *run);

/* A number of run, in its unit: seconds for ns; NAN for NUM_UNKNOWN. */
double sheet_value(enum unit unit, int64_t value);

size_t sheet_rows(const struct sheet *sheet);
const struct sheet_cell *sheet_cell(const struct sheet *sheet, size_t row,
                                    size_t column);

/* A column by its key, or by its key without the unit; -1 for none. */
int sheet_find(const struct sheet *sheet, const char *name);

/* Numbers in descending order, texts ascending, unknown values last; stable. */
int sheet_sort(struct sheet *sheet, size_t column);

/* Appends the whole sheet in a form other than JSON. */
void sheet_append(const struct sheet *sheet, enum form form,
                  struct strbuf *out);

/* A list of objects, the caller's; NULL without memory. */
struct json_t *sheet_json(const struct sheet *sheet);

/* A number as people read it. */
void sheet_human(struct strbuf *out, enum unit unit, double number);

#endif
