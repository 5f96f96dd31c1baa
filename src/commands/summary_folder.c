/* SPDX-License-Identifier: MIT */
/* Walks folders; a file is a summary when it is a .json of schema 1. */
#include "commands/summary_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "formats/jsonl_log.h"
#include "formats/summary_file.h"

struct walk {
    bool (*is_wanted)(const char *path);
    int (*visit)(const char *path, void *context, struct error *error);
    void *context;
    int found;
};

enum { DEEPEST = 8 };

static int
is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool
ends_in_json(const char *name)
{
    size_t size = strlen(name);

    return size > 5 && strcmp(name + size - 5, ".json") == 0;
}

static int
walk_entry(struct walk *walk, const char *path, bool *ret_is_folder,
           struct error *error)
{
    struct stat st;
    int rc;

    *ret_is_folder = false;
    if (lstat(path, &st) < 0)
        return 0;
    *ret_is_folder = S_ISDIR(st.st_mode);
    if (*ret_is_folder || stat(path, &st) < 0 || !S_ISREG(st.st_mode) ||
        !walk->is_wanted(path))
        return 0;
    rc = walk->visit(path, walk->context, error);
    /* The step may have written JSON, too. */
    if (rc == -ENOMSG)
        return 0;
    walk->found++;
    return rc;
}

/* By name, rank 2 before rank 10; alphasort(3) asks the locale. */
static int
compare_names(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*a)->d_name, (*b)->d_name);
}

static int
walk_folder(struct walk *walk, const char *path, int depth, struct error *error)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_visible, compare_names);
    int rc = 0;

    if (count < 0)
        return error_unreadable(error, -errno, path);
    for (int i = 0; i < count; i++) {
        STRBUF_AUTO name = {0};
        bool is_folder = false;

        strbuf_printf(&name, "%s/%s", path, entries[i]->d_name);
        free(entries[i]);
        if (rc == 0)
            rc = walk_entry(walk, strbuf_text(&name), &is_folder, error);
        if (rc == 0 && is_folder && depth < DEEPEST)
            rc = walk_folder(walk, strbuf_text(&name), depth + 1, error);
    }
    free(entries);
    return rc;
}

bool
summary_folder_has(const char *path)
{
    return ends_in_json(path) && summary_file_is_one(path) &&
           !jsonl_log_is_one(path);
}

int
summary_folder_each(const char *path, bool (*is_wanted)(const char *path),
                    int (*visit)(const char *path, void *context,
                                 struct error *error),
                    void *context, struct error *error)
{
    struct walk walk = {
        .is_wanted = is_wanted, .visit = visit, .context = context};
    int rc = walk_folder(&walk, path, 1, error);

    return rc < 0 ? rc : walk.found;
}

int
summary_folder_read(const char *path,
                    int (*visit)(const char *path, void *context,
                                 struct error *error),
                    void *context, struct error *error)
{
    int rc =
        summary_folder_each(path, summary_folder_has, visit, context, error);

    if (rc == 0)
        return error_set(error, -EINVAL, "%s: has no summaries (*.json)", path);
    return rc < 0 ? rc : 0;
}
