/* SPDX-License-Identifier: MIT */
/* Opens the pair of files and appends to it; prints nothing. */
#include "watch/row_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/replace.h"
#include "formats/resource_rows.h"

#define HEADERS_NAME ROW_FILES_NAME "_headers"

void
row_files_init(struct row_files *files, const char *dir, bool is_extended)
{
    *files = (struct row_files){
        .dir = dir, .is_extended = is_extended, .folder_fd = -1, .fd = -1};
}

void
row_files_close(struct row_files *files)
{
    cleanup_close(&files->fd);
    cleanup_close(&files->folder_fd);
}

bool
row_files_is_passing(int rc)
{
    return rc == -ENOSPC || rc == -EDQUOT || rc == -EFBIG || rc == -EIO;
}

/* Whether the open file still has the name. */
static bool
is_named(int folder_fd, const char *name, int fd)
{
    struct stat one;
    struct stat two;

    return fstat(fd, &one) == 0 &&
           fstatat(folder_fd, name, &two, AT_SYMLINK_NOFOLLOW) == 0 &&
           one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

/*
 * Why rows must not be appended to an open file; NULL if they may.  By a link,
 * anybody who can write to the folder could direct them to any file of the user
 * that pmon-watch runs as, and choose their text by a command line.
 */
static const char *
find_objection(const struct stat *st)
{
    if (!S_ISREG(st->st_mode))
        return "not a regular file";
    if (st->st_uid != geteuid())
        return "belongs to another user";
    if (st->st_nlink > 1)
        return "has another name (a hard link)";
    return NULL;
}

/* Opens the rows for appending and locks them. */
static int
open_rows(struct row_files *files)
{
    enum { TRIES = 10 };
    int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY |
                O_NONBLOCK | O_NOFOLLOW;
    struct stat st;
    int rc;

    for (int i = 0; i < TRIES; i++) {
        FD_AUTO fd = openat(files->folder_fd, ROW_FILES_NAME, flags, 0666);

        if (fd < 0 && (errno == ELOOP || errno == ENXIO))
            files->objection =
                errno == ELOOP ? "a symbolic link" : "not a regular file";
        if (fd < 0 || fstat(fd, &st) < 0)
            return -errno;
        files->objection = find_objection(&st);
        if (files->objection != NULL)
            return -EPERM;
        rc = file_lock(fd);
        files->is_unlocked = rc == -EOPNOTSUPP;
        if (rc < 0 && !files->is_unlocked)
            return rc;
        /* Another pmon-watch may have moved it away before the lock. */
        if (is_named(files->folder_fd, ROW_FILES_NAME, fd)) {
            files->fd = cleanup_steal_fd(&fd);
            return 0;
        }
    }
    return -EWOULDBLOCK;
}

int
row_files_replace(int folder_fd, const char *name, const char *text)
{
    return replace_file(folder_fd, name, REPLACE_PLAIN, text, strlen(text));
}

/* Reads the present header, cut to size; empty without one. */
static void
read_header(int folder_fd, char *text, size_t size)
{
    FD_AUTO fd =
        openat(folder_fd, HEADERS_NAME,
               O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    struct stat st;

    text[0] = '\0';
    /*
     * The text is copied to NAME.1_headers, so it must not be another file's.
     */
    if (fd >= 0 && fstat(fd, &st) == 0 && find_objection(&st) == NULL)
        file_read_head(fd, text, size);
}

static bool
is_same_header(const char *found, const char *wanted)
{
    size_t size = strcspn(found, "\r\n");

    return size == strlen(wanted) && memcmp(found, wanted, size) == 0;
}

/* Moves rows that have another header to NAME.1, with that header. */
static int
set_aside(struct row_files *files)
{
    char found[1024];
    struct stat st;

    read_header(files->folder_fd, found, sizeof(found));
    if (fstat(files->fd, &st) < 0)
        return -errno;
    if (found[0] == '\0' || st.st_size == 0 ||
        is_same_header(found, resource_rows_header(files->is_extended)))
        return 0;
    return row_files_rotate(files, found);
}

static int
prepare(struct row_files *files)
{
    int rc = 0;

    if (files->needs_repair)
        rc = row_files_repair(files->fd);
    if (rc < 0)
        return rc;
    files->needs_repair = false;
    if (files->needs_header)
        rc = row_files_replace(files->folder_fd, HEADERS_NAME,
                               resource_rows_header(files->is_extended));
    if (rc == 0)
        files->needs_header = false;
    return rc;
}

/*
 * Removes temporary files of a killed pmon-watch, also of 0.1.0, whose names
 * were fixed.
 */
static void
remove_left(int folder_fd)
{
    unlinkat(folder_fd, "." ROW_FILES_NAME ".new", 0);
    unlinkat(folder_fd, "." HEADERS_NAME ".new", 0);
    unlinkat(folder_fd, "." ROW_FILES_NAME ".1_headers.new", 0);
    replace_remove_stale(folder_fd, ROW_FILES_NAME);
}

static int
open_all(struct row_files *files)
{
    int rc = folder_make(files->dir);

    if (rc < 0)
        return rc;
    files->folder_fd = open(files->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (files->folder_fd < 0)
        return -errno;
    files->objection = NULL;
    rc = open_rows(files);
    if (rc < 0)
        return rc;
    remove_left(files->folder_fd);
    files->needs_repair = true;
    files->needs_header = true;
    rc = row_files_repair(files->fd);
    if (rc < 0)
        return rc;
    files->needs_repair = false;
    rc = set_aside(files);
    return rc < 0 ? rc : prepare(files);
}

static int
fail(const struct row_files *files, int rc, struct error *error)
{
    if (rc == -EWOULDBLOCK)
        return error_set(
            error, rc,
            "%s/" ROW_FILES_NAME
            ": another pmon-watch is writing there: use another --dir",
            files->dir);
    if (files->objection != NULL)
        return error_set(error, rc,
                         "%s/" ROW_FILES_NAME
                         ": %s: move it away or use another --dir",
                         files->dir, files->objection);
    return error_set(error, rc, "%s/" ROW_FILES_NAME ": %s", files->dir,
                     error_name(rc));
}

int
row_files_open(struct row_files *files, struct error *error)
{
    int rc;

    row_files_close(files);
    rc = open_all(files);
    if (rc == 0)
        return 0;
    row_files_close(files);
    return fail(files, rc, error);
}

/*
 * Appends with one write; removes a part of it unless another process appended.
 */
static int
append(struct row_files *files, const struct stat *before, const char *rows,
       size_t size)
{
    ssize_t done = write(files->fd, rows, size);
    struct stat after;
    int rc;

    if (done == (ssize_t)size)
        return 0;
    if (done < 0)
        return -errno;
    /* A second write returns the reason. */
    rc = write(files->fd, rows + done, 1) < 0 ? -errno : -ENOSPC;
    if (fstat(files->fd, &after) < 0 ||
        (after.st_size != before->st_size + done &&
         after.st_size != before->st_size + done + 1) ||
        ftruncate(files->fd, before->st_size) < 0)
        files->needs_repair = true;
    return rc;
}

static int
write_rows(struct row_files *files, const char *rows, size_t size,
           struct error *error)
{
    struct stat st;
    int rc = 0;

    /* The file was removed, perhaps after it was renamed. */
    if (files->fd >= 0 && fstat(files->fd, &st) == 0 && st.st_nlink == 0)
        row_files_close(files);
    if (files->fd < 0)
        rc = row_files_open(files, error);
    if (rc < 0)
        return rc;
    rc = prepare(files);
    if (rc == 0 && fstat(files->fd, &st) < 0)
        rc = -errno;
    if (rc == 0 && files->max_size > 0 && st.st_size > 0 &&
        st.st_size + (int64_t)size > files->max_size) {
        files->rotate_failed =
            row_files_rotate(files, resource_rows_header(files->is_extended));
        rc = files->rotate_failed == 0 ? prepare(files) : 0;
        if (rc == 0 && fstat(files->fd, &st) < 0)
            rc = -errno;
    }
    if (rc == 0)
        rc = append(files, &st, rows, size);
    return rc < 0 ? fail(files, rc, error) : 0;
}

int
row_files_write(struct row_files *files, const char *rows, size_t size,
                struct error *error)
{
    return size > 0 ? write_rows(files, rows, size, error) : 0;
}
