/* SPDX-License-Identifier: MIT */
/* The files of a folder and of the folders in it; which were read already. */
#ifndef PMON_COMMANDS_SUMMARY_FOLDER_H
#define PMON_COMMANDS_SUMMARY_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct folder_walk {
    /* 1 or 0; a negative errno if the file cannot be read. */
    int (*is_wanted)(const char *path);
    /* 0 or negative; -ENOMSG: the file is not one of pmon's. */
    int (*visit)(const char *path, void *context, struct error *error);
    /* Reports an entry that cannot be read; the walk goes on. */
    void (*say_bad)(void *context, const struct error *error, bool is_folder);
    void *context;
};

/*
 * Visits each wanted regular file in the order of names, without hidden ones;
 * does not follow links to folders.  Returns how many of them are pmon's, or a
 * negative errno if path itself cannot be read, or without memory.
 */
int summary_folder_each(const char *path, const struct folder_walk *walk,
                        struct error *error);

/* The identity of a file, whatever its name. */
struct file_id {
    dev_t device;
    ino_t number;
};

/*
 * Files that were read: a file that is read twice would count twice.  All zero
 * at first; to be freed by seen_files_done.
 */

struct seen_files {
    struct file_id *list;
    size_t count;
    size_t allocated;
};

/* Whether the file at path was not seen before, by any name; remembers it. */
bool seen_files_is_new(struct seen_files *seen, const char *path);

void seen_files_done(struct seen_files *seen);

#endif
