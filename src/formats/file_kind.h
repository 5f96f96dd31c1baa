/* SPDX-License-Identifier: MIT */
/*
 * Detects the kind of a file from its beginning, its end, and the file
 * NAME_headers beside it.
 */
#ifndef PMON_FORMATS_FILE_KIND_H
#define PMON_FORMATS_FILE_KIND_H

#include <stddef.h>

#include "base/error.h"

enum file_kind {
    FILE_UNKNOWN,
    FILE_EMPTY, /* or begins with blank lines only */
    FILE_SUMMARY,
    FILE_LOG,
    FILE_PROFILE,
    FILE_REGIONS,
    FILE_RESOURCES,
    FILE_MPROF,
    FILE_PROCESSES,
    FILE_FOLDER,
};

/* Detects the kind only by the first bytes of a file (NUL-terminated). */
enum file_kind file_kind_of_text(const char *text);

/*
 * Detects the kind of a file that the user named. 0, or a negative errno with
 * error: -ESPIPE for a pipe or a device, from which nothing was read; another
 * one if the file cannot be read.
 */
int file_kind_of(const char *path, enum file_kind *ret_kind,
                 struct error *error);

/*
 * Detects the kind of a regular file that was found in a folder: FILE_UNKNOWN
 * also for a file that may be another program's, such as numbers without column
 * names.
 */
int file_kind_of_found(const char *path, enum file_kind *ret_kind,
                       struct error *error);

/*
 * Whether a regular file that was found in a folder is a summary: NAME.json
 * that begins with the keys schema and pmon.  1 or 0; a negative errno if the
 * file cannot be read.  Opens no other files: a folder may have 10^5.
 */
int file_kind_is_summary(const char *path);

/* The kind that NAME_headers beside path names; FILE_UNKNOWN without one. */
enum file_kind file_kind_by_headers(const char *path);

/* The length of NAME if path is NAME_headers; 0 for another path. */
size_t file_kind_headers_size(const char *path);

#endif
