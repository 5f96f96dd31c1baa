/* SPDX-License-Identifier: MIT */
/* Reads resource rows: six fields each. */
#include "formats/resource_rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/num.h"

bool
resource_rows_is_header(const char *text, size_t size)
{
    static const char header[] = "query_time,command,running_since,"
                                 "user_cpu_time,system_cpu_time,"
                                 "memory_percent";

    while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    return size == sizeof(header) - 1 && memcmp(text, header, size) == 0;
}

int
resource_reader_open(struct resource_reader *reader, const char *path,
                     struct error *error)
{
    int rc;

    *reader = (struct resource_reader){.path = path};
    rc = file_read_all(path, &reader->text);
    if (rc < 0)
        return error_set(error, rc, "%s: cannot be read: %s", path,
                         error_name(rc));
    csv_text_init(&reader->csv, strbuf_text(&reader->text), reader->text.size);
    return 0;
}

void
resource_reader_close(struct resource_reader *reader)
{
    strbuf_done(&reader->text);
    csv_text_done(&reader->csv);
    *reader = (struct resource_reader){0};
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
parse_row(const struct csv_text *csv, struct resource_row *row)
{
    enum { FIELDS = 6 };
    uint64_t query_ns;

    if (csv->count != FIELDS ||
        num_parse_u64(csv_text_field(csv, 0), &query_ns) < 0 ||
        query_ns > INT64_MAX)
        return false;
    row->query_ns = (int64_t)query_ns;
    row->command = csv_text_field(csv, 1);
    return parse_real(csv_text_field(csv, 2), &row->running_since_s) &&
           parse_real(csv_text_field(csv, 3), &row->user_s) &&
           parse_real(csv_text_field(csv, 4), &row->system_s) &&
           parse_real(csv_text_field(csv, 5), &row->memory_percent);
}

int
resource_reader_next(struct resource_reader *reader,
                     struct resource_row *ret_row, struct error *error)
{
    struct resource_row row = {0};
    int rc = csv_text_next(&reader->csv);

    if (rc == 1)
        return 1;
    if (rc == 0 && parse_row(&reader->csv, &row)) {
        *ret_row = row;
        return 0;
    }
    return error_set(error, -EBADMSG, "%s:%lld: is no resource row, skipped",
                     reader->path, (long long)reader->csv.line);
}
