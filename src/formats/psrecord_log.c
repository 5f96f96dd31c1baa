/* SPDX-License-Identifier: MIT */
/* Writer and reader of psrecord's plain and csv logs; to the byte. */
#include "formats/psrecord_log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

static const char plain_header[] =
    "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)";
static const char plain_header_io[] =
    "  Read count  Write count   Read bytes  Write bytes ";
static const char csv_header[] = "elapsed_time,nproc,cpu,mem_real,mem_virtual";
static const char csv_header_io[] =
    ",read_count,write_count,read_bytes,write_bytes";

void
psrecord_log_header(struct strbuf *out, enum log_format format, bool with_io)
{
    strbuf_puts(out, format == LOG_PLAIN ? plain_header : csv_header);
    if (with_io)
        strbuf_puts(out, format == LOG_PLAIN ? plain_header_io : csv_header_io);
    strbuf_putc(out, '\n');
}

/*
 * value / unit as %12.3f prints it: to the nearest, ties to even.  Integers
 * alone, since printing doubles is half of what a row costs.
 */
static void
append_fixed(struct strbuf *out, int64_t value, int64_t unit)
{
    enum { WIDTH = 12, DIGITS = 24 };
    char text[DIGITS];
    size_t at = sizeof(text);
    int64_t whole = value / unit;
    int64_t rest = value % unit * 1000;
    int64_t parts = rest / unit;

    rest %= unit;
    if (2 * rest > unit || (2 * rest == unit && parts % 2 == 1))
        parts++;
    whole += parts / 1000;
    parts %= 1000;
    for (int i = 0; i < 3; i++, parts /= 10)
        text[--at] = (char)('0' + parts % 10);
    text[--at] = '.';
    do
        text[--at] = (char)('0' + whole % 10);
    while ((whole /= 10) > 0);
    while (at > sizeof(text) - WIDTH)
        text[--at] = ' ';
    strbuf_append(out, text + at, sizeof(text) - at);
}

/*        1.026        2.000       44.234       50.488 */
static void
append_plain(struct strbuf *out, bool with_io, const struct row *row)
{
    append_fixed(out, num_max(row->elapsed_ns, 0), NUM_NS_PER_S);
    strbuf_putc(out, ' ');
    if (row->cpu_percent < 1e6 && row->cpu_percent >= 0)
        append_fixed(out, num_from_double(row->cpu_percent * 1e6), 1000000);
    else
        strbuf_printf(out, "%12.3f", row->cpu_percent);
    strbuf_putc(out, ' ');
    append_fixed(out, num_max(row->rss_bytes, 0), NUM_MIB);
    strbuf_putc(out, ' ');
    append_fixed(out, num_max(row->vms_bytes, 0), NUM_MIB);
    for (int i = 0; with_io && i < PROC_IO_FIELDS; i++)
        strbuf_printf(out, " %12lld", (long long)row->io.value[i]);
}

static void
append_csv(struct strbuf *out, bool with_io, const struct row *row)
{
    strbuf_printf(out, "%.6f,%lld,%.3f,%.6f,%.6f", num_seconds(row->elapsed_ns),
                  (long long)row->processes, row->cpu_percent,
                  num_mib(row->rss_bytes), num_mib(row->vms_bytes));
    for (int i = 0; with_io && i < PROC_IO_FIELDS; i++)
        strbuf_printf(out, ",%lld", (long long)row->io.value[i]);
}

void
psrecord_log_row(struct strbuf *out, enum log_format format, bool with_io,
                 const struct row *row)
{
    if (format == LOG_PLAIN)
        append_plain(out, with_io, row);
    else
        append_csv(out, with_io, row);
    strbuf_putc(out, '\n');
}

/* Splits text at separators (0: blanks); numbers only.  -1 for a bad one. */
static int
parse_numbers(char *text, char separator, double *values, int room)
{
    int count = 0;

    for (;;) {
        char *end;

        text += separator == 0 ? strspn(text, " \t") : 0;
        if (*text == '\0' && (separator == 0 || count == 0))
            return count;
        if (count == room || *text == ' ' || *text == '\t')
            return -1;
        values[count] = strtod(text, &end);
        if (end == text || !isfinite(values[count]))
            return -1;
        count++;
        text = end;
        if (separator != 0 && *text == separator) {
            text++;
            continue;
        }
        if (*text == '\0')
            return count;
        if (separator != 0 || (*text != ' ' && *text != '\t'))
            return -1;
    }
}

static bool
begins_with(const char *line, size_t size, const char *text)
{
    size_t length = strlen(text);

    return size >= length && memcmp(line, text, length) == 0;
}

static bool
is_blank_line(const char *line, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (line[i] != ' ' && line[i] != '\t')
            return false;
    return true;
}

static enum psrecord_line
parse_row(const char *line, size_t size, enum log_format format,
          struct psrecord_row *ret_row)
{
    enum { CSV_NPROC = 1, MOST = 9 };
    double values[MOST] = {0};
    char text[512];
    int count;

    if (size >= sizeof(text) || memchr(line, '\0', size) != NULL)
        return PSRECORD_BAD;
    memcpy(text, line, size);
    text[size] = '\0';
    count = parse_numbers(text, format == LOG_CSV ? ',' : 0, values, MOST);
    if (format == LOG_CSV) {
        if (count != 5 && count != 9)
            return PSRECORD_BAD;
        memmove(values + CSV_NPROC, values + CSV_NPROC + 1,
                (MOST - CSV_NPROC - 1) * sizeof(*values));
        count--;
    } else if (count != 4 && count != 8) {
        return PSRECORD_BAD;
    }
    *ret_row = (struct psrecord_row){.elapsed_s = values[0],
                                     .cpu_percent = values[1],
                                     .rss_mib = values[2],
                                     .vms_mib = values[3]};
    if (count == 8) {
        ret_row->has_io = true;
        ret_row->read_bytes = values[6];
        ret_row->write_bytes = values[7];
    }
    return PSRECORD_ROW;
}

enum psrecord_line
psrecord_log_parse(const char *line, size_t size, enum log_format *format,
                   struct psrecord_row *ret_row)
{
    if (size > 0 && line[size - 1] == '\r')
        size--;
    if (begins_with(line, size, "# Elapsed time ")) {
        *format = LOG_PLAIN;
        return PSRECORD_HEADER;
    }
    if (begins_with(line, size, csv_header)) {
        *format = LOG_CSV;
        return PSRECORD_HEADER;
    }
    if (is_blank_line(line, size))
        return PSRECORD_EMPTY;
    return parse_row(line, size, *format, ret_row);
}
