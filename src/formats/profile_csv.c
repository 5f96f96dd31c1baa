/* SPDX-License-Identifier: MIT */
/* Lines of a profile CSV; names may hold commas and quotes, unquoted. */
#include "formats/profile_csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char titles[] = "ncalls,tottime,percall,cumtime,percall,";
static const char block[] = "# Elapsed time,CPU (%),";

/* Reads a number and the comma after it; returns the text after both, or NULL.
 */
static const char *
parse_number(const char *text, char behind, double *ret_value)
{
    char *end;

    if (*text < '0' || *text > '9')
        return NULL;
    *ret_value = strtod(text, &end);
    if (!isfinite(*ret_value) || *end != behind)
        return NULL;
    return behind != '\0' ? end + 1 : end;
}

/* Reads a whole number that fits; returns the text after it, or NULL. */
static const char *
parse_count(const char *text, int64_t *ret_count)
{
    char *end;

    if (*text < '0' || *text > '9')
        return NULL;
    errno = 0;
    *ret_count = strtoll(text, &end, 10);
    return errno == 0 ? end : NULL;
}

/* `12/3,` or `12,`: all calls, and how many of them were not recursive. */
static const char *
parse_calls(const char *text, struct profile_function *function)
{
    const char *end = parse_count(text, &function->calls);

    function->primitive_calls = function->calls;
    if (end != NULL && *end == '/')
        end = parse_count(end + 1, &function->primitive_calls);
    if (end == NULL || function->primitive_calls > function->calls)
        return NULL;
    return *end == ',' ? end + 1 : NULL;
}

static enum profile_line
parse_function(const char *line, struct profile_function *ret_function)
{
    struct profile_function function;
    double ignored;
    const char *at = parse_calls(line, &function);

    if (at != NULL)
        at = parse_number(at, ',', &function.total_s);
    if (at != NULL)
        at = parse_number(at, ',', &ignored);
    if (at != NULL)
        at = parse_number(at, ',', &function.cumulative_s);
    if (at != NULL)
        at = parse_number(at, ',', &ignored);
    if (at == NULL || *at == '\0')
        return PROFILE_BAD;
    function.name = at;
    *ret_function = function;
    return PROFILE_FUNCTION;
}

static enum profile_line
parse_peak(const char *line, struct psrecord_row *ret_peak)
{
    struct psrecord_row peak = {0};
    const char *at = parse_number(line, ',', &peak.elapsed_s);

    if (at != NULL)
        at = parse_number(at, ',', &peak.cpu_percent);
    if (at != NULL)
        at = parse_number(at, ',', &peak.rss_mib);
    if (at != NULL)
        at = parse_number(at, '\0', &peak.vms_mib);
    if (at == NULL)
        return PROFILE_BAD;
    *ret_peak = peak;
    return PROFILE_PEAK;
}

enum profile_line
profile_csv_parse(const char *line, enum profile_line state,
                  struct profile_function *ret_function,
                  struct psrecord_row *ret_peak)
{
    if (strncmp(line, titles, sizeof(titles) - 1) == 0)
        return PROFILE_TITLES;
    if (strncmp(line, block, sizeof(block) - 1) == 0)
        return PROFILE_BLOCK;
    if (*line == '\0' || state == PROFILE_OTHER)
        return PROFILE_OTHER;
    return state == PROFILE_BLOCK ? parse_peak(line, ret_peak)
                                  : parse_function(line, ret_function);
}

int
profile_reader_open(struct profile_reader *reader, const char *path,
                    struct bad_rows *bad, struct error *error)
{
    *reader = (struct profile_reader){.bad = bad, .state = PROFILE_OTHER};
    return row_file_open(&reader->rows, path, error);
}

void
profile_reader_close(struct profile_reader *reader)
{
    row_file_close(&reader->rows);
    *reader = (struct profile_reader){0};
}

static int
read_row(struct profile_reader *reader, enum profile_line *ret_kind,
         struct profile_function *ret_function, struct psrecord_row *ret_peak,
         struct error *error)
{
    for (;;) {
        int rc = row_file_next(&reader->rows, error);
        char *line = reader->rows.line;
        enum profile_line kind;

        if (rc != 0)
            return rc;
        /* A NUL byte also ends the line. */
        line[strcspn(line, "\r")] = '\0';
        kind = profile_csv_parse(line, reader->state, ret_function, ret_peak);
        if (kind == PROFILE_TITLES || kind == PROFILE_BLOCK)
            reader->state = kind;
        /* One row belongs to a block. */
        if (reader->state == PROFILE_BLOCK &&
            (kind == PROFILE_PEAK || kind == PROFILE_BAD))
            reader->state = PROFILE_OTHER;
        if (kind == PROFILE_BAD)
            return error_in_line(error, -EBADMSG, reader->rows.path,
                                 reader->rows.line_number,
                                 "not a row of a profile, skipped");
        if (kind == PROFILE_FUNCTION || kind == PROFILE_PEAK) {
            *ret_kind = kind;
            return 0;
        }
    }
}

int
profile_reader_next(struct profile_reader *reader, enum profile_line *ret_kind,
                    struct profile_function *ret_function,
                    struct psrecord_row *ret_peak, struct error *error)
{
    int rc;

    do
        rc = read_row(reader, ret_kind, ret_function, ret_peak, error);
    while (bad_rows_skip(reader->bad, rc, error));
    return rc;
}
