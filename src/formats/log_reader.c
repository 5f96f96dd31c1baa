/* SPDX-License-Identifier: MIT */
/* Lines of a log; what a line means is psrecord_log's to say. */
#include "formats/log_reader.h"

#include <errno.h>
#include <stdlib.h>

#include "formats/jsonl_log.h"

int
log_reader_open(struct log_reader *reader, const char *path,
                struct error *error)
{
    *reader = (struct log_reader){.path = path, .run = 1};
    reader->file = fopen(path, "re");
    if (reader->file == NULL)
        return error_unreadable(error, -errno, path);
    return 0;
}

void
log_reader_close(struct log_reader *reader)
{
    if (reader->file != NULL)
        fclose(reader->file);
    free(reader->line);
    *reader = (struct log_reader){0};
}

static int
say_bad(const struct log_reader *reader, bool is_torn, struct error *error)
{
    if (is_torn)
        return error_set(error, -EBADMSG,
                         "%s:%lld: the last line is incomplete, skipped",
                         reader->path, (long long)reader->line_number);
    if (!reader->has_begun)
        return error_set(error, -EINVAL,
                         "%s:%lld: not a log of pmon or psrecord", reader->path,
                         (long long)reader->line_number);
    return error_set(error, -EBADMSG, "%s:%lld: not a data row, skipped",
                     reader->path, (long long)reader->line_number);
}

/* 31 years and an exbibyte: what is more overflows, and was never measured. */
static int
check_figures(const struct log_reader *reader, const struct psrecord_row *row,
              struct error *error)
{
    static const double most_s = 1e9;
    static const double most_percent = 1e7;
    static const double most_mib = 1e12;
    const char *what = NULL;

    if (!(row->elapsed_s >= 0 && row->elapsed_s <= most_s))
        what = "time (0 to 10^9 s)";
    else if (!(row->cpu_percent >= -most_percent &&
               row->cpu_percent <= most_percent))
        what = "CPU (at most 10^7 %)";
    else if (!(row->rss_mib >= 0 && row->rss_mib <= most_mib &&
               row->vms_mib >= 0 && row->vms_mib <= most_mib &&
               row->pss_mib >= 0 && row->pss_mib <= most_mib))
        what = "memory (0 to 10^12 MiB)";
    if (what == NULL)
        return 0;
    return error_set(error, -EBADMSG, "%s:%lld: no valid %s, skipped",
                     reader->path, (long long)reader->line_number, what);
}

/* Those that have begun without a row are none. */
static void
begin_run(struct log_reader *reader)
{
    reader->run += reader->has_rows ? 1 : 0;
    reader->has_rows = false;
}

/* A clock that was set back a little is not a new run. */
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

/* What a line of size bytes is, in any format. */
static enum psrecord_line
parse(struct log_reader *reader, size_t size, struct psrecord_row *ret_row)
{
    if (size > 0 && reader->line[0] == '{')
        return jsonl_log_parse(reader->line, size, ret_row) == 0 ? PSRECORD_ROW
                                                                 : PSRECORD_BAD;
    return psrecord_log_parse(reader->line, size, &reader->layout, ret_row);
}

int
log_reader_next(struct log_reader *reader, struct psrecord_row *ret_row,
                struct error *error)
{
    for (;;) {
        ssize_t size = getline(&reader->line, &reader->room, reader->file);
        bool is_torn;
        enum psrecord_line kind;

        if (size < 0 && ferror(reader->file))
            return error_unreadable(error, -errno, reader->path);
        if (size < 0)
            return 1;
        reader->line_number++;
        is_torn = reader->line[size - 1] != '\n';
        kind = parse(reader, (size_t)size - (is_torn ? 0 : 1), ret_row);
        if (is_torn && reader->has_begun)
            return say_bad(reader, true, error);
        if (kind == PSRECORD_BAD)
            return say_bad(reader, false, error);
        if (kind == PSRECORD_EMPTY)
            continue;
        reader->has_begun = true;
        if (kind == PSRECORD_HEADER)
            begin_run(reader);
        if (kind == PSRECORD_ROW)
            return is_torn ? say_bad(reader, true, error)
                           : take_row(reader, ret_row, error);
    }
}
