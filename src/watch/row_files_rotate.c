/* SPDX-License-Identifier: MIT */
/* Rotation: at each moment every file of rows has its headers beside it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/replace.h"
#include "watch/row_files.h"

enum { NAME_SIZE = 64 };

static void
name_of(char *name, long number, const char *suffix)
{
    snprintf(name, NAME_SIZE, ROW_FILES_NAME ".%ld%s", number, suffix);
}

static int
exists(int folder_fd, long number)
{
    char name[NAME_SIZE];
    struct stat st;

    name_of(name, number, "");
    return fstatat(folder_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void
remove_pair(int folder_fd, long number)
{
    char name[NAME_SIZE];

    name_of(name, number, "");
    unlinkat(folder_fd, name, 0);
    name_of(name, number, "_headers");
    unlinkat(folder_fd, name, 0);
}

/* Moves the headers first: a reader cannot use rows without them. */
static int
move_pair(int folder_fd, long from)
{
    static const char *const suffixes[] = {"_headers", ""};
    char old[NAME_SIZE];
    char new[NAME_SIZE];

    for (int i = 0; i < 2; i++) {
        name_of(old, from, suffixes[i]);
        name_of(new, from + 1, suffixes[i]);
        if (renameat(folder_fd, old, folder_fd, new) < 0 &&
            (i == 1 || errno != ENOENT))
            return -errno;
    }
    return 0;
}

/* Makes NAME.1 free.  Removes only the files that --keep does not keep. */
static int
shift(const struct row_files *files)
{
    long last = 0;

    for (long i = (long)files->keep; i > 0 && exists(files->folder_fd, i); i++)
        remove_pair(files->folder_fd, i);
    while (exists(files->folder_fd, last + 1))
        last++;
    for (long i = last; i > 0; i--) {
        int rc = move_pair(files->folder_fd, i);

        if (rc < 0)
            return rc;
    }
    return 0;
}

int
row_files_rotate(struct row_files *files, const char *header)
{
    STRBUF_AUTO temporary = {0};
    char name[NAME_SIZE];
    char headers[NAME_SIZE];
    FD_AUTO fd = -1;
    int rc;

    replace_temporary_name(&temporary, ROW_FILES_NAME);
    fd = openat(files->folder_fd, strbuf_text(&temporary),
                O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return temporary.failed ? -ENOMEM : -errno;
    name_of(name, 1, "");
    name_of(headers, 1, "_headers");
    rc = file_lock(fd);
    if (rc == -EOPNOTSUPP)
        rc = 0; /* reported when the rows were opened */
    if (rc == 0)
        rc = shift(files);
    if (rc == 0)
        rc = row_files_replace(files->folder_fd, headers, header);
    if (rc == 0 &&
        renameat(files->folder_fd, ROW_FILES_NAME, files->folder_fd, name) < 0)
        rc = -errno;
    if (rc == 0 && renameat(files->folder_fd, strbuf_text(&temporary),
                            files->folder_fd, ROW_FILES_NAME) < 0)
        rc = -errno;
    if (rc < 0) {
        unlinkat(files->folder_fd, strbuf_text(&temporary), 0);
        return rc;
    }
    cleanup_close(&files->fd);
    files->fd = cleanup_steal_fd(&fd);
    files->needs_header = true;
    return 0;
}
