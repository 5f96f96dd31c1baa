/* SPDX-License-Identifier: MIT */
/*
 * psrecord's logs: the plain one, the default of --log, and the csv one; and
 * the peak block.  MB means 2^20 bytes in all.  See pmon-formats(5).
 */
#ifndef PMON_FORMATS_PSRECORD_LOG_H
#define PMON_FORMATS_PSRECORD_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "model/row.h"

/* For LOG_JSONL see formats/jsonl_log.h. */
enum log_format { LOG_PLAIN, LOG_CSV, LOG_JSONL };

/* Appends the header line or one row, with its line end. */
void psrecord_log_header(struct strbuf *out, enum log_format format,
                         bool with_io);
void psrecord_log_row(struct strbuf *out, enum log_format format, bool with_io,
                      const struct row *row);

/* The columns of a csv log that pmon reads. */
enum psrecord_column {
    PSRECORD_ELAPSED,
    PSRECORD_CPU,
    PSRECORD_RSS,
    PSRECORD_VMS,
    PSRECORD_READ_BYTES,
    PSRECORD_WRITE_BYTES,
    PSRECORD_COLUMNS,
};

/* The columns in the header of a log; all 0 before it was read. */
struct psrecord_layout {
    enum log_format format;
    int columns;                 /* of each csv row */
    int place[PSRECORD_COLUMNS]; /* in a csv row, from 1; 0: missing */
};

/*
 * The figures of a row, in psrecord's units; I/O in bytes.  I/O and PSS are 0
 * if missing.
 */
struct psrecord_row {
    double elapsed_s;
    double cpu_percent;
    double rss_mib;
    double vms_mib;
    bool has_io;
    double read_bytes;
    double write_bytes;
    bool has_pss;
    double pss_mib;
    bool lacks_cpu; /* a csv log without that column; its value is 0 */
    bool lacks_vms;
};

enum psrecord_line {
    PSRECORD_ROW,
    PSRECORD_HEADER,
    PSRECORD_EMPTY,
    PSRECORD_TALK, /* text that psrecord prints around a log on standard output
                    */
    PSRECORD_BAD,
};

/*
 * Reads one line, of size bytes without its line end, of a log in either
 * format; *layout is taken from a header, and all 0 before the first.  The
 * columns of a csv log are found by their names, in any order; time and
 * mem_real have to be among them.  Writes ret_row for PSRECORD_ROW only.
 */
enum psrecord_line psrecord_log_parse(const char *line, size_t size,
                                      struct psrecord_layout *layout,
                                      struct psrecord_row *ret_row);

/*
 * Appends the peak block of a row whose RSS is the peak, the end of a step's
 * profile CSV: an empty line, a header, one line of four figures.
 */
void psrecord_log_peak(struct strbuf *out, const struct psrecord_row *row);

#endif
