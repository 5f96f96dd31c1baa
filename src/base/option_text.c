/* SPDX-License-Identifier: MIT */
/* Tables of options for getopt_long(3). */
#include "base/option_text.h"

#include <errno.h>
#include <stdio.h>

#include "base/near.h"

/* Codes of long options, above all letters. */
enum { FIRST_CODE = 256 };

static const struct option_text *
text_at(const struct option_texts *texts, int i)
{
    return (const void *)((const char *)texts->rows +
                          (size_t)i * texts->row_size);
}

void
option_texts_getopt(const struct option_texts *texts,
                    struct option *long_options, char *letters)
{
    *letters++ = '+'; /* stop at the first that is no option */
    *letters++ = ':'; /* tell a missing argument from an unknown option */
    for (int i = 0; i < texts->count; i++) {
        const struct option_text *text = text_at(texts, i);

        long_options[i] = (struct option){
            .name = text->name,
            .has_arg = text->argument ? required_argument : no_argument,
            .val = FIRST_CODE + i};
        if (text->letter == 0)
            continue;
        *letters++ = text->letter;
        if (text->argument != NULL)
            *letters++ = ':';
    }
    *letters = '\0';
    long_options[texts->count] = (struct option){0};
}

int
option_texts_find(const struct option_texts *texts, int code)
{
    for (int i = 0; i < texts->count; i++)
        if (code == FIRST_CODE + i ||
            (code != 0 && code == text_at(texts, i)->letter))
            return i;
    return -1;
}

int
option_texts_refuse(const struct option_texts *texts, int code, char **argv,
                    struct error *error)
{
    int at = option_texts_find(texts, optopt);
    STRBUF_AUTO hint = {0};
    struct near near;

    if (code == ':' && at >= 0)
        return error_set(error, -EINVAL, "--%s needs %s",
                         text_at(texts, at)->name,
                         text_at(texts, at)->argument);
    if (at >= 0)
        return error_set(error, -EINVAL, "--%s takes no value",
                         text_at(texts, at)->name);
    if (optopt != 0)
        return error_set(error, -EINVAL, "-%c: no such option (%s)", optopt,
                         texts->help);
    near_init(&near, argv[optind - 1]);
    for (int i = 0; i < texts->count; i++)
        near_try(&near, text_at(texts, i)->name);
    near_append_option(&near, &hint);
    return error_set(error, -EINVAL, "%s: no such option%s (%s)",
                     argv[optind - 1], strbuf_text(&hint), texts->help);
}

void
option_texts_help(const struct option_texts *texts, struct strbuf *out)
{
    for (int i = 0; i < texts->count; i++) {
        const struct option_text *text = text_at(texts, i);
        char left[64];

        snprintf(left, sizeof(left), "%c%c%s --%s%s%s",
                 text->letter != 0 ? '-' : ' ',
                 text->letter != 0 ? text->letter : ' ',
                 text->letter != 0 ? "," : " ", text->name,
                 text->argument != NULL ? " " : "",
                 text->argument != NULL ? text->argument : "");
        strbuf_printf(out, "  %-*s %s\n", texts->width, left, text->help);
    }
}
