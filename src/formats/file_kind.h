/* SPDX-License-Identifier: MIT */
/* What a file is, by its beginning, its end, and its NAME_headers. */
#ifndef PMON_FORMATS_FILE_KIND_H
#define PMON_FORMATS_FILE_KIND_H

#include <stddef.h>

#include "base/error.h"

enum file_kind {
    FILE_UNKNOWN,
    FILE_SUMMARY,
    FILE_LOG,
    FILE_PROFILE,
    FILE_REGIONS,
    FILE_RESOURCES,
    FILE_MPROF,
    FILE_FOLDER,
};

/* By the first bytes of a file (NUL-terminated) alone. */
enum file_kind file_kind_of_text(const char *text);

/* Looks at the file.  0; negative, said in error, when it cannot be read. */
int file_kind_of(const char *path, enum file_kind *ret_kind,
                 struct error *error);

#endif
