/* SPDX-License-Identifier: MIT */
/* Cells of a sheet: filling, finding, sorting; forms are sheet_forms.c's. */
#include "views/sheet.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"

void
sheet_init(struct sheet *sheet, const char *key,
           const struct sheet_column *columns, size_t column_count)
{
    *sheet = (struct sheet){
        .key = key, .columns = columns, .column_count = column_count};
}

void
sheet_done(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->count; i++)
        free(sheet->cells[i].text);
    free(sheet->cells);
    *sheet = (struct sheet){0};
}

static struct sheet_cell *
next_cell(struct sheet *sheet)
{
    if (array_grow(&sheet->cells, sheet->count, &sheet->allocated,
                   sizeof(*sheet->cells)) < 0) {
        sheet->failed = true;
        return NULL;
    }
    sheet->cells[sheet->count] = (struct sheet_cell){
        .unit = sheet->columns[sheet->count % sheet->column_count].unit};
    return &sheet->cells[sheet->count++];
}

void
sheet_text(struct sheet *sheet, const char *text)
{
    struct sheet_cell *cell = next_cell(sheet);

    if (cell == NULL || text == NULL)
        return;
    cell->unit = UNIT_TEXT;
    cell->text = strdup(text);
    cell->is_known = cell->text != NULL;
    sheet->failed |= cell->text == NULL;
}

void
sheet_number(struct sheet *sheet, double number)
{
    struct sheet_cell *cell = next_cell(sheet);

    if (cell == NULL)
        return;
    cell->is_known = isfinite(number);
    cell->number = cell->is_known ? number : 0;
}

void
sheet_number_as(struct sheet *sheet, enum unit unit, double number)
{
    sheet_number(sheet, number);
    if (!sheet->failed)
        sheet->cells[sheet->count - 1].unit = unit;
}

void
sheet_run(struct sheet *sheet, const struct run *run)
{
    for (size_t i = 0; i < sheet->column_count; i++) {
        const struct sheet_column *column = &sheet->columns[i];
        const struct run_field *field;

        if (column->field == 0) {
            if (column->fill != NULL)
                column->fill(sheet, run);
            else
                sheet_text(sheet,
                           run_tag(run, column->key + strlen(SHEET_TAG)));
            continue;
        }
        field = run_field_of(column->field - 1);
        if (column->unit == UNIT_TEXT)
            sheet_text(sheet, run_field_text(field, run));
        else
            sheet_number(sheet, run_field_number(field, run));
    }
}

double
sheet_value(enum unit unit, int64_t value)
{
    if (value == NUM_UNKNOWN)
        return (double)NAN;
    return unit == UNIT_SECONDS ? num_seconds(value) : (double)value;
}

size_t
sheet_rows(const struct sheet *sheet)
{
    return sheet->column_count > 0 ? sheet->count / sheet->column_count : 0;
}

const struct sheet_cell *
sheet_cell(const struct sheet *sheet, size_t row, size_t column)
{
    return &sheet->cells[row * sheet->column_count + column];
}

static bool
is_named(const char *key, const char *name)
{
    static const char *const units[] = {"", "_s", "_bytes", "_percent"};
    size_t size = strlen(name);

    if (key == NULL || strncmp(key, name, size) != 0)
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(units); i++)
        if (strcmp(key + size, units[i]) == 0)
            return true;
    return false;
}

int
sheet_find(const struct sheet *sheet, const char *name)
{
    for (size_t i = 0; i < sheet->column_count; i++)
        if (is_named(sheet->columns[i].key, name))
            return (int)i;
    return -1;
}

/* Whether a belongs behind b. */
static bool
is_behind(const struct sheet_cell *a, const struct sheet_cell *b)
{
    if (!a->is_known || !b->is_known)
        return !a->is_known && b->is_known;
    if (a->unit == UNIT_TEXT && b->unit == UNIT_TEXT)
        return strverscmp(a->text, b->text) > 0; /* rank 2 before rank 10 */
    return a->number < b->number;
}

/* Merges two sorted runs of row numbers. */
static void
merge(const struct sheet *sheet, size_t column, const size_t *from, size_t *to,
      size_t begin, size_t middle, size_t end)
{
    size_t one = begin;
    size_t two = middle;

    for (size_t at = begin; at < end; at++)
        if (one < middle &&
            (two == end || !is_behind(sheet_cell(sheet, from[one], column),
                                      sheet_cell(sheet, from[two], column))))
            to[at] = from[one++];
        else
            to[at] = from[two++];
}

int
sheet_sort(struct sheet *sheet, size_t column)
{
    size_t rows = sheet_rows(sheet);
    size_t *order = calloc(2 * rows + 1, sizeof(*order));
    struct sheet_cell *cells = calloc(sheet->count + 1, sizeof(*cells));
    size_t *from = order;
    size_t *to = order + rows;

    if (order == NULL || cells == NULL) {
        free(order);
        free(cells);
        return -ENOMEM;
    }
    for (size_t i = 0; i < rows; i++)
        from[i] = i;
    for (size_t width = 1; width < rows; width *= 2) {
        size_t *last = from;

        for (size_t at = 0; at < rows; at += 2 * width)
            merge(sheet, column, from, to, at,
                  at + width < rows ? at + width : rows,
                  at + 2 * width < rows ? at + 2 * width : rows);
        from = to;
        to = last;
    }
    for (size_t i = 0; i < rows; i++)
        memcpy(cells + i * sheet->column_count,
               sheet->cells + from[i] * sheet->column_count,
               sheet->column_count * sizeof(*cells));
    free(sheet->cells);
    sheet->cells = cells;
    sheet->allocated = sheet->count + 1;
    free(order);
    return 0;
}
