/* SPDX-License-Identifier: MIT */
/* What a folder stands for, and which files are parts of others. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands/report_state.h"
#include "commands/summary_folder.h"
#include "formats/file_kind.h"
#include "formats/psrecord_log.h"

static const char suffix[] = "_headers";

/* The length of NAME in NAME_headers; 0 for another name. */
static size_t
size_before_headers(const char *path)
{
    size_t size = strlen(path);

    return size > sizeof(suffix) - 1 &&
                   strcmp(path + size - (sizeof(suffix) - 1), suffix) == 0
               ? size - (sizeof(suffix) - 1)
               : 0;
}

int
report_say_headers(const char *path, struct error *error)
{
    size_t size = size_before_headers(path);

    if (size == 0)
        return 0;
    return error_set(error, -EINVAL,
                     "%s: has only column names; its rows are in %.*s", path,
                     (int)size, path);
}

bool
report_is_given(char *const *paths, const char *path)
{
    size_t size = size_before_headers(path);

    for (; size > 0 && *paths != NULL; paths++)
        if (strlen(*paths) == size && strncmp(*paths, path, size) == 0)
            return true;
    return false;
}

static bool
has_headers(const char *path)
{
    STRBUF_AUTO name = {0};

    strbuf_printf(&name, "%s%s", path, suffix);
    return access(strbuf_text(&name), R_OK) == 0;
}

/* A table of numbers is a log only with a log's head. */
static bool
has_log_head(const char *path)
{
    char line[512] = "";
    FILE *file = fopen(path, "re");

    if (file == NULL)
        return false;
    if (fgets(line, sizeof(line), file) == NULL)
        line[0] = '\0';
    fclose(file);
    return line[0] == '{' || psrecord_log_is_head(line, strcspn(line, "\n"));
}

/*
 * Of a folder without summaries: what is surely a file for pmon report.  Three
 * words with commas between make a region file only beside its headers.
 */
static int
is_for_report(const char *path)
{
    struct error unused;
    enum file_kind kind;
    struct stat st;
    int rc;

    if (stat(path, &st) < 0 || st.st_size == 0 || size_before_headers(path) > 0)
        return 0;
    rc = file_kind_of(path, &kind, &unused);
    if (rc < 0)
        return rc;
    if (kind == FILE_REGIONS || kind == FILE_RESOURCES)
        return has_headers(path);
    if (kind == FILE_LOG)
        return has_log_head(path);
    if (kind == FILE_SUMMARY)
        return 0;
    return kind != FILE_UNKNOWN;
}

static int
visit(const char *path, void *context, struct error *error)
{
    return report_read(context, path, error);
}

/* Errors of a walk that may be followed by a second one, which has them too. */
struct held {
    struct report *report;
    struct strbuf lines;
};

static int
visit_summary(const char *path, void *context, struct error *error)
{
    struct held *held = context;

    return report_read_summary(held->report, path, error);
}

static void
hold_bad(void *context, const struct error *error, bool is_folder)
{
    struct held *held = context;

    (void)is_folder;
    strbuf_printf(&held->lines, "%s\n", error->text);
}

static void
say_bad(void *context, const struct error *error, bool is_folder)
{
    (void)is_folder;
    report_say_bad(context, error);
}

static void
say_held(struct held *held)
{
    char *line = held->lines.text;
    char *end;

    for (; line != NULL && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        struct error error;

        *end = '\0';
        error_set(&error, -EIO, "%s", line);
        report_say_bad(held->report, &error);
    }
}

int
report_read_folder(struct report *report, const char *path, struct error *error)
{
    struct held held = {.report = report};
    const struct folder_walk summaries = {.is_wanted = summary_folder_has,
                                          .visit = visit_summary,
                                          .say_bad = hold_bad,
                                          .context = &held};
    const struct folder_walk others = {.is_wanted = is_for_report,
                                       .visit = visit,
                                       .say_bad = say_bad,
                                       .context = report};
    int rc = summary_folder_each(path, &summaries, error);

    if (rc > 0)
        say_held(&held);
    strbuf_done(&held.lines);
    if (rc == 0)
        rc = summary_folder_each(path, &others, error);
    if (rc == 0)
        return error_set(error, -EINVAL,
                         "%s: contains no file that pmon report can read",
                         path);
    return rc < 0 ? rc : 0;
}
