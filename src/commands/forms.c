/* SPDX-License-Identifier: MIT */
/* --format, wrong options, and output to stdout. */
#include "commands/forms.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/json_build.h"
#include "base/near.h"

int
forms_parse(const char *value, bool has_csv, enum form *ret_form,
            struct error *error)
{
    static const char *const names[] = {
        [FORM_TEXT] = "text",
        [FORM_MARKDOWN] = "markdown",
        [FORM_CSV] = "csv",
        [FORM_JSON] = "json",
    };

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strcmp(value, names[i]) == 0 && (has_csv || i != FORM_CSV)) {
            *ret_form = (enum form)i;
            return 0;
        }
    return error_set(error, -EINVAL, "--format %.64s: text, markdown%s or json",
                     value, has_csv ? ", csv" : "");
}

int
forms_say_option(const char *command, int code, char **argv,
                 const struct option *options, struct error *error)
{
    STRBUF_AUTO hint = {0};
    struct near near;

    near_init(&near, argv[optind - 1]);
    for (; options->name != NULL; options++) {
        near_try(&near, options->name);
        if (optopt <= 0 || options->val != optopt)
            continue;
        return error_set(error, -EINVAL, "%s: --%s %s", command, options->name,
                         code == ':' ? "needs a value" : "takes no value");
    }
    near_append_option(&near, &hint);
    return error_set(error, -EINVAL,
                     "%s: %.64s: no such option%s (pmon %s --help)", command,
                     argv[optind - 1], strbuf_text(&hint), command);
}

int
forms_print(struct strbuf *out, const char *command, struct error *error)
{
    if (out->failed)
        return error_no_memory(error);
    escape_lines(out);
    if (fwrite(strbuf_text(out), 1, out->size, stdout) != out->size)
        return error_set(error, -errno, "%s: cannot write: %s", command,
                         error_name(errno));
    return 0;
}

/* The value of a text stays what it is, without ##[ in the output. */
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
forms_print_json(struct json_t *root, const char *command, struct error *error)
{
    STRBUF_AUTO text = {0};
    STRBUF_AUTO out = {0};

    if (json_build_print(root, JSON_INDENT(1) | JSON_REAL_PRECISION(15),
                         &text) < 0)
        return error_no_memory(error);
    append_json(&out, strbuf_text(&text));
    out.failed |= text.failed;
    return forms_print(&out, command, error);
}
