/* SPDX-License-Identifier: MIT */
/*
 * Names the parts of gnuplot's SVG.  A browser shows them as the title of the
 * page and as tooltips; gnuplot's own are "Gnuplot" and columns of data.
 */
#include <errno.h>
#include <string.h>

#include "views/picture.h"

/* One line of titles, as text of XML; moves on to the next. */
static void
append_title(struct strbuf *out, const char **titles)
{
    for (; **titles != '\0' && **titles != '\n'; (*titles)++)
        switch (**titles) {
        case '&':
            strbuf_puts(out, "&amp;");
            break;
        case '<':
            strbuf_puts(out, "&lt;");
            break;
        case '>':
            strbuf_puts(out, "&gt;");
            break;
        default:
            strbuf_putc(out, **titles);
        }
    *titles += **titles == '\n' ? 1 : 0;
}

int
picture_title_svg(struct strbuf *svg, const struct strbuf *titles)
{
    static const char begin[] = "<title>";
    static const char end[] = "</title>";
    const char *title = strbuf_text(titles);
    const char *from = strbuf_text(svg);
    const char *at;
    STRBUF_AUTO out = {0};

    while (*title != '\0' && (at = strstr(from, begin)) != NULL) {
        const char *rest = strstr(at, end);

        if (rest == NULL)
            break;
        at += strlen(begin);
        strbuf_append(&out, from, (size_t)(at - from));
        append_title(&out, &title);
        from = rest;
    }
    strbuf_puts(&out, from);
    strbuf_reset(svg);
    strbuf_append(svg, strbuf_text(&out), out.size);
    return out.failed || svg->failed ? -ENOMEM : 0;
}
