/* SPDX-License-Identifier: MIT */
/* Columns as wide as their widest cell. */
#include "views/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "views/cells.h"

void
table_init(struct table *table, size_t columns)
{
    *table = (struct table){.columns = columns};
}

void
table_done(struct table *table)
{
    strbuf_done(&table->cells);
}

void
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

void
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
