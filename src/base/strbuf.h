/* SPDX-License-Identifier: MIT */
/*
 * A growing string.  text ends in a NUL byte, or is NULL while nothing was
 * ever appended; it belongs to the buffer until strbuf_done.  When memory
 * runs out the buffer keeps what it has and failed stays set: check it once,
 * at the end.
 */
#ifndef PMON_BASE_STRBUF_H
#define PMON_BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf {
    char *text;
    size_t size; /* bytes in use, without the NUL byte */
    size_t allocated;
    bool failed;
};

void strbuf_init(struct strbuf *buf);
void strbuf_done(struct strbuf *buf);
void strbuf_reset(struct strbuf *buf);

/* The text, never NULL, to read until the next change. */
static inline const char *
strbuf_text(const struct strbuf *buf)
{
    return buf->text != NULL ? buf->text : "";
}

void strbuf_append(struct strbuf *buf, const char *text, size_t size);
void strbuf_puts(struct strbuf *buf, const char *text);
void strbuf_putc(struct strbuf *buf, char c);
void strbuf_printf(struct strbuf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Room for size more bytes, to be filled by the caller and then taken over
 * with strbuf_commit; NULL (and failed set) when there is no memory.
 */
char *strbuf_reserve(struct strbuf *buf, size_t size);
void strbuf_commit(struct strbuf *buf, size_t size);

/* The text, now the caller's to free; NULL when the buffer failed. */
char *strbuf_steal(struct strbuf *buf);

/* STRBUF_AUTO buf = {0}; is freed at the end of its scope. */
#define STRBUF_AUTO __attribute__((cleanup(strbuf_done))) struct strbuf

#endif
