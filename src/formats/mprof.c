/* SPDX-License-Identifier: MIT */
/* Lines of a .dat file; sums of MEM and CHLD. */
#include "formats/mprof.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

enum line_kind {
    LINE_MEM,
    LINE_CHLD,
    LINE_FUNC,
    LINE_BEGIN,
    LINE_OTHER,
    LINE_BAD
};

void
mprof_close(struct mprof_reader *reader)
{
    row_file_close(&reader->rows);
    free(reader->name);
    *reader = (struct mprof_reader){0};
}

/* Removes the last word of text, and reads it as a number of 0 or more. */
static bool
take_number(char *text, double most, double *ret_value)
{
    char *blank = strrchr(text, ' ');
    char *end;

    if (blank == NULL)
        return false;
    *ret_value = strtod(blank + 1, &end);
    if (end == blank + 1 || *end != '\0' || !isfinite(*ret_value) ||
        *ret_value < 0 || *ret_value > most)
        return false;
    *blank = '\0';
    return true;
}

/* MEM 10.2 1718739269.73; CHLD 1 3.5 1718739269.73 */
static enum line_kind
parse_memory(char *line, enum line_kind kind, struct mprof_row *row)
{
    double epoch_s;
    double mib;
    double number;

    if (!take_number(line, 9e9, &epoch_s) || !take_number(line, 1e12, &mib) ||
        (kind == LINE_CHLD && !take_number(line, 1e9, &number)) ||
        strcmp(line, kind == LINE_CHLD ? "CHLD" : "MEM") != 0)
        return LINE_BAD;
    row->kind = MPROF_MEMORY;
    row->epoch_ns = num_from_double(epoch_s * 1e9);
    row->rss_bytes = mib * (double)NUM_MIB;
    return kind;
}

/* FUNC module.name 10.1 1718739269.7 12.5 1718739270.9 */
static enum line_kind
parse_function(char *line, struct mprof_row *row)
{
    double end_s;
    double begin_s;
    double mib;

    if (!take_number(line, 9e9, &end_s) || !take_number(line, 1e12, &mib) ||
        !take_number(line, 9e9, &begin_s) || !take_number(line, 1e12, &mib) ||
        strlen(line) < 6 || end_s < begin_s)
        return LINE_BAD;
    row->kind = MPROF_FUNCTION;
    row->name = line + 5;
    row->epoch_ns = num_from_double(begin_s * 1e9);
    row->duration_ns = num_from_double((end_s - begin_s) * 1e9);
    return LINE_FUNC;
}

static enum line_kind
parse(char *line, struct mprof_row *row)
{
    line[strcspn(line, "\r\n")] = '\0';
    if (strncmp(line, "MEM ", 4) == 0)
        return parse_memory(line, LINE_MEM, row);
    if (strncmp(line, "CHLD ", 5) == 0)
        return parse_memory(line, LINE_CHLD, row);
    if (strncmp(line, "FUNC ", 5) == 0)
        return parse_function(line, row);
    if (strncmp(line, "CMDLINE", 7) == 0)
        return LINE_BEGIN;
    if (*line == '\0')
        return LINE_OTHER;
    return LINE_BAD;
}

/*
 * MEM may leave out the children (apart) or include them (within).  How much
 * the process alone changes in both readings.
 */
struct readings {
    double memory;   /* of the last MEM row */
    double children; /* of its CHLD rows */
    double own[2];   /* of the row before, in both readings */
    double changes[2];
    bool has_memory;
    bool has_before;
    bool has_children;
    bool is_apart; /* children have more than MEM */
};

static void
end_row(struct readings *readings)
{
    /* The processes change while they are read one after the other. */
    static const double slack = 0.9;
    const double own[2] = {readings->memory,
                           readings->memory - readings->children};

    if (!readings->has_memory)
        return;
    for (int i = 0; i < 2; i++) {
        if (readings->has_before)
            readings->changes[i] += fabs(own[i] - readings->own[i]);
        readings->own[i] = own[i];
    }
    if (readings->memory < readings->children * slack)
        readings->is_apart = true;
    readings->has_before = true;
    readings->has_memory = false;
}

static enum mprof_children
judge(const struct readings *readings)
{
    double apart = readings->changes[0];
    double within = readings->changes[1];

    if (!readings->has_children)
        return MPROF_CHILDREN_NONE;
    if (readings->is_apart || apart < within)
        return MPROF_CHILDREN_APART;
    return within < apart ? MPROF_CHILDREN_WITHIN : MPROF_CHILDREN_UNCLEAR;
}

/*
 * The process itself hardly changes when a child comes or goes, so the reading
 * in which it changes less is the right one.
 */
static enum mprof_children
find_children(struct mprof_reader *reader)
{
    struct readings readings = {0};
    struct mprof_row row = {0};
    struct error ignored;

    while (row_file_next(&reader->rows, &ignored) == 0)
        switch (parse(reader->rows.line, &row)) {
        case LINE_MEM:
            end_row(&readings);
            readings.memory = row.rss_bytes;
            readings.children = 0;
            readings.has_memory = true;
            break;
        case LINE_CHLD:
            readings.children += row.rss_bytes;
            readings.has_children = true;
            break;
        case LINE_BEGIN:
            end_row(&readings);
            readings.has_before = false;
            break;
        case LINE_FUNC:
        case LINE_OTHER:
        case LINE_BAD:
            break;
        }
    end_row(&readings);
    return judge(&readings);
}

int
mprof_open(struct mprof_reader *reader, const char *path, struct bad_rows *bad,
           struct error *error)
{
    int rc;

    *reader = (struct mprof_reader){.bad = bad, .run = 1};
    rc = row_file_open(&reader->rows, path, error);
    if (rc < 0)
        return rc;
    reader->children = find_children(reader);
    row_file_rewind(&reader->rows);
    return 0;
}

/* Returns the pending sum, if any: no CHLD row follows it. */
static bool
give_memory(struct mprof_reader *reader, struct mprof_row *ret_row)
{
    if (!reader->has_memory)
        return false;
    reader->has_memory = false;
    *ret_row = reader->memory;
    return true;
}

/* Returns a function now, or first the sum that was before it. */
static int
give_function(struct mprof_reader *reader, const struct mprof_row *row,
              struct mprof_row *ret_row, struct error *error)
{
    free(reader->name);
    reader->name = strdup(row->name);
    if (reader->name == NULL)
        return error_no_memory(error);
    reader->function = *row;
    reader->function.run = reader->run;
    reader->function.name = reader->name;
    if (give_memory(reader, ret_row))
        reader->has_function = true;
    else
        *ret_row = reader->function;
    return 0;
}

static int
read_row(struct mprof_reader *reader, struct mprof_row *ret_row,
         struct error *error)
{
    struct mprof_row row = {0};
    bool gives;
    int rc;

    if (reader->has_function) {
        reader->has_function = false;
        *ret_row = reader->function;
        return 0;
    }
    while ((rc = row_file_next(&reader->rows, error)) == 0) {
        /* Half a number looks like a number. */
        if (reader->rows.is_torn)
            return row_file_torn(&reader->rows, error);
        switch (parse(reader->rows.line, &row)) {
        case LINE_MEM:
            gives = give_memory(reader, ret_row);
            reader->has_run = true;
            row.run = reader->run;
            reader->memory = row;
            reader->has_memory = true;
            if (gives)
                return 0;
            break;
        case LINE_CHLD:
            if (reader->has_memory && reader->children == MPROF_CHILDREN_APART)
                reader->memory.rss_bytes += row.rss_bytes;
            break;
        case LINE_FUNC:
            return give_function(reader, &row, ret_row, error);
        case LINE_BEGIN:
            reader->run += reader->has_run ? 1 : 0;
            reader->has_run = false;
            break;
        case LINE_OTHER:
            break;
        case LINE_BAD:
            return error_in_line(error, -EBADMSG, reader->rows.path,
                                 reader->rows.line_number,
                                 "not a row of mprof, skipped");
        }
    }
    if (rc < 0)
        return rc;
    return give_memory(reader, ret_row) ? 0 : 1;
}

int
mprof_next(struct mprof_reader *reader, struct mprof_row *ret_row,
           struct error *error)
{
    int rc;

    do
        rc = read_row(reader, ret_row, error);
    while (bad_rows_skip(reader->bad, rc, error));
    return rc;
}
