/* SPDX-License-Identifier: MIT */
/* Writes and reads rows of processes, a line each. */
#include "formats/process_rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/num.h"

static const char header[] =
    "elapsed_time,pid,ppid,command,cpu,mem_real,mem_shared";

enum {
    AT_ELAPSED,
    AT_PID,
    AT_PPID,
    AT_COMMAND,
    AT_CPU,
    AT_RSS,
    AT_SHARED,
    FIELDS,
};

void
process_rows_header(struct strbuf *out)
{
    strbuf_printf(out, "%s\n", header);
}

bool
process_rows_is_header(const char *line, size_t size)
{
    if (size > 0 && line[size - 1] == '\r')
        size--;
    return size == sizeof(header) - 1 && memcmp(line, header, size) == 0;
}

/*
 * value / unit, rounded to that many digits.  With integers only, because
 * printing doubles would take longer than reading the process.
 */
static void
append_fixed(struct strbuf *out, int64_t value, int64_t unit, int digits)
{
    enum { ROOM = 32 };
    char text[ROOM];
    size_t at = sizeof(text);
    int64_t whole = value / unit;
    int64_t rest = value % unit;
    int64_t scale = 1;

    for (int i = 0; i < digits; i++)
        scale *= 10;
    if (digits > 0) {
        rest = (rest * scale + unit / 2) / unit;
        whole += rest / scale;
        rest %= scale;
        for (int i = 0; i < digits; i++, rest /= 10)
            text[--at] = (char)('0' + rest % 10);
        text[--at] = '.';
    }
    do
        text[--at] = (char)('0' + whole % 10);
    while ((whole /= 10) > 0);
    strbuf_append(out, text + at, sizeof(text) - at);
}

static void
append_bytes(struct strbuf *out, int64_t bytes)
{
    strbuf_putc(out, ',');
    if (bytes != NUM_UNKNOWN)
        append_fixed(out, bytes, NUM_MIB, 6);
}

/* Most commands need neither an escape nor quotes. */
static bool
is_plain(const char *text)
{
    if (*text == '\0' || strchr("=+-@", *text) != NULL)
        return false;
    for (; *text != '\0'; text++)
        if (*text < ' ' || *text > '~' || *text == ',' || *text == '"' ||
            *text == '#')
            return false;
    return true;
}

static void
append_command(struct strbuf *out, const char *command)
{
    STRBUF_AUTO plain = {0};

    strbuf_putc(out, ',');
    if (is_plain(command)) {
        strbuf_puts(out, command);
        return;
    }
    escape_terminal(&plain, command, strlen(command));
    escape_csv(out, strbuf_text(&plain));
    out->failed |= plain.failed;
}

void
process_row_append(struct strbuf *out, const struct process_row *row)
{
    append_fixed(out, num_max(row->elapsed_ns, 0), NUM_NS_PER_S, 6);
    strbuf_putc(out, ',');
    append_fixed(out, row->pid, 1, 0);
    strbuf_putc(out, ',');
    if (row->ppid != NUM_UNKNOWN)
        append_fixed(out, row->ppid, 1, 0);
    append_command(out, row->command);
    strbuf_putc(out, ',');
    if (row->cpu_percent >= 0)
        append_fixed(out, num_from_double(row->cpu_percent * 1000), 1000, 3);
    append_bytes(out, row->rss_bytes);
    append_bytes(out, row->shared_bytes);
    strbuf_putc(out, '\n');
}

int
process_reader_open(struct process_reader *reader, const char *path,
                    struct bad_rows *bad, struct error *error)
{
    *reader = (struct process_reader){.bad = bad, .last_ns = NUM_UNKNOWN};
    csv_text_init(&reader->csv, "", 0);
    return row_file_open(&reader->rows, path, error);
}

void
process_reader_close(struct process_reader *reader)
{
    row_file_close(&reader->rows);
    csv_text_done(&reader->csv);
    *reader = (struct process_reader){0};
}

int64_t
process_reader_count_runs(struct process_reader *reader, struct error *error)
{
    struct row_file *rows = &reader->rows;
    bool has_rows = true;
    int64_t runs = 0;
    int rc;

    while ((rc = row_file_next(rows, error)) == 0)
        if (process_rows_is_header(rows->line, rows->size)) {
            has_rows = false;
        } else if (!has_rows) {
            has_rows = true;
            runs++;
        }
    row_file_rewind(rows);
    return rc < 0 ? rc : runs;
}

static bool
parse_pid(const char *text, int64_t *ret_pid)
{
    uint64_t value;

    *ret_pid = NUM_UNKNOWN;
    if (*text == '\0')
        return true;
    if (num_parse_u64(text, &value) < 0 || value > INT32_MAX)
        return false;
    *ret_pid = (int64_t)value;
    return true;
}

/* A number from 0 to most; -1 for an empty field. */
static bool
parse_number(const char *text, double most, double *ret_value)
{
    char *end;

    *ret_value = -1;
    if (*text == '\0')
        return true;
    if (strchr(" \t+-", *text) != NULL)
        return false;
    *ret_value = strtod(text, &end);
    return *end == '\0' && isfinite(*ret_value) && *ret_value <= most;
}

static bool
parse_bytes(const char *text, int64_t *ret_bytes)
{
    static const double most_mib = 1e12;
    double mib;

    if (!parse_number(text, most_mib, &mib))
        return false;
    *ret_bytes = mib < 0 ? NUM_UNKNOWN : num_from_double(mib * (double)NUM_MIB);
    return true;
}

/* The same limits as for a log: 31 years, an exbibyte. */
static bool
take_fields(const struct csv_text *csv, struct process_row *row)
{
    static const double most_s = 1e9;
    static const double most_percent = 1e7;
    double elapsed_s;

    if (csv->count != FIELDS ||
        !parse_number(csv_text_field(csv, AT_ELAPSED), most_s, &elapsed_s) ||
        elapsed_s < 0 || !parse_pid(csv_text_field(csv, AT_PID), &row->pid) ||
        row->pid == NUM_UNKNOWN ||
        !parse_pid(csv_text_field(csv, AT_PPID), &row->ppid) ||
        !parse_number(csv_text_field(csv, AT_CPU), most_percent,
                      &row->cpu_percent))
        return false;
    row->elapsed_ns = num_from_double(elapsed_s * (double)NUM_NS_PER_S);
    row->command = csv_text_field(csv, AT_COMMAND);
    return parse_bytes(csv_text_field(csv, AT_RSS), &row->rss_bytes) &&
           parse_bytes(csv_text_field(csv, AT_SHARED), &row->shared_bytes);
}

/* Splits the current line into fields; -EBADMSG if it is not one record. */
static int
split(struct process_reader *reader)
{
    struct csv_text *csv = &reader->csv;
    struct row_file *rows = &reader->rows;
    int rc;

    rows->line[rows->size] = '\n'; /* restores the line end */
    csv->text = rows->line;
    csv->size = rows->size + 1;
    csv->at = 0;
    rc = csv_text_next(csv);
    rows->line[rows->size] = '\0';
    return rc == 0 && csv->at == csv->size ? 0 : -EBADMSG;
}

/* A run that has begun but has no row is not counted. */
static void
begin_run(struct process_reader *reader)
{
    if (reader->run == 0 || reader->last_ns != NUM_UNKNOWN)
        reader->run++;
    reader->last_ns = NUM_UNKNOWN;
}

static int
say_bad(const struct process_reader *reader, int code, const char *what,
        struct error *error)
{
    return error_in_line(error, code, reader->rows.path,
                         reader->rows.line_number, what);
}

/* Like process_reader_next, but -EBADMSG for a bad line. */
static int
read_row(struct process_reader *reader, struct process_row *ret_row,
         struct error *error)
{
    struct row_file *rows = &reader->rows;
    struct process_row row = {0};
    int rc;

    do {
        rc = row_file_next(rows, error);
        if (rc != 0)
            return rc;
        if (process_rows_is_header(rows->line, rows->size))
            begin_run(reader);
        else if (reader->run == 0)
            return say_bad(reader, -EINVAL, "not a file of pmon --processes",
                           error);
    } while (rows->size == 0 || process_rows_is_header(rows->line, rows->size));
    if (rows->is_torn)
        return row_file_torn(rows, error);
    if (split(reader) < 0 || !take_fields(&reader->csv, &row))
        return say_bad(reader, -EBADMSG, "not a data row, skipped", error);
    if (row.elapsed_ns < reader->last_ns)
        return say_bad(reader, -EBADMSG,
                       "its time is before that of the row above, skipped",
                       error);
    reader->last_ns = row.elapsed_ns;
    *ret_row = row;
    return 0;
}

int
process_reader_next(struct process_reader *reader, struct process_row *ret_row,
                    struct error *error)
{
    int rc;

    do
        rc = read_row(reader, ret_row, error);
    while (bad_rows_skip(reader->bad, rc, error));
    return rc;
}
