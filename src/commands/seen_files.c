/* SPDX-License-Identifier: MIT */
/* A list of devices and inode numbers. */
#include "commands/seen_files.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"

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
