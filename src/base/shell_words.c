/* SPDX-License-Identifier: MIT */
/*
 * Splits a command line.  wordexp(3) would also expand it, and so hide whether
 * a shell is needed; this only detects that.
 */
#include "base/shell_words.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A position in the text, and in the words that are written. */
struct splitter {
    const char *from;
    char *to;
};

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Needs a shell if it is outside quotes. */
static bool
is_for_shell(char c)
{
    return strchr("|&;<>()$`*?[]{}~#\n", c) != NULL;
}

/* NAME=… before the command sets a variable. */
static bool
is_assignment(const char *word)
{
    size_t size = strspn(word, "abcdefghijklmnopqrstuvwxyz_0123456789"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    return size > 0 && word[size] == '=' && !(*word >= '0' && *word <= '9');
}

static int
take_single_quoted(struct splitter *at)
{
    const char *end = strchr(++at->from, '\'');

    if (end == NULL)
        return -EINVAL;
    while (at->from < end)
        *at->to++ = *at->from++;
    at->from++;
    return 0;
}

static int
take_double_quoted(struct splitter *at)
{
    for (at->from++; *at->from != '"'; at->from++) {
        if (*at->from == '\0')
            return -EINVAL;
        if (*at->from == '$' || *at->from == '`')
            return 1;
        if (*at->from == '\\' && at->from[1] != '\0' &&
            strchr("$`\"\\\n", at->from[1]) != NULL && *++at->from == '\n')
            continue;
        *at->to++ = *at->from;
    }
    at->from++;
    return 0;
}

/* `\x` is x; a backslash before a line end joins the lines. */
static int
take_escaped(struct splitter *at)
{
    if (at->from[1] == '\0')
        return -EINVAL;
    if (at->from[1] != '\n')
        *at->to++ = at->from[1];
    at->from += 2;
    return 0;
}

static int
take_word(struct splitter *at)
{
    int rc = 0;

    while (rc == 0 && *at->from != '\0' && !is_blank(*at->from)) {
        if (*at->from == '\'')
            rc = take_single_quoted(at);
        else if (*at->from == '"')
            rc = take_double_quoted(at);
        else if (*at->from == '\\')
            rc = take_escaped(at);
        else if (is_for_shell(*at->from))
            rc = 1;
        else
            *at->to++ = *at->from++;
    }
    *at->to++ = '\0';
    return rc;
}

static void
skip_blanks(struct splitter *at)
{
    for (;;) {
        if (is_blank(*at->from))
            at->from++;
        else if (at->from[0] == '\\' && at->from[1] == '\n')
            at->from += 2;
        else
            return;
    }
}

int
shell_words_split(const char *text, struct shell_words *ret_words)
{
    size_t size = strlen(text);
    struct shell_words words = {.list =
                                    calloc(size / 2 + 2, sizeof(*words.list)),
                                .text = malloc(size + 2)};
    struct splitter at = {.from = text, .to = words.text};
    int rc = words.list != NULL && words.text != NULL ? 0 : -ENOMEM;

    if (rc == 0)
        skip_blanks(&at);
    if (rc == 0 && is_assignment(at.from))
        rc = 1;
    while (rc == 0 && *at.from != '\0') {
        words.list[words.count++] = at.to;
        rc = take_word(&at);
        skip_blanks(&at);
    }
    if (rc != 0) {
        shell_words_done(&words);
        return rc;
    }
    *ret_words = words;
    return 0;
}

void
shell_words_done(struct shell_words *words)
{
    free(words->list);
    free(words->text);
    *words = (struct shell_words){0};
}
