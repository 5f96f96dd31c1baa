/* SPDX-License-Identifier: MIT */
/* Text in columns: wide and combining characters, hostile bytes. */
#include "views/cells.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"

int
cells_init(struct cells *cells, int width, bool is_ascii)
{
    *cells = (struct cells){.width = width, .is_ascii = is_ascii};
    cells->list = calloc((size_t)width + 1, sizeof(*cells->list));
    return cells->list != NULL ? 0 : -ENOMEM;
}

void
cells_done(struct cells *cells)
{
    free(cells->list);
    *cells = (struct cells){0};
}

void
cells_clear(struct cells *cells)
{
    memset(cells->list, 0, (size_t)cells->width * sizeof(*cells->list));
}

/* Unicode 15, EastAsianWidth W and F, roughly; combining marks take none. */
static int
width_of(uint32_t c)
{
    static const struct {
        uint32_t first;
        uint32_t last;
        int width;
    } ranges[] = {
        {0x300, 0x36F, 0},     {0x1100, 0x115F, 2},   {0x200B, 0x200F, 0},
        {0x2E80, 0xA4CF, 2},   {0xAC00, 0xD7A3, 2},   {0xF900, 0xFAFF, 2},
        {0xFE00, 0xFE0F, 0},   {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2},
        {0xFFE0, 0xFFE6, 2},   {0x1F300, 0x1F64F, 2}, {0x1F680, 0x1F6FF, 2},
        {0x1F900, 0x1F9FF, 2}, {0x20000, 0x3FFFD, 2}};

    for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return ranges[i].width;
    return 1;
}

static uint32_t
decode(const char *text, size_t length)
{
    static const unsigned char mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t value = (unsigned char)text[0] & mask[length];

    for (size_t i = 1; i < length; i++)
        value = value << 6 | ((unsigned char)text[i] & 0x3F);
    return value;
}

int
cells_width(const char *text)
{
    size_t size = strlen(text);
    size_t length;
    int width = 0;

    for (size_t at = 0; at < size; at += length) {
        length = escape_utf8_length(text + at, size - at);
        width += length > 0 ? width_of(decode(text + at, length)) : 1;
        length = length > 0 ? length : 1;
    }
    return width;
}

/* One character of length bytes at a column. */
static void
put_one(struct cells *cells, int at, const char *text, size_t length, int width)
{
    if (at < 0 || at + width > cells->width)
        return;
    memset(cells->list[at], 0, sizeof(cells->list[at]));
    memcpy(cells->list[at], text, length);
    if (width == 2) /* its right half: nothing is printed for it */
        memcpy(cells->list[at + 1], "\1", 2);
}

int
cells_put(struct cells *cells, int at, const char *text)
{
    STRBUF_AUTO plain = {0};
    const char *from;
    size_t length;

    escape_terminal(&plain, text, strlen(text));
    from = strbuf_text(&plain);
    for (; *from != '\0'; from += length) {
        int width;

        length = escape_utf8_length(from, strlen(from));
        width = width_of(decode(from, length));
        if (cells->is_ascii && length > 1)
            put_one(cells, at, "?", 1, width = 1);
        else if (width > 0)
            put_one(cells, at, from, length, width);
        at += width;
    }
    return at;
}

int
cells_put_most(struct cells *cells, int at, int most, const char *text)
{
    int width = cells->width;
    int end;

    if (at + most < width)
        cells->width = at + most;
    end = cells_put(cells, at, text);
    if (end > cells->width) {
        end = cells->width;
        if (most > 1)
            cells_put(cells, end - 1, cells->is_ascii ? "." : "\xE2\x80\xA6");
    }
    cells->width = width;
    return end;
}

void
cells_put_right(struct cells *cells, int end, const char *text)
{
    int width = cells_width(text);

    cells_put(cells, end - width > 0 ? end - width : 0, text);
}

void
cells_append(const struct cells *cells, struct strbuf *out)
{
    int end = cells->width;

    while (end > 0 && cells->list[end - 1][0] == '\0')
        end--;
    for (int i = 0; i < end; i++)
        if (cells->list[i][0] != '\1')
            strbuf_puts(out, cells->list[i][0] != '\0' ? cells->list[i] : " ");
    strbuf_putc(out, '\n');
}
