/* SPDX-License-Identifier: MIT */
/*
 * Replaces a whole file: a reader finds the old text or the new one, never a
 * part.  The new file gets its name only when it is complete, so that a kill
 * leaves nothing behind where the file system has files without a name.
 */
#ifndef PMON_BASE_REPLACE_H
#define PMON_BASE_REPLACE_H

#include <stddef.h>

#include "base/strbuf.h"

enum replace_mode {
    REPLACE_PLAIN,   /* a new file, with the mode that the umask gives */
    REPLACE_KEEPING, /* mode and owner of the file that is replaced */
};

/*
 * Writes text to a new file beside path (below folder_fd, as openat(2)) and
 * renames it to path.  A link at path is replaced, not followed.  0 or a
 * negative errno: -EPERM where the owner cannot be kept.
 */
int replace_file(int folder_fd, const char *path, enum replace_mode mode,
                 const char *text, size_t size);

/*
 * The name of a temporary file in the folder of path, which nobody can
 * foretell: to be opened with O_EXCL.
 */
void replace_temporary_name(struct strbuf *out, const char *path);

/*
 * Removes what killed processes of this user have left in the folder of path.
 * Those that were never locked count as left after an hour.
 */
void replace_remove_stale(int folder_fd, const char *path);

#endif
