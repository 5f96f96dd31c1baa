/* SPDX-License-Identifier: MIT */
/* A list of devices and inode numbers. */
#include "commands/seen_files.h"

#include <stdlib.h>
#include <sys/stat.h>

bool
seen_files_is_new(struct seen_files *seen, const char *path)
{
    size_t wanted = seen->allocated < 16 ? 16 : seen->allocated * 2;
    struct file_id *list = seen->list;
    struct stat st;

    if (stat(path, &st) < 0)
        return true;
    for (size_t i = 0; i < seen->count; i++)
        if (list[i].device == st.st_dev && list[i].number == st.st_ino)
            return false;
    if (seen->count == seen->allocated) {
        list = realloc(list, wanted * sizeof(*list));
        if (list == NULL) /* it counts twice then */
            return true;
        seen->list = list;
        seen->allocated = wanted;
    }
    list[seen->count++] = (struct file_id){st.st_dev, st.st_ino};
    return true;
}

void
seen_files_done(struct seen_files *seen)
{
    free(seen->list);
    *seen = (struct seen_files){0};
}
