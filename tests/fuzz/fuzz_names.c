/* SPDX-License-Identifier: MIT */
/*
 * Names of files with their letters, words of a shell line, names of monitors,
 * and every way in which a hostile text is printed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/shell_words.h"
#include "formats/csv_text.h"
#include "fuzz/fuzz.h"
#include "host/monitor.h"
#include "host/names.h"
#include "views/markdown.h"

static const char *
rank(const char *name)
{
    return strcmp(name, "PMI_RANK") == 0 ? "../3" : NULL;
}

static size_t
count_slashes(const char *text)
{
    size_t count = 0;

    for (; *text != '\0'; text++)
        count += *text == '/';
    return count;
}

/* No value of a letter leads to another folder. */
static void
check_names(const char *text)
{
    struct names names = {
        .host = "h/h", .pid = 5, .step = "s/s", .environment = rank};
    STRBUF_AUTO out = {0};
    struct error error = {0};

    if (names_expand(&names, text, "--log", &out, &error) < 0)
        fuzz_check_error(&error);
    else
        FUZZ_CHECK(count_slashes(strbuf_text(&out)) == count_slashes(text));
}

static void
check_words(const char *text)
{
    struct shell_words words = {0};
    int rc = shell_words_split(text, &words);

    FUZZ_CHECK(rc == 0 || rc == 1 || rc == -EINVAL);
    for (size_t i = 0; rc == 0 && i < words.count; i++)
        FUZZ_CHECK(strlen(words.list[i]) <= strlen(text));
    if (rc == 0)
        FUZZ_CHECK(words.list == NULL || words.list[words.count] == NULL);
    shell_words_done(&words);
}

static void
check_monitor(const char *text)
{
    struct monitor monitor;
    STRBUF_AUTO out = {0};

    if (!monitor_parse(text, &monitor))
        return;
    monitor_append(&out, &monitor);
    FUZZ_CHECK(monitor_parse(strbuf_text(&out), &monitor));
}

/* A field of a CSV reads back, with a ' before what is a formula. */
static void
check_csv(const char *text)
{
    STRBUF_AUTO out = {0};
    struct csv_text csv;
    const char *field;

    escape_csv(&out, text);
    strbuf_putc(&out, '\n');
    csv_text_init(&csv, strbuf_text(&out), out.size);
    FUZZ_CHECK(csv_text_next(&csv) == 0 && csv.count == 1);
    field = csv_text_field(&csv, 0);
    if (*text != '\0' && strchr("=+-@", *text) != NULL)
        FUZZ_CHECK(*field++ == '\'');
    FUZZ_CHECK(strcmp(field, text) == 0);
    csv_text_done(&csv);
}

static void
check_escapes(const char *text)
{
    STRBUF_AUTO out = {0};
    struct shell_words words = {0};

    escape_shell(&out, text);
    FUZZ_CHECK(shell_words_split(strbuf_text(&out), &words) >= 0);
    if (words.list != NULL && strchr(text, '\n') == NULL)
        FUZZ_CHECK(words.count == 1 && strcmp(words.list[0], text) == 0);
    shell_words_done(&words);
    strbuf_reset(&out);
    escape_utf8(&out, text, strlen(text));
    for (size_t at = 0, size; at < out.size; at += size) {
        size = escape_utf8_length(out.text + at, out.size - at);
        FUZZ_CHECK(size > 0);
    }
    strbuf_reset(&out);
    markdown_text(&out, text);
    FUZZ_CHECK(strpbrk(strbuf_text(&out), "|\n`") == NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);

    check_names(text);
    check_words(text);
    check_monitor(text);
    check_csv(text);
    check_escapes(text);
    free(text);
    return 0;
}
