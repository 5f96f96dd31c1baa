/* SPDX-License-Identifier: MIT */
/* Checks PMON_REGIONS_STYLE and PMON_REGIONS_NAME. */
#include "regions/environment.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

int
regions_check_environment(const struct context *context, struct error *error)
{
    const char *style = context->environment("PMON_REGIONS_STYLE");
    const char *name = context->environment("PMON_REGIONS_NAME");
    size_t most = NAME_MAX - strlen("_headers");

    if (style != NULL && *style != '\0' && strcmp(style, "quoted") != 0 &&
        strcmp(style, "seed") != 0)
        return error_set(error, -EINVAL,
                         "PMON_REGIONS_STYLE=%.64s: must be quoted or seed",
                         style);
    if (name != NULL && (strchr(name, '/') != NULL || strcmp(name, ".") == 0 ||
                         strcmp(name, "..") == 0 || strlen(name) > most))
        return error_set(error, -EINVAL,
                         "PMON_REGIONS_NAME=%.64s: must be the name of a file, "
                         "without a slash, up to %zu bytes",
                         name, most);
    return 0;
}
