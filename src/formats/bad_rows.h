/* SPDX-License-Identifier: MIT */
/*
 * The bad rows of one file, which every reader skips: the first ones are
 * reported, the others counted.
 */
#ifndef PMON_FORMATS_BAD_ROWS_H
#define PMON_FORMATS_BAD_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct bad_rows {
    void (*say)(const char *line); /* without a line end */
    int64_t count;                 /* 0 when a file begins */
};

/*
 * Whether rc is that of a bad row (-EBADMSG), so that the reader goes on to the
 * next.  Reports it, unless twenty of this file were reported.
 */
bool bad_rows_skip(struct bad_rows *bad, int rc, const struct error *error);

/* The end of the file: reports how many more there were, if any. */
void bad_rows_end(const struct bad_rows *bad, const char *path);

#endif
