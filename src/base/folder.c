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

    if (copy == NULL)
        return -ENOMEM;
    for (char *slash = copy; slash != NULL;) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL)
            *slash = '\0';
        if (mkdir(copy, 0777) < 0 && errno != EEXIST)
            return -errno;
        if (slash != NULL)
            *slash = '/';
    }
    return 0;
}
