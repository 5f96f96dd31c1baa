/* SPDX-License-Identifier: MIT */
/*
 * The pair of files that rows go to, system_resource_data and
 * system_resource_data_headers, and the older ones of a rotation:
 * system_resource_data.1, the newest, with system_resource_data.1_headers,
 * and so on.  A sample is in the file as a whole or not at all.
 */
#ifndef PMON_WATCH_ROW_FILES_H
#define PMON_WATCH_ROW_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define ROW_FILES_NAME "system_resource_data"

struct row_files {
    const char *dir; /* the caller's */
    bool is_extended;
    int64_t max_size; /* bytes; 0: no limit */
    int64_t keep;     /* older files; 0: all */

    int folder_fd;
    int fd; /* -1: not open */
    bool needs_header;
    bool needs_repair;     /* it may end in a partial row */
    int rotate_failed;     /* negative errno of the last rotation, or 0 */
    bool is_unlocked;      /* the file system has no locks */
    const char *objection; /* why the present file must not be written */
};

/* Opens nothing yet. */
void row_files_init(struct row_files *files, const char *dir, bool is_extended);

/*
 * Makes the folder, opens and locks the rows (a regular file of this user with
 * one name, no link is followed), completes a torn end, moves rows with other
 * columns away, and writes the headers. 0, or a negative errno with error:
 * -EWOULDBLOCK if another pmon-watch is writing there; see row_files_is_passing
 * for errors that may pass.
 */
int row_files_open(struct row_files *files, struct error *error);

/* Closes the files; they can be opened again. */
void row_files_close(struct row_files *files);

/*
 * Appends whole rows, in one write; opens and rotates first if that is due.  A
 * partial write is rolled back. 0, or a negative errno with error; the next
 * call tries again.
 */
int row_files_write(struct row_files *files, const char *rows, size_t size,
                    struct error *error);

/*
 * Whether to wait until the error passes: a full disk, a quota, a size limit.
 */
bool row_files_is_passing(int rc);

/* Parts of the above, in row_files_rotate.c and row_files_end.c. */

/* Moves the rows to NAME.1 with that header, older ones one number up. */
int row_files_rotate(struct row_files *files, const char *header);

/* Writes a file of the folder in one piece: all of it or nothing. */
int row_files_replace(int folder_fd, const char *name, const char *text);

/* Ends a torn row, so that the next one is not glued to it. */
int row_files_repair(int fd);

/*
 * What must follow the last row of a text so that the next row begins on a new
 * line: nothing for a complete row.  The text begins with a row.
 */
const char *row_files_missing_end(const char *text, size_t size);

#endif
