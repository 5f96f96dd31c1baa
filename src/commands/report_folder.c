/* SPDX-License-Identifier: MIT */
/* Which files of a folder are read, and which files are parts of others. */
#include <errno.h>
#include <string.h>

#include "commands/report_state.h"
#include "commands/summary_folder.h"
#include "formats/file_kind.h"

int
report_say_headers(const char *path, struct error *error)
{
    size_t size = file_kind_headers_size(path);

    if (size == 0)
        return 0;
    return error_set(error, -EINVAL,
                     "%s: has only column names; its rows are in %.*s", path,
                     (int)size, path);
}

bool
report_is_given(char *const *paths, const char *path)
{
    size_t size = file_kind_headers_size(path);

    for (; size > 0 && *paths != NULL; paths++)
        if (strlen(*paths) == size && strncmp(*paths, path, size) == 0)
            return true;
    return false;
}

/* In a folder without summaries: files that are certainly for pmon report. */
static int
is_for_report(const char *path)
{
    struct error unused;
    enum file_kind kind;
    int rc = file_kind_of_found(path, &kind, &unused);

    return rc < 0 ? rc
                  : kind != FILE_UNKNOWN && kind != FILE_SUMMARY &&
                        kind != FILE_PROCESSES;
}

static int
visit(const char *path, void *context, struct error *error)
{
    return report_read(context, path, error);
}

/* Holds back the errors of a walk: a second walk may report them again. */
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
    const struct folder_walk summaries = {.is_wanted = file_kind_is_summary,
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
