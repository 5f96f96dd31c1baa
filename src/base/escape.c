/* SPDX-License-Identifier: MIT */
/* Escapes for JSON, CSV, shells and terminals. */
#include "base/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/strbuf.h"

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

static size_t
expected_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return 2;
    if (first >= 0xE0 && first <= 0xEF)
        return 3;
    if (first >= 0xF0 && first <= 0xF4)
        return 4;
    return 0;
}

static uint32_t
decode(const unsigned char *bytes, size_t length)
{
    static const unsigned char mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t value = bytes[0] & mask[length];

    for (size_t i = 1; i < length; i++)
        value = (value << 6) | (bytes[i] & 0x3F);
    return value;
}

size_t
escape_utf8_length(const char *text, size_t size)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length = size > 0 ? expected_length(bytes[0]) : 0;
    uint32_t value;

    if (length == 0 || length > size)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
    value = decode(bytes, length);
    if (value < smallest[length] || value > 0x10FFFF ||
        (value >= 0xD800 && value <= 0xDFFF))
        return 0;
    return length;
}

static bool
is_acted_upon(uint32_t value)
{
    return value < 0x20 || (value >= 0x7F && value < 0xA0) || value == 0x61C ||
           (value >= 0x200B && value <= 0x200F) ||
           (value >= 0x2028 && value <= 0x202E) ||
           (value >= 0x2060 && value <= 0x206F) || value == 0xFEFF;
}

void
escape_utf8(struct strbuf *out, const char *text, size_t size)
{
    size_t length;

    for (size_t at = 0; at < size; at += length) {
        length = escape_utf8_length(text + at, size - at);
        if (length > 0) {
            strbuf_append(out, text + at, length);
        } else {
            strbuf_append(out, replacement, sizeof(replacement) - 1);
            length = 1;
        }
    }
}

/* GitHub acts upon ##[command] wherever it stands in a line. */
static void
defuse_brackets(char *text, size_t size)
{
    static const char begin[] = {'#', '#', '['};
    char *end = text + size;
    char *at;

    while ((at = memmem(text, (size_t)(end - text), begin, sizeof(begin))) !=
           NULL) {
        at[2] = '?';
        text = at + sizeof(begin);
    }
}

/* White space that a GitHub runner trims at the beginning of a line. */
static size_t
blank_length(const char *text, size_t size)
{
    size_t length = escape_utf8_length(text, size);
    uint32_t value =
        length > 0 ? decode((const unsigned char *)text, length) : 0;

    return value == ' ' || value == 0xA0 || value == 0x1680 ||
                   (value >= 0x2000 && value <= 0x200A) || value == 0x202F ||
                   value == 0x205F || value == 0x3000
               ? length
               : 0;
}

void
escape_lines(struct strbuf *text)
{
    char *end = text->text + text->size;
    char *at = text->text;

    while (at != NULL && at < end) {
        size_t length;

        while ((length = blank_length(at, (size_t)(end - at))) > 0)
            at += length;
        if (end - at >= 2 && at[0] == ':' && at[1] == ':')
            at[0] = '?';
        at = memchr(at, '\n', (size_t)(end - at));
        at = at != NULL ? at + 1 : NULL;
    }
    if (text->size > 0)
        defuse_brackets(text->text, text->size);
}

/* Escapes size bytes at text to where; returns the number written. */
static size_t
escape_to(char *where, const char *text, size_t size)
{
    size_t written = 0;
    size_t length;

    for (size_t at = 0; at < size; at += length) {
        length = escape_utf8_length(text + at, size - at);
        if (length == 0 ||
            is_acted_upon(decode((const unsigned char *)text + at, length))) {
            where[written++] = '?';
            length = length == 0 ? 1 : length;
        } else {
            memmove(where + written, text + at, length);
            written += length;
        }
    }
    defuse_brackets(where, written);
    return written;
}

void
escape_terminal(struct strbuf *out, const char *text, size_t size)
{
    char *where = strbuf_reserve(out, size);

    if (where != NULL)
        strbuf_commit(out, escape_to(where, text, size));
}

void
escape_terminal_in_place(char *text)
{
    text[escape_to(text, text, strlen(text))] = '\0';
}

void
escape_csv(struct strbuf *out, const char *text)
{
    STRBUF_AUTO defused = {0};

    if (*text != '\0' && strchr("=+-@", *text) != NULL) {
        strbuf_printf(&defused, "'%s", text);
        text = strbuf_text(&defused);
    }
    if (*text != '\0' && strpbrk(text, ",\"\r\n") == NULL) {
        strbuf_puts(out, text);
        return;
    }
    strbuf_putc(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            strbuf_putc(out, '"');
        strbuf_putc(out, *text);
    }
    strbuf_putc(out, '"');
}

void
escape_shell(struct strbuf *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+./:,@%=";

    if (*text != '\0' && text[strspn(text, plain)] == '\0') {
        strbuf_puts(out, text);
        return;
    }
    strbuf_putc(out, '\'');
    for (; *text != '\0'; text++)
        if (*text == '\'')
            strbuf_puts(out, "'\\''");
        else
            strbuf_putc(out, *text);
    strbuf_putc(out, '\'');
}
