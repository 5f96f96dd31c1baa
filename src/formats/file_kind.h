/* SPDX-License-Identifier: MIT */
/*
 * Detects the kind of a file from its beginning, its end, and its NAME_headers.
 */
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

/* Only by the first bytes of a file (NUL-terminated). */
enum file_kind file_kind_of_text(const char *text);

/* Reads the file.  0, or a negative errno with error if it cannot be read. */
int file_kind_of(const char *path, enum file_kind *ret_kind,
                 struct error *error);

#endif
