/* SPDX-License-Identifier: MIT */
/* Makes folders. */
#include "base/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"

int
folder_make(const char *path)
{
    FREE_AUTO char *copy = strdup(path);
    struct stat st;

    if (copy == NULL)
        return -ENOMEM;
    for (char *slash = copy; slash != NULL;) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL)
            *slash = '\0';
        if (mkdir(copy, 0777) < 0 && (errno != EEXIST || stat(copy, &st) < 0))
            return -errno;
        if (stat(copy, &st) == 0 && !S_ISDIR(st.st_mode))
            return -ENOTDIR;
        if (slash != NULL)
            *slash = '/';
    }
    return 0;
}
