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
                   struct error *error)
{
    int rc;

    *reader = (struct region_reader){.path = path};
    rc = csv_file_open(&reader->file, path);
    return rc < 0 ? error_unreadable(error, rc, path) : 0;
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

int
region_reader_next(struct region_reader *reader, struct region_row *ret_row,
                   struct error *error)
{
    struct csv_text *csv = &reader->file.csv;
    int rc = csv_file_next(&reader->file);

    if (rc == 1)
        return 1;
    if (rc < 0 && rc != -EBADMSG)
        return error_unreadable(error, rc, reader->path);
    if (rc == 0 && region_row_parse(csv, ret_row) == 0)
        return 0;
    return error_set(error, -EBADMSG, "%s:%lld: not a region row, skipped",
                     reader->path, (long long)csv->line);
}
