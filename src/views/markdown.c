/* SPDX-License-Identifier: MIT */
/* Names of files and steps as they are, all others as entities. */
#include "views/markdown.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/escape.h"

/* An underscore between letters or digits marks nothing. */
static bool
is_plain_at(const char *text, const char *at)
{
    unsigned char c = (unsigned char)*at;

    if (c == '_')
        return at > text && isalnum((unsigned char)at[-1]) &&
               isalnum((unsigned char)at[1]);
    return isalnum(c) || c >= 0x80 || strchr(" .,-/+=%()", c) != NULL;
}

static bool
is_plain(const char *text)
{
    if (strstr(text, "www.") != NULL) /* a link without a scheme */
        return false;
    for (const char *at = text; *at != '\0'; at++)
        if (!is_plain_at(text, at))
            return false;
    return true;
}

void
markdown_text(struct strbuf *out, const char *text)
{
    STRBUF_AUTO clean = {0};
    const char *at;

    escape_terminal(&clean, text, strlen(text));
    at = strbuf_text(&clean);
    if (is_plain(at)) {
        strbuf_puts(out, at);
        return;
    }
    strbuf_puts(out, "<code>");
    for (; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;

        if (isalnum(c) || c >= 0x80 || strchr(" ./-", c) != NULL)
            strbuf_putc(out, *at);
        else
            strbuf_printf(out, "&#%d;", c);
    }
    strbuf_puts(out, "</code>");
}
