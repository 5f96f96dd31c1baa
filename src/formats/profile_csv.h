/* SPDX-License-Identifier: MIT */
/*
 * A profile CSV: cProfile's text with commas, and the peak blocks at its end;
 * either may be missing.  Read line by line, however long it is.
 */
#ifndef PMON_FORMATS_PROFILE_CSV_H
#define PMON_FORMATS_PROFILE_CSV_H

#include <stdint.h>

#include "base/error.h"
#include "formats/bad_rows.h"
#include "formats/psrecord_log.h"
#include "formats/row_file.h"

enum profile_line {
    PROFILE_OTHER,    /* not needed */
    PROFILE_TITLES,   /* ncalls,tottime,… : functions follow */
    PROFILE_FUNCTION, /* 2,2.506,1.253,2.506,1.253,{built-in time.sleep} */
    PROFILE_BLOCK,    /* # Elapsed time,CPU (%),… : a peak follows */
    PROFILE_PEAK,     /* 3.045,66.500,166.449,178.801 */
    PROFILE_BAD,
};

struct profile_function {
    const char *name;        /* a part of the line; hostile */
    int64_t calls;           /* all of `12/3` */
    int64_t primitive_calls; /* those that were not recursive: 3 */
    double total_s;          /* in the function itself */
    double cumulative_s;     /* including all that it called */
};

struct profile_reader {
    struct row_file rows;
    struct bad_rows *bad;    /* the caller's */
    enum profile_line state; /* the expected kind of rows, by the last titles */
};

/*
 * Reads one line without its line end, NUL-terminated; state is that of the
 * last titles (PROFILE_OTHER, PROFILE_TITLES, PROFILE_BLOCK).
 */
enum profile_line profile_csv_parse(const char *line, enum profile_line state,
                                    struct profile_function *ret_function,
                                    struct psrecord_row *ret_peak);

int profile_reader_open(struct profile_reader *reader, const char *path,
                        struct bad_rows *bad, struct error *error);
void profile_reader_close(struct profile_reader *reader);

/*
 * The next function or peak, as in *ret_kind: 0; 1 at the end; a negative errno
 * is final.  The name stays valid until the next call.
 */
int profile_reader_next(struct profile_reader *reader,
                        enum profile_line *ret_kind,
                        struct profile_function *ret_function,
                        struct psrecord_row *ret_peak, struct error *error);

#endif
