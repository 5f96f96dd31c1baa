/* SPDX-License-Identifier: MIT */
/* A sheet as text, Markdown, CSV and JSON; hostile texts escaped for each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/json_build.h"
#include "base/num.h"
#include "views/cells.h"
#include "views/human.h"
#include "views/markdown.h"
#include "views/sheet.h"

void
sheet_human(struct strbuf *out, enum unit unit, double number)
{
    double scaled = unit == UNIT_SECONDS ? number * 1e9 : number;
    int64_t whole;

    if (scaled < 0) {
        strbuf_putc(out, '-');
        scaled = -scaled;
        number = -number;
    }
    whole = num_from_double(scaled);
    whole = whole == NUM_UNKNOWN ? INT64_MAX / 2 : whole;
    switch (unit) {
    case UNIT_BYTES:
        human_bytes(out, whole);
        break;
    case UNIT_SECONDS:
        human_duration(out, whole);
        break;
    case UNIT_PERCENT:
        strbuf_printf(out, "%.*f %%", number < 9.95 ? 1 : 0, number);
        break;
    case UNIT_BOOL:
        strbuf_puts(out, number > 0 ? "yes" : "no");
        break;
    case UNIT_COUNT:
    case UNIT_TEXT:
    default:
        strbuf_printf(out, "%.0f", number);
    }
}

/* The number at cell with its word: `at least 44.2 MiB`. */
static void
append_worded(struct strbuf *out, const struct sheet_cell *cell,
              enum sheet_with with)
{
    const struct sheet_cell *upper =
        with == SHEET_WITH_BOUNDS ? cell + 1 : NULL;
    const struct sheet_cell *word = upper != NULL ? cell + 2 : cell + 1;
    const char *text = word->is_known ? word->text : "";

    if (strcmp(text, "between") == 0 && upper != NULL && upper->is_known) {
        strbuf_puts(out, "between ");
        sheet_human(out, cell->unit, cell->number);
        strbuf_puts(out, " and ");
        sheet_human(out, cell->unit, upper->number);
        return;
    }
    if (strcmp(text, "at least") == 0)
        strbuf_puts(out, "at least ");
    sheet_human(out, cell->unit, cell->number);
    if (strcmp(text, "exact") == 0)
        strbuf_puts(out, " (exact)");
}

/* A command line may have 100 kB; CSV and JSON have all of it. */
static void
append_short(struct strbuf *out, const char *text)
{
    enum { MOST = 200 };
    static const char cut[] = "...";
    size_t size = strlen(text);

    if (size > MOST) {
        size = MOST - (sizeof(cut) - 1);
        while (size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80)
            size--;
        strbuf_append(out, text, size);
        text = cut;
        size = sizeof(cut) - 1;
    }
    strbuf_append(out, text, size);
}

static void
append_for_people(struct strbuf *out, const struct sheet_column *column,
                  const struct sheet_cell *cell)
{
    if (!cell->is_known)
        strbuf_putc(out, '-');
    else if (cell->unit == UNIT_TEXT)
        append_short(out, cell->text);
    else if (column->with != SHEET_ALONE)
        append_worded(out, cell, column->with);
    else
        sheet_human(out, cell->unit, cell->number);
}

static bool
is_shown(const struct sheet *sheet, size_t column)
{
    if (sheet->columns[column].heading == NULL)
        return false;
    for (size_t row = 0; row < sheet_rows(sheet); row++)
        if (sheet_cell(sheet, row, column)->is_known)
            return true;
    return column == 0;
}

/* Which columns are shown, found once: rows may be many.  NULL: no memory. */
static bool *
find_shown(const struct sheet *sheet, size_t *ret_count)
{
    bool *shown = calloc(sheet->column_count + 1, sizeof(*shown));

    *ret_count = 0;
    for (size_t i = 0; shown != NULL && i < sheet->column_count; i++) {
        shown[i] = is_shown(sheet, i);
        *ret_count += shown[i] ? 1 : 0;
    }
    return shown;
}

/* Texts in columns as wide as their widest cell. */
struct table {
    size_t columns;
    struct strbuf cells; /* each with a NUL byte */
    size_t count;        /* cells */
};

/* The first row is the heading. */
static void
table_init(struct table *table, size_t columns)
{
    *table = (struct table){.columns = columns};
}

static void
table_done(struct table *table)
{
    strbuf_done(&table->cells);
}

/* The next cell, row by row; control characters become '?'. */
static void
table_cell(struct table *table, const char *text)
{
    escape_terminal(&table->cells, text, strlen(text));
    strbuf_putc(&table->cells, '\0');
    table->count++;
}

static void
append_blanks(struct strbuf *out, int count)
{
    for (; count > 0; count--)
        strbuf_putc(out, ' ');
}

/*
 * Appends the table: the first column to the left, the others to the right,
 * two blanks between.
 */
static void
table_text(const struct table *table, struct strbuf *out)
{
    FREE_AUTO int *widths = calloc(table->columns, sizeof(*widths));
    const char *cell = strbuf_text(&table->cells);

    if (widths == NULL || table->cells.failed)
        return;
    for (size_t i = 0; i < table->count; i++, cell += strlen(cell) + 1)
        if (cells_width(cell) > widths[i % table->columns])
            widths[i % table->columns] = cells_width(cell);
    cell = strbuf_text(&table->cells);
    for (size_t i = 0; i < table->count; i++, cell += strlen(cell) + 1) {
        size_t column = i % table->columns;
        int blanks = widths[column] - cells_width(cell);

        if (column > 0)
            append_blanks(out, 2 + blanks);
        strbuf_puts(out, cell);
        if (column == 0 && table->columns > 1)
            append_blanks(out, blanks);
        if (column + 1 == table->columns)
            strbuf_putc(out, '\n');
    }
}

static void
append_text_form(const struct sheet *sheet, struct strbuf *out)
{
    struct table table;
    size_t count;
    FREE_AUTO bool *shown = find_shown(sheet, &count);

    out->failed |= shown == NULL;
    if (shown == NULL)
        return;
    table_init(&table, count);
    for (size_t i = 0; i < sheet->column_count; i++)
        if (shown[i])
            table_cell(&table, sheet->columns[i].heading);
    for (size_t i = 0; i < sheet->count; i++) {
        size_t column = i % sheet->column_count;
        STRBUF_AUTO text = {0};

        if (!shown[column])
            continue;
        append_for_people(&text, &sheet->columns[column], &sheet->cells[i]);
        out->failed |= text.failed;
        table_cell(&table, strbuf_text(&text));
    }
    table_text(&table, out);
    out->failed |= table.cells.failed;
    table_done(&table);
}

static bool
is_left(const struct sheet *sheet, size_t column)
{
    return column == 0 || sheet->columns[column].unit == UNIT_TEXT;
}

static void
append_markdown_form(const struct sheet *sheet, struct strbuf *out)
{
    size_t count;
    FREE_AUTO bool *shown = find_shown(sheet, &count);

    out->failed |= shown == NULL;
    if (shown == NULL)
        return;
    for (size_t i = 0; i < sheet->column_count; i++)
        if (shown[i])
            strbuf_printf(out, "| %s ", sheet->columns[i].heading);
    strbuf_puts(out, "|\n");
    for (size_t i = 0; i < sheet->column_count; i++)
        if (shown[i])
            strbuf_puts(out, is_left(sheet, i) ? "| --- " : "| ---: ");
    strbuf_puts(out, "|\n");
    for (size_t i = 0; i < sheet->count; i++) {
        size_t column = i % sheet->column_count;

        if (shown[column]) {
            STRBUF_AUTO text = {0};

            append_for_people(&text, &sheet->columns[column], &sheet->cells[i]);
            out->failed |= text.failed;
            strbuf_puts(out, "| ");
            markdown_text(out, strbuf_text(&text));
            strbuf_putc(out, ' ');
        }
        if (column + 1 == sheet->column_count)
            strbuf_puts(out, "|\n");
    }
}

static void
append_csv_cell(struct strbuf *out, const struct sheet_cell *cell)
{
    STRBUF_AUTO text = {0};

    if (!cell->is_known)
        return;
    switch (cell->unit) {
    case UNIT_TEXT:
        escape_terminal(&text, cell->text, strlen(cell->text));
        out->failed |= text.failed;
        escape_csv(out, strbuf_text(&text));
        break;
    case UNIT_SECONDS:
        strbuf_printf(out, "%.6f", cell->number);
        break;
    case UNIT_PERCENT:
        strbuf_printf(out, "%.3f", cell->number);
        break;
    case UNIT_BOOL:
        strbuf_puts(out, cell->number > 0 ? "true" : "false");
        break;
    case UNIT_COUNT:
    case UNIT_BYTES:
    default:
        strbuf_printf(out, "%.0f", cell->number);
    }
}

static void
append_csv_form(const struct sheet *sheet, struct strbuf *out)
{
    const char *before = "";

    for (size_t i = 0; i < sheet->column_count; i++) {
        if (sheet->columns[i].key == NULL)
            continue;
        strbuf_printf(out, "%s%s", before, sheet->columns[i].key);
        before = ",";
    }
    for (size_t i = 0; i < sheet->count; i++) {
        size_t column = i % sheet->column_count;

        before = column == 0 ? "\n" : before;
        if (sheet->columns[column].key == NULL)
            continue;
        strbuf_puts(out, before);
        append_csv_cell(out, &sheet->cells[i]);
        before = ",";
    }
    strbuf_putc(out, '\n');
}

void
sheet_append(const struct sheet *sheet, enum form form, struct strbuf *out)
{
    out->failed |= sheet->failed;
    switch (form) {
    case FORM_MARKDOWN:
        append_markdown_form(sheet, out);
        break;
    case FORM_CSV:
        append_csv_form(sheet, out);
        break;
    case FORM_TEXT:
    case FORM_JSON:
    default:
        append_text_form(sheet, out);
    }
}

static json_t *
cell_json(const struct sheet_cell *cell)
{
    STRBUF_AUTO text = {0};
    int64_t whole;

    if (!cell->is_known)
        return json_null();
    switch (cell->unit) {
    case UNIT_TEXT:
        escape_utf8(&text, cell->text, strlen(cell->text));
        return text.failed ? NULL : json_stringn(strbuf_text(&text), text.size);
    case UNIT_BOOL:
        return json_boolean(cell->number > 0);
    case UNIT_COUNT:
    case UNIT_BYTES:
        whole = num_from_double(cell->number);
        return whole != NUM_UNKNOWN ? json_integer(whole)
                                    : json_real(cell->number);
    case UNIT_SECONDS:
    case UNIT_PERCENT:
    default:
        return json_real(cell->number);
    }
}

struct json_t *
sheet_json(const struct sheet *sheet)
{
    json_t *list = json_array();
    json_t *object = NULL;

    for (size_t i = 0; i < sheet->count; i++) {
        size_t column = i % sheet->column_count;

        if (column == 0)
            object = json_object();
        if (sheet->columns[column].key != NULL)
            json_build_put(&object, sheet->columns[column].key,
                           cell_json(&sheet->cells[i]));
        if (column == sheet->column_count - 1)
            json_build_add(&list, object);
    }
    return list;
}
