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
                     "%s: has titles alone; its rows are in %.*s", path,
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
    FILE *file = fopen(path, "re");
    int first = file != NULL ? getc(file) : EOF;

    if (file != NULL)
        fclose(file);
    return first == '#' || first == 'e' || first == '{';
}

/*
 * Of a folder without summaries: what is surely a file for pmon report.  Three
 * words with commas between make a region file only beside its headers.
 */
static bool
is_for_report(const char *path)
{
    struct error unused;
    enum file_kind kind;
    struct stat st;

    if (stat(path, &st) < 0 || st.st_size == 0)
        return false;
    if (size_before_headers(path) > 0 || file_kind_of(path, &kind, &unused) < 0)
        return false;
    if (kind == FILE_REGIONS || kind == FILE_RESOURCES)
        return has_headers(path);
    if (kind == FILE_LOG)
        return has_log_head(path);
    return kind != FILE_UNKNOWN && kind != FILE_SUMMARY;
}

static int
visit(const char *path, void *context, struct error *error)
{
    return report_read(context, path, error);
}

static int
visit_summary(const char *path, void *context, struct error *error)
{
    return report_read_summary(context, path, error);
}

int
report_read_folder(struct report *report, const char *path, struct error *error)
{
    int rc = summary_folder_each(path, summary_folder_has, visit_summary,
                                 report, error);

    if (rc == 0)
        rc = summary_folder_each(path, is_for_report, visit, report, error);
    if (rc == 0)
        return error_set(error, -EINVAL,
                         "%s: has no file that pmon report reads", path);
    return rc < 0 ? rc : 0;
}
