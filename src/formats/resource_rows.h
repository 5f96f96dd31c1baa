/* SPDX-License-Identifier: MIT */
/*
 * Rows of pmon-watch and of the robot's resource tracker; see pmon-formats(5).
 */
#ifndef PMON_FORMATS_RESOURCE_ROWS_H
#define PMON_FORMATS_RESOURCE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/bad_rows.h"
#include "formats/csv_file.h"

enum { RESOURCE_FIELDS = 6, RESOURCE_FIELDS_EXTENDED = 13 };

/*
 * "1796007184763513878","/usr/bin/python3 -","1796007184.3","0.09","0.03",
 * "0.09256327344701287"
 */
struct resource_row {
    int64_t query_ns;       /* CLOCK_REALTIME */
    const char *command;    /* valid until the next row; hostile */
    double running_since_s; /* since the epoch */
    double user_s;          /* since then, both */
    double system_s;
    double memory_percent; /* of the host's */

    bool is_extended; /* the fields below are set; NUM_UNKNOWN if unknown */
    int64_t pid;
    int64_t ppid;
    int64_t rss_bytes;
    int64_t pss_bytes;
    int64_t cpu_milli_percent; /* since the last row, 100000 is one core */
    int64_t threads;
    int64_t descriptors;
};

struct resource_reader {
    struct csv_file file;
    struct bad_rows *bad; /* the caller's */
    bool has_extended; /* an earlier row had all columns: one with fewer is torn
                        */
};

/* The line of NAME_headers, without a line end. */
const char *resource_rows_header(bool is_extended);

/*
 * Appends the row, all fields in quotes, with its CR LF.  An unknown value is
 * an empty field.
 */
void resource_row_append(struct strbuf *out, const struct resource_row *row);

/* Whether a line of NAME_headers belongs to resource rows, of either kind. */
bool resource_rows_is_header(const char *text, size_t size);

/* Parses a record: 0 or -EBADMSG. */
int resource_row_parse(const struct csv_text *csv,
                       struct resource_row *ret_row);

int resource_reader_open(struct resource_reader *reader, const char *path,
                         struct bad_rows *bad, struct error *error);
void resource_reader_close(struct resource_reader *reader);

/*
 * The next good row: 0; 1 at the end; a negative errno, final, if the file
 * cannot be read.
 */
int resource_reader_next(struct resource_reader *reader,
                         struct resource_row *ret_row, struct error *error);

#endif
