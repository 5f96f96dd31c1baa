/* SPDX-License-Identifier: MIT */
/* Reads files of variables, whatever their names. */
#include "watch/env_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/file.h"

static const char blanks[] = " \t\r";

/* Reads `NAME=` and moves *text after it. */
static bool
take_name(struct env_file *file, const char **text)
{
    size_t size = 0;
    const char *name = *text;

    if (isdigit((unsigned char)*name))
        return false;
    while (isalnum((unsigned char)name[size]) || name[size] == '_')
        size++;
    if (size == 0 || name[size] != '=')
        return false;
    strbuf_append(&file->text, name, size);
    strbuf_putc(&file->text, '\0');
    *text = name + size + 1;
    return true;
}

/* Reads a quoted value; a backslash escapes only ", \, ` and $. */
static bool
take_quoted(struct env_file *file, const char **text)
{
    char quote = *(*text)++;

    for (; **text != '\0' && **text != quote; (*text)++) {
        if (quote == '"' && **text == '\\' && (*text)[1] != '\0' &&
            strchr("\"\\`$", (*text)[1]) != NULL)
            (*text)++;
        strbuf_putc(&file->text, **text);
    }
    if (**text == '\0')
        return false;
    (*text)++;
    return true;
}

/* Reads to the end of the line, without the blanks there. */
static void
take_plain(struct env_file *file, const char **text)
{
    size_t kept = file->text.size;

    for (; **text != '\0' && **text != '\n'; (*text)++) {
        if (**text == '\\' && (*text)[1] == '\n') {
            (*text)++;
            continue;
        }
        if (**text == '\\' && (*text)[1] != '\0')
            (*text)++;
        strbuf_putc(&file->text, **text);
        if (strchr(blanks, **text) == NULL)
            kept = file->text.size;
    }
    file->text.size = kept;
}

static bool
take_line(struct env_file *file, const char **text)
{
    if (!take_name(file, text))
        return false;
    *text += strspn(*text, blanks);
    if (**text == '"' || **text == '\'') {
        if (!take_quoted(file, text))
            return false;
        *text += strspn(*text, blanks);
    } else {
        take_plain(file, text);
    }
    strbuf_putc(&file->text, '\0');
    return **text == '\0' || **text == '\n';
}

int
env_file_parse(struct env_file *file, const char *text, const char *path,
               struct error *error)
{
    const char *at = text;

    *file = (struct env_file){0};
    while (*at != '\0') {
        const char *begin = at;
        int line = 1;

        at += strspn(at, " \t\r\n");
        if (*at == '#' || *at == ';')
            at += strcspn(at, "\n");
        else if (*at != '\0' && !take_line(file, &at)) {
            begin += strspn(begin, " \t\r\n");
            for (const char *c = text; c < begin; c++)
                line += *c == '\n';
            env_file_done(file);
            return error_in_line(error, -EINVAL, path, line,
                                 "neither NAME=VALUE nor a comment");
        }
    }
    return file->text.failed ? -ENOMEM : 0;
}

int
env_file_read(struct env_file *file, const char *path, struct error *error)
{
    STRBUF_AUTO text = {0};
    int rc = file_read_all(path, &text);

    *file = (struct env_file){0};
    if (rc < 0)
        return error_set(error, rc, "--env-file %s: cannot be read: %s", path,
                         error_name(rc));
    return env_file_parse(file, strbuf_text(&text), path, error);
}

void
env_file_done(struct env_file *file)
{
    strbuf_done(&file->text);
}

const char *
env_file_find(const struct env_file *file, const char *name)
{
    const char *at = strbuf_text(&file->text);
    const char *end = at + file->text.size;
    const char *found = NULL;

    while (at < end) {
        const char *value = at + strlen(at) + 1;

        if (strcmp(at, name) == 0)
            found = value;
        at = value + strlen(value) + 1;
    }
    return found;
}
