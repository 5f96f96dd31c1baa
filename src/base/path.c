/* SPDX-License-Identifier: MIT */
/* Names of files as text. */
#include "base/path.h"

#include <string.h>

const char *
path_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}
