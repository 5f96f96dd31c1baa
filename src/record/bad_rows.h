/* SPDX-License-Identifier: MIT */
/* The bad rows of one file: the first ones are reported, the others counted. */
#ifndef PMON_RECORD_BAD_ROWS_H
#define PMON_RECORD_BAD_ROWS_H

#include <stdint.h>

#include "base/error.h"

struct bad_rows {
    int64_t count; /* 0 when a file begins */
};

/* Reports a bad row, unless twenty of this file were reported. */
void bad_rows_say(struct bad_rows *bad, const struct error *error);

/* The end of the file: reports how many more there were, if any. */
void bad_rows_end(const struct bad_rows *bad, const char *path);

#endif
