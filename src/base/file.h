/* SPDX-License-Identifier: MIT */
/* Whole files, read at once. */
#ifndef PMON_BASE_FILE_H
#define PMON_BASE_FILE_H

#include "base/strbuf.h"

/*
 * Appends all of the regular file at path to text.  0 or a negative errno:
 * -EINVAL for a pipe or a device, -EFBIG for more than INT_MAX bytes, -ENOMEM.
 */
int file_read_all(const char *path, struct strbuf *text);

/* The same, with -EFBIG for more than most bytes: a sparse file costs none. */
int file_read_most(const char *path, struct strbuf *text, size_t most);

#endif
