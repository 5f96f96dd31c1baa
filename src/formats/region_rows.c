/* SPDX-License-Identifier: MIT */
/* Reads region files: name, start, duration. */
#include "formats/region_rows.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"

bool
region_rows_is_header(const char *text, size_t size)
{
    static const char *const headers[] = {
        "state,func_start,duration", "state_name,function_start_time,duration",
        "state_id,function_start_time,duration"};

    while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    for (size_t i = 0; i < ARRAY_SIZE(headers); i++)
        if (size == strlen(headers[i]) && memcmp(text, headers[i], size) == 0)
            return true;
    return false;
}

int
region_reader_open(struct region_reader *reader, const char *path,
                   struct bad_rows *bad, struct error *error)
{
    *reader = (struct region_reader){.bad = bad};
    return csv_file_open(&reader->file, path, error);
}

void
region_reader_close(struct region_reader *reader)
{
    csv_file_close(&reader->file);
    *reader = (struct region_reader){.file.fd = -1};
}

static int
parse_ns(const char *text, int64_t *ret_ns)
{
    uint64_t value;

    if (text == NULL || num_parse_u64(text, &value) < 0 || value > INT64_MAX)
        return -EINVAL;
    *ret_ns = (int64_t)value;
    return 0;
}

int
region_row_parse(const struct csv_text *csv, struct region_row *ret_row)
{
    struct region_row row = {.name = csv_text_field(csv, 0)};

    if (csv->count != 3 ||
        parse_ns(csv_text_field(csv, 1), &row.start_ns) < 0 ||
        parse_ns(csv_text_field(csv, 2), &row.duration_ns) < 0)
        return -EBADMSG;
    *ret_row = row;
    return 0;
}

static int
read_row(struct region_reader *reader, struct region_row *ret_row,
         struct error *error)
{
    int rc = csv_file_next(&reader->file, error);

    if (rc == 1 || (rc < 0 && rc != -EBADMSG))
        return rc;
    if (rc == 0 && region_row_parse(&reader->file.csv, ret_row) == 0)
        return 0;
    return error_in_line(error, -EBADMSG, reader->file.path,
                         reader->file.csv.line, "not a region row, skipped");
}

int
region_reader_next(struct region_reader *reader, struct region_row *ret_row,
                   struct error *error)
{
    int rc;

    do
        rc = read_row(reader, ret_row, error);
    while (bad_rows_skip(reader->bad, rc, error));
    return rc;
}
