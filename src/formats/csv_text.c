/* SPDX-License-Identifier: MIT */
/* A CSV reader over memory, and the quoting of fields. */
#include "formats/csv_text.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

void
csv_text_init(struct csv_text *csv, const char *text, size_t size)
{
    *csv = (struct csv_text){.text = text, .size = size, .next_line = 1};
}

void
csv_text_done(struct csv_text *csv)
{
    strbuf_done(&csv->buf);
}

const char *
csv_text_field(const struct csv_text *csv, size_t index)
{
    return index < csv->count ? strbuf_text(&csv->buf) + csv->offsets[index]
                              : NULL;
}

static int
peek(const struct csv_text *csv)
{
    return csv->at < csv->size ? (unsigned char)csv->text[csv->at] : -1;
}

static bool
begin_field(struct csv_text *csv)
{
    if (csv->count == CSV_MOST_FIELDS)
        return false;
    csv->offsets[csv->count++] = csv->buf.size;
    return true;
}

/* Reads from after the opening quote to after the closing one. */
static bool
read_quoted(struct csv_text *csv)
{
    int c;

    while ((c = peek(csv)) >= 0) {
        if (c == '\0')
            return false;
        csv->at++;
        if (c == '\n')
            csv->next_line++;
        if (c == '"') {
            if (peek(csv) != '"')
                return true;
            csv->at++;
        }
        strbuf_putc(&csv->buf, (char)c);
    }
    return false;
}

static void
read_plain(struct csv_text *csv)
{
    int c;

    while ((c = peek(csv)) > 0 && c != ',' && c != '\n' && c != '\r') {
        strbuf_putc(&csv->buf, (char)c);
        csv->at++;
    }
}

/* Reads the line end of a record; a torn record has none. */
static bool
read_line_end(struct csv_text *csv)
{
    if (peek(csv) == '\r')
        csv->at++;
    if (peek(csv) != '\n')
        return false;
    csv->at++;
    csv->next_line++;
    return true;
}

static bool
read_record(struct csv_text *csv)
{
    for (;;) {
        if (!begin_field(csv))
            return false;
        if (peek(csv) == '"') {
            csv->at++;
            if (!read_quoted(csv))
                return false;
        } else {
            read_plain(csv);
        }
        strbuf_putc(&csv->buf, '\0');
        if (peek(csv) != ',')
            return read_line_end(csv);
        csv->at++;
    }
}

int
csv_text_next(struct csv_text *csv)
{
    size_t begin = csv->at;
    const char *end;

    if (csv->at >= csv->size)
        return 1;
    csv->line = csv->next_line;
    csv->count = 0;
    strbuf_reset(&csv->buf);
    if (read_record(csv) && !csv->buf.failed)
        return 0;
    csv->is_cut = csv->at == csv->size;
    end = memchr(csv->text + begin, '\n', csv->size - begin);
    csv->at = end != NULL ? (size_t)(end - csv->text) + 1 : csv->size;
    csv->next_line = csv->line + 1;
    csv->count = 0;
    return -EBADMSG;
}

void
csv_text_quote(struct strbuf *out, const char *text)
{
    strbuf_putc(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            strbuf_putc(out, '"');
        strbuf_putc(out, *text);
    }
    strbuf_putc(out, '"');
}
