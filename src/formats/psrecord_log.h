/* SPDX-License-Identifier: MIT */
/*
 * psrecord's logs: the plain one, the default of --log, and the csv one.
 * MB means 2^20 bytes in both.  See pmon-formats(5).
 */
#ifndef PMON_FORMATS_PSRECORD_LOG_H
#define PMON_FORMATS_PSRECORD_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "measure/row.h"

/* LOG_JSONL is formats/jsonl_log.h's. */
enum log_format { LOG_PLAIN, LOG_CSV, LOG_JSONL };

/* Appends the header line or one row, with its line end. */
void psrecord_log_header(struct strbuf *out, enum log_format format,
                         bool with_io);
void psrecord_log_row(struct strbuf *out, enum log_format format, bool with_io,
                      const struct row *row);

/*
 * The four quantities that all logs have, in psrecord's units; bytes of I/O
 * and PSS, 0 where they are not there.
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
};

enum psrecord_line {
    PSRECORD_ROW,
    PSRECORD_HEADER,
    PSRECORD_EMPTY,
    PSRECORD_BAD,
};

/*
 * Reads one line, of size bytes without its line end, of a log in either
 * format; *format is taken from a header, and told by the caller to begin
 * with LOG_PLAIN.  Writes ret_row for PSRECORD_ROW only.
 */
enum psrecord_line psrecord_log_parse(const char *line, size_t size,
                                      enum log_format *format,
                                      struct psrecord_row *ret_row);

#endif
