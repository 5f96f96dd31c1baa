/* SPDX-License-Identifier: MIT */
/* Reads the lines of a log; psrecord_log and jsonl_log parse them. */
#include "formats/log_reader.h"

#include <errno.h>

#include "formats/jsonl_log.h"

int
log_reader_open(struct log_reader *reader, const char *path,
                struct bad_rows *bad, struct error *error)
{
    *reader = (struct log_reader){.bad = bad, .run = 1};
    return row_file_open(&reader->rows, path, error);
}

void
log_reader_close(struct log_reader *reader)
{
    row_file_close(&reader->rows);
    *reader = (struct log_reader){0};
}

static int
say_bad(const struct log_reader *reader, struct error *error)
{
    bool has_begun = reader->has_begun;

    return error_in_line(error, has_begun ? -EBADMSG : -EINVAL,
                         reader->rows.path, reader->rows.line_number,
                         has_begun ? "not a data row, skipped"
                                   : "not a log of pmon or psrecord");
}

/* 31 years and an exbibyte: larger values overflow, and nobody measured them.
 */
static int
check_figures(const struct log_reader *reader, const struct psrecord_row *row,
              struct error *error)
{
    static const double most_s = 1e9;
    static const double most_percent = 1e7;
    static const double most_mib = 1e12;
    static const double most_bytes = 1e18;
    const char *what = NULL;

    if (!(row->elapsed_s >= 0 && row->elapsed_s <= most_s))
        what = "no valid time (0 to 10^9 s), skipped";
    else if (!(row->cpu_percent >= -most_percent &&
               row->cpu_percent <= most_percent))
        what = "no valid CPU (at most 10^7 %), skipped";
    else if (!(row->rss_mib >= 0 && row->rss_mib <= most_mib &&
               row->vms_mib >= 0 && row->vms_mib <= most_mib &&
               row->pss_mib >= 0 && row->pss_mib <= most_mib))
        what = "no valid memory (0 to 10^12 MiB), skipped";
    else if (!(row->read_bytes >= 0 && row->read_bytes <= most_bytes &&
               row->write_bytes >= 0 && row->write_bytes <= most_bytes))
        what = "no valid I/O (0 to 10^18 bytes), skipped";
    if (what == NULL)
        return 0;
    return error_in_line(error, -EBADMSG, reader->rows.path,
                         reader->rows.line_number, what);
}

/* A run that has begun but has no row is not counted. */
static void
begin_run(struct log_reader *reader)
{
    reader->run += reader->has_rows ? 1 : 0;
    reader->has_rows = false;
}

/* A clock that was set back a little does not begin a new run. */
static int
take_row(struct log_reader *reader, const struct psrecord_row *row,
         struct error *error)
{
    int rc = check_figures(reader, row, error);

    if (rc < 0)
        return rc;
    if (reader->has_rows && row->elapsed_s < reader->last_s / 2)
        begin_run(reader);
    reader->has_rows = true;
    reader->last_s = row->elapsed_s;
    return 0;
}

/* What the line is, in any format. */
static enum psrecord_line
parse(struct log_reader *reader, struct psrecord_row *ret_row)
{
    const char *line = reader->rows.line;
    size_t size = reader->rows.size;

    if (size > 0 && line[0] == '{')
        return jsonl_log_parse(line, size, ret_row) == 0 ? PSRECORD_ROW
                                                         : PSRECORD_BAD;
    return psrecord_log_parse(line, size, &reader->layout, ret_row);
}

static int
read_row(struct log_reader *reader, struct psrecord_row *ret_row,
         struct error *error)
{
    for (;;) {
        int rc = row_file_next(&reader->rows, error);
        bool is_torn = reader->rows.is_torn;
        enum psrecord_line kind;

        if (rc != 0)
            return rc;
        kind = parse(reader, ret_row);
        if (is_torn && reader->has_begun)
            return row_file_torn(&reader->rows, error);
        if (kind == PSRECORD_BAD)
            return say_bad(reader, error);
        if (kind == PSRECORD_EMPTY)
            continue;
        reader->has_begun = true;
        if (kind == PSRECORD_HEADER)
            begin_run(reader);
        if (kind == PSRECORD_ROW)
            return is_torn ? row_file_torn(&reader->rows, error)
                           : take_row(reader, ret_row, error);
    }
}

int
log_reader_next(struct log_reader *reader, struct psrecord_row *ret_row,
                struct error *error)
{
    int rc;

    do
        rc = read_row(reader, ret_row, error);
    while (bad_rows_skip(reader->bad, rc, error));
    return rc;
}
