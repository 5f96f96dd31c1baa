/* SPDX-License-Identifier: MIT */
/*
 * Records of a CSV text (RFC 4180): quoted fields may hold commas, line ends
 * and doubled quotes; LF or CR LF.  After an incomplete or malformed record,
 * reading continues with the next line.
 */
#ifndef PMON_FORMATS_CSV_TEXT_H
#define PMON_FORMATS_CSV_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum { CSV_MOST_FIELDS = 16 };

struct csv_text {
    const char *text; /* the caller's, not NUL-terminated */
    size_t size;
    size_t at;
    int64_t line; /* of the record read last, from 1 */
    int64_t next_line;
    bool is_cut; /* the bad record read last goes on to the end of the text */

    struct strbuf buf; /* fields of the record, each with a NUL byte */
    size_t offsets[CSV_MOST_FIELDS];
    size_t count;
};

void csv_text_init(struct csv_text *csv, const char *text, size_t size);
void csv_text_done(struct csv_text *csv);

/*
 * The next record: 0; 1 at the end; -EBADMSG for a bad one, which is skipped.
 */
int csv_text_next(struct csv_text *csv);

/* A field of the record read last, valid until the next; NULL beyond. */
const char *csv_text_field(const struct csv_text *csv, size_t index);

/* Appends text as a field in quotes. */
void csv_text_quote(struct strbuf *out, const char *text);

#endif
