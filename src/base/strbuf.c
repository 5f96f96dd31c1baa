/* SPDX-License-Identifier: MIT */
/* The growing string; see strbuf.h for ownership. */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
strbuf_init(struct strbuf *buf)
{
    *buf = (struct strbuf){0};
}

void
strbuf_done(struct strbuf *buf)
{
    if (buf == NULL)
        return;
    free(buf->text);
    strbuf_init(buf);
}

void
strbuf_reset(struct strbuf *buf)
{
    buf->size = 0;
    buf->failed = false;
    if (buf->text != NULL)
        buf->text[0] = '\0';
}

char *
strbuf_reserve(struct strbuf *buf, size_t size)
{
    size_t wanted = buf->size + size + 1;
    size_t allocated = buf->allocated < 64 ? 64 : buf->allocated;
    char *text;

    if (buf->failed || wanted < size || wanted > SIZE_MAX / 2) {
        buf->failed = true;
        return NULL;
    }
    if (wanted <= buf->allocated)
        return buf->text + buf->size;
    while (allocated < wanted)
        allocated *= 2;
    text = realloc(buf->text, allocated);
    if (text == NULL) {
        buf->failed = true;
        return NULL;
    }
    text[buf->size] = '\0';
    buf->text = text;
    buf->allocated = allocated;
    return text + buf->size;
}

void
strbuf_commit(struct strbuf *buf, size_t size)
{
    buf->size += size;
    buf->text[buf->size] = '\0';
}

void
strbuf_append(struct strbuf *buf, const char *text, size_t size)
{
    char *where = strbuf_reserve(buf, size);

    if (where == NULL)
        return;
    memcpy(where, text, size);
    strbuf_commit(buf, size);
}

void
strbuf_puts(struct strbuf *buf, const char *text)
{
    strbuf_append(buf, text, strlen(text));
}

void
strbuf_putc(struct strbuf *buf, char c)
{
    strbuf_append(buf, &c, 1);
}

void
strbuf_printf(struct strbuf *buf, const char *format, ...)
{
    enum { LIKELY = 128 };
    char *where = strbuf_reserve(buf, LIKELY);
    size_t room = where != NULL ? buf->allocated - buf->size : 0;
    va_list args;
    int size;

    va_start(args, format);
    size = vsnprintf(where, room, format, args);
    va_end(args);
    if (size >= 0 && (size_t)size < room) {
        strbuf_commit(buf, (size_t)size);
        return;
    }
    where = size < 0 ? NULL : strbuf_reserve(buf, (size_t)size);
    if (where == NULL) {
        buf->failed = true;
        /* A truncated text, such as part of a path, must not be used. */
        if (buf->text != NULL)
            buf->text[buf->size] = '\0';
        return;
    }
    va_start(args, format);
    vsnprintf(where, (size_t)size + 1, format, args);
    va_end(args);
    strbuf_commit(buf, (size_t)size);
}

char *
strbuf_steal(struct strbuf *buf)
{
    char *text = NULL;

    if (!buf->failed && strbuf_reserve(buf, 0) != NULL) {
        text = buf->text;
        buf->text = NULL;
    }
    strbuf_done(buf);
    return text;
}
