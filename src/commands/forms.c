/* SPDX-License-Identifier: MIT */
/* --format, and output to stdout. */
#include "commands/forms.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/escape.h"
#include "base/json_build.h"
#include "views/sheet.h"

const char *const forms_all[] = {[FORM_TEXT] = "text",
                                 [FORM_MARKDOWN] = "markdown",
                                 [FORM_CSV] = "csv",
                                 [FORM_JSON] = "json",
                                 NULL};

const char *const forms_without_csv[] = {[FORM_TEXT] = "text",
                                         [FORM_MARKDOWN] = "markdown",
                                         [FORM_CSV] = "",
                                         [FORM_JSON] = "json",
                                         NULL};

int
forms_print_help(const struct option_table *table, struct error *error)
{
    STRBUF_AUTO out = {0};

    option_table_help(table, &out);
    return forms_print(&out, error);
}

int
forms_print(struct strbuf *out, struct error *error)
{
    if (out->failed)
        return error_no_memory(error);
    escape_lines(out);
    if (fwrite(strbuf_text(out), 1, out->size, stdout) != out->size)
        return error_unwritable(error, -errno, "standard output");
    return 0;
}

/* Escapes ##[, which GitHub takes for a command, without changing the value. */
static void
append_json(struct strbuf *out, const char *text)
{
    static const char begin[] = "##[";
    const char *at;

    for (; (at = strstr(text, begin)) != NULL; text = at + strlen(begin)) {
        strbuf_append(out, text, (size_t)(at - text));
        strbuf_puts(out, "##\\u005b");
    }
    strbuf_puts(out, text);
}

int
forms_print_json(struct json_t *root, struct error *error)
{
    STRBUF_AUTO text = {0};
    STRBUF_AUTO out = {0};

    if (json_build_print(root, JSON_INDENT(1) | JSON_REAL_PRECISION(15),
                         &text) < 0)
        return error_no_memory(error);
    append_json(&out, strbuf_text(&text));
    out.failed |= text.failed;
    return forms_print(&out, error);
}
