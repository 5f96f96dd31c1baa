/* SPDX-License-Identifier: MIT */
/* Reads and writes the small files of a control group's folder. */
#ifndef PMON_HOST_CGROUP_FILE_H
#define PMON_HOST_CGROUP_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Appends all of folder/file.  0 or a negative errno. */
int cgroup_file_read_all(const char *folder, const char *file,
                         struct strbuf *text);

/* The one number of a file; NUM_UNKNOWN for `max` or a missing file. */
int64_t cgroup_file_number(const char *folder, const char *file);

/* The number behind key in a file of `key value` lines; NUM_UNKNOWN. */
int64_t cgroup_file_keyed(const char *folder, const char *file,
                          const char *key);
int64_t cgroup_file_parse_keyed(const char *text, const char *key);

/* Whether folder/file exists and is readable. */
bool cgroup_file_exists(const char *folder, const char *file);

/* Writes a text, in one write(2).  0 or a negative errno. */
int cgroup_file_write_text(const char *folder, const char *file,
                           const char *text);

/* Writes a number to folder/file.  0 or a negative errno. */
int cgroup_file_write(const char *folder, const char *file, int64_t value);

#endif
