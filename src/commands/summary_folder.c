/* SPDX-License-Identifier: MIT */
/* Walks folders to a depth of 8; opens no file. */
#include "commands/summary_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/strbuf.h"

enum { DEEPEST = 8 };

static int
is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int
take_file(const struct folder_walk *walk, const char *path, int *found,
          struct error *error)
{
    int rc = walk->is_wanted(path);

    if (rc < 0)
        return error_unreadable(error, rc, path);
    if (rc == 0)
        return 0;
    rc = walk->visit(path, walk->context, error);
    /* The step may have written JSON files too. */
    if (rc == -ENOMSG)
        return 0;
    ++*found;
    return rc;
}

/* Reports and skips a bad entry; only a lack of memory ends the walk. */
static int
outlive(const struct folder_walk *walk, int rc, bool is_folder,
        const struct error *error)
{
    if (rc >= 0 || rc == -ENOMEM)
        return rc;
    walk->say_bad(walk->context, error, is_folder);
    return 0;
}

/* By name, with rank 2 before rank 10; alphasort(3) depends on the locale. */
static int
compare_names(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*a)->d_name, (*b)->d_name);
}

static int
walk_folder(const struct folder_walk *walk, const char *path, int depth,
            int *found, struct error *error)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_visible, compare_names);
    int rc = 0;

    if (count < 0)
        return error_unreadable(error, -errno, path);
    for (int i = 0; i < count; i++) {
        STRBUF_AUTO name = {0};
        struct stat st;
        mode_t mode;

        strbuf_printf(&name, "%s/%s", path, entries[i]->d_name);
        free(entries[i]);
        if (rc == 0 && name.failed)
            rc = error_no_memory(error);
        if (rc < 0 || lstat(strbuf_text(&name), &st) < 0)
            continue;
        mode = st.st_mode;
        if (S_ISDIR(mode)) {
            if (depth < DEEPEST)
                rc = walk_folder(walk, strbuf_text(&name), depth + 1, found,
                                 error);
        } else if (stat(strbuf_text(&name), &st) == 0 && S_ISREG(st.st_mode)) {
            rc = take_file(walk, strbuf_text(&name), found, error);
        }
        rc = outlive(walk, rc, S_ISDIR(mode), error);
    }
    free(entries);
    return rc;
}

int
summary_folder_each(const char *path, const struct folder_walk *walk,
                    struct error *error)
{
    int found = 0;
    int rc = walk_folder(walk, path, 1, &found, error);

    return rc < 0 ? rc : found;
}

bool
seen_files_is_new(struct seen_files *seen, const char *path)
{
    struct stat st;

    if (stat(path, &st) < 0)
        return true;
    for (size_t i = 0; i < seen->count; i++)
        if (seen->list[i].device == st.st_dev &&
            seen->list[i].number == st.st_ino)
            return false;
    /* Without memory a file counts twice. */
    if (array_grow(&seen->list, seen->count, &seen->allocated,
                   sizeof(*seen->list)) == 0)
        seen->list[seen->count++] = (struct file_id){st.st_dev, st.st_ino};
    return true;
}

void
seen_files_done(struct seen_files *seen)
{
    free(seen->list);
    *seen = (struct seen_files){0};
}
