/* SPDX-License-Identifier: MIT */
/* Files that were read: one that is met twice would count twice. */
#ifndef PMON_COMMANDS_SEEN_FILES_H
#define PMON_COMMANDS_SEEN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What a file is, whatever it is called. */
struct file_id {
    dev_t device;
    ino_t number;
};

/* All zero at first; to be freed by seen_files_done. */
struct seen_files {
    struct file_id *list;
    size_t count;
    size_t allocated;
};

/* Whether the file at path is new, by this name or another; it is not then. */
bool seen_files_is_new(struct seen_files *seen, const char *path);

void seen_files_done(struct seen_files *seen);

#endif
