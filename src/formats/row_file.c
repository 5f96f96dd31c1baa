/* SPDX-License-Identifier: MIT */
/* Reads lines with getline(3). */
#include "formats/row_file.h"

#include <errno.h>
#include <stdlib.h>

int
row_file_open(struct row_file *rows, const char *path, struct error *error)
{
    *rows = (struct row_file){.path = path};
    rows->file = fopen(path, "re");
    if (rows->file == NULL)
        return error_unreadable(error, -errno, path);
    return 0;
}

void
row_file_close(struct row_file *rows)
{
    if (rows->file != NULL)
        fclose(rows->file);
    free(rows->line);
    *rows = (struct row_file){0};
}

int
row_file_next(struct row_file *rows, struct error *error)
{
    ssize_t got;

    errno = 0;
    got = getline(&rows->line, &rows->allocated, rows->file);
    /* Not the end and no read error: no memory for the line. */
    if (got < 0 && errno != 0)
        return error_unreadable(error, -errno, rows->path);
    if (got < 0)
        return 1;
    rows->line_number++;
    rows->is_torn = rows->line[got - 1] != '\n';
    rows->size = (size_t)got - (rows->is_torn ? 0 : 1);
    rows->line[rows->size] = '\0';
    return 0;
}

void
row_file_rewind(struct row_file *rows)
{
    rewind(rows->file);
    rows->line_number = 0;
}

int
row_file_torn(const struct row_file *rows, struct error *error)
{
    return error_in_line(error, -EBADMSG, rows->path, rows->line_number,
                         "the last line is incomplete, skipped");
}
