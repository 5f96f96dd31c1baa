/* SPDX-License-Identifier: MIT */
/* Writes and reads resource rows: six fields each, or thirteen. */
#include "formats/resource_rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

#define HEADER                                                        \
    "query_time,command,running_since,user_cpu_time,system_cpu_time," \
    "memory_percent"

static const char header[] = HEADER;
static const char header_extended[] =
    HEADER ",pid,ppid,rss_bytes,pss_bytes,cpu_percent,threads,descriptors";

const char *
resource_rows_header(bool is_extended)
{
    return is_extended ? header_extended : header;
}

static bool
is_text(const char *text, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(text, wanted, size) == 0;
}

bool
resource_rows_is_header(const char *text, size_t size)
{
    while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    return is_text(text, size, header) || is_text(text, size, header_extended);
}

static void
append_real(struct strbuf *out, double value)
{
    char text[NUM_TEXT_SIZE];

    num_print_shortest(value, text);
    strbuf_printf(out, ",\"%s\"", text);
}

static void
append_whole(struct strbuf *out, int64_t value)
{
    if (value == NUM_UNKNOWN)
        strbuf_puts(out, ",\"\"");
    else
        strbuf_printf(out, ",\"%lld\"", (long long)value);
}

static void
append_extended(struct strbuf *out, const struct resource_row *row)
{
    append_whole(out, row->pid);
    append_whole(out, row->ppid);
    append_whole(out, row->rss_bytes);
    append_whole(out, row->pss_bytes);
    if (row->cpu_milli_percent == NUM_UNKNOWN)
        strbuf_puts(out, ",\"\"");
    else
        append_real(out, (double)row->cpu_milli_percent / 1000);
    append_whole(out, row->threads);
    append_whole(out, row->descriptors);
}

void
resource_row_append(struct strbuf *out, const struct resource_row *row)
{
    strbuf_printf(out, "\"%lld\",", (long long)row->query_ns);
    csv_text_quote(out, row->command);
    append_real(out, row->running_since_s);
    append_real(out, row->user_s);
    append_real(out, row->system_s);
    append_real(out, row->memory_percent);
    if (row->is_extended)
        append_extended(out, row);
    strbuf_puts(out, "\r\n");
}

int
resource_reader_open(struct resource_reader *reader, const char *path,
                     struct bad_rows *bad, struct error *error)
{
    *reader = (struct resource_reader){.bad = bad};
    return csv_file_open(&reader->file, path, error);
}

void
resource_reader_close(struct resource_reader *reader)
{
    csv_file_close(&reader->file);
    *reader = (struct resource_reader){.file.fd = -1};
}

static bool
parse_real(const char *text, double *ret_value)
{
    char *end;

    if (*text == '\0' || strchr(" \t\n+-", *text) != NULL)
        return false;
    *ret_value = strtod(text, &end);
    return *end == '\0' && isfinite(*ret_value);
}

static bool
parse_whole(const char *text, int64_t *ret_value)
{
    uint64_t value;

    *ret_value = NUM_UNKNOWN;
    if (*text == '\0')
        return true;
    if (num_parse_u64(text, &value) < 0 || value > INT64_MAX)
        return false;
    *ret_value = (int64_t)value;
    return true;
}

static bool
parse_cpu(const char *text, int64_t *ret_milli_percent)
{
    double percent = 0;

    *ret_milli_percent = NUM_UNKNOWN;
    if (*text == '\0')
        return true;
    if (!parse_real(text, &percent))
        return false;
    *ret_milli_percent = num_from_double(percent * 1000);
    return *ret_milli_percent != NUM_UNKNOWN;
}

static bool
parse_extended(const struct csv_text *csv, struct resource_row *row)
{
    row->is_extended = true;
    return parse_whole(csv_text_field(csv, 6), &row->pid) &&
           parse_whole(csv_text_field(csv, 7), &row->ppid) &&
           parse_whole(csv_text_field(csv, 8), &row->rss_bytes) &&
           parse_whole(csv_text_field(csv, 9), &row->pss_bytes) &&
           parse_cpu(csv_text_field(csv, 10), &row->cpu_milli_percent) &&
           parse_whole(csv_text_field(csv, 11), &row->threads) &&
           parse_whole(csv_text_field(csv, 12), &row->descriptors);
}

static bool
take_fields(const struct csv_text *csv, struct resource_row *row)
{
    uint64_t query_ns;

    if ((csv->count != RESOURCE_FIELDS &&
         csv->count != RESOURCE_FIELDS_EXTENDED) ||
        num_parse_u64(csv_text_field(csv, 0), &query_ns) < 0 ||
        query_ns > INT64_MAX)
        return false;
    row->query_ns = (int64_t)query_ns;
    row->command = csv_text_field(csv, 1);
    return parse_real(csv_text_field(csv, 2), &row->running_since_s) &&
           parse_real(csv_text_field(csv, 3), &row->user_s) &&
           parse_real(csv_text_field(csv, 4), &row->system_s) &&
           parse_real(csv_text_field(csv, 5), &row->memory_percent) &&
           (csv->count == RESOURCE_FIELDS || parse_extended(csv, row));
}

int
resource_row_parse(const struct csv_text *csv, struct resource_row *ret_row)
{
    struct resource_row row = {0};

    if (!take_fields(csv, &row))
        return -EBADMSG;
    *ret_row = row;
    return 0;
}

static int
read_row(struct resource_reader *reader, struct resource_row *ret_row,
         struct error *error)
{
    struct resource_row row = {0};
    int rc = csv_file_next(&reader->file, error);

    if (rc == 1 || (rc < 0 && rc != -EBADMSG))
        return rc;
    if (rc == 0 && resource_row_parse(&reader->file.csv, &row) == 0 &&
        (row.is_extended || !reader->has_extended)) {
        reader->has_extended = row.is_extended;
        *ret_row = row;
        return 0;
    }
    return error_in_line(error, -EBADMSG, reader->file.path,
                         reader->file.csv.line, "not a resource row, skipped");
}

int
resource_reader_next(struct resource_reader *reader,
                     struct resource_row *ret_row, struct error *error)
{
    int rc;

    do
        rc = read_row(reader, ret_row, error);
    while (bad_rows_skip(reader->bad, rc, error));
    return rc;
}
