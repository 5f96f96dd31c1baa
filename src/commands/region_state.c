/* SPDX-License-Identifier: MIT */
/* A small CSV file under a lock: name, two starts. */
#include "commands/region_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "formats/csv_text.h"

/* Opens the file under its lock; one that was removed meanwhile is none. */
static int
open_locked(const char *folder, int flags)
{
    STRBUF_AUTO path = {0};
    struct stat st;
    int fd;

    strbuf_printf(&path, "%s/.open_regions", folder);
    for (;;) {
        fd = open(strbuf_text(&path), O_RDWR | O_CLOEXEC | flags, 0666);
        if (fd < 0)
            return -errno;
        if (flock(fd, LOCK_EX) < 0 || fstat(fd, &st) < 0) {
            int saved = errno;

            close(fd);
            return -saved;
        }
        if (st.st_nlink > 0)
            return fd;
        close(fd);
    }
}

static int
read_fd(int fd, struct strbuf *text)
{
    ssize_t got = 1;

    while (got > 0) {
        char *where = strbuf_reserve(text, 4096);

        if (where == NULL)
            return -ENOMEM;
        got = read(fd, where, 4096);
        if (got > 0)
            strbuf_commit(text, (size_t)got);
    }
    return got < 0 ? -errno : 0;
}

static void
append_row(struct strbuf *out, const char *name, const struct region_mark *mark)
{
    csv_text_quote(out, name);
    strbuf_printf(out, ",%lld,%lld\n", (long long)mark->start_ns,
                  (long long)mark->start_mono_ns);
}

/* What a full disk lets through of a row would spoil the next one. */
static int
write_whole(int fd, const struct strbuf *row)
{
    struct stat before;
    ssize_t done;

    if (fstat(fd, &before) < 0)
        return -errno;
    done = write(fd, row->text, row->size);
    if (done == (ssize_t)row->size)
        return 0;
    if (done < 0 || ftruncate(fd, before.st_size) < 0)
        return -errno;
    return -ENOSPC;
}

int
region_state_begin(const char *folder, const char *name,
                   const struct region_mark *mark, struct error *error)
{
    FD_AUTO fd = open_locked(folder, O_CREAT | O_APPEND);
    STRBUF_AUTO row = {0};
    int rc = fd;

    append_row(&row, name, mark);
    if (fd >= 0)
        rc = row.failed ? -ENOMEM : write_whole(fd, &row);
    if (rc < 0)
        return error_set(error, rc, "%s/.open_regions: cannot be written: %s",
                         folder, error_name(rc));
    return 0;
}

static bool
parse_mark(const struct csv_text *csv, struct region_mark *ret_mark)
{
    uint64_t start;
    uint64_t mono;

    if (csv->count != 3 || num_parse_u64(csv_text_field(csv, 1), &start) < 0 ||
        num_parse_u64(csv_text_field(csv, 2), &mono) < 0 || start > INT64_MAX ||
        mono > INT64_MAX)
        return false;
    *ret_mark = (struct region_mark){(int64_t)start, (int64_t)mono};
    return true;
}

/*
 * The offsets of the last record of name (NULL: of any) that began at since_ns
 * or later; false for none.
 */
static bool
find_last(const struct strbuf *text, const char *name, int64_t since_ns,
          size_t *ret_begin, size_t *ret_end, char **ret_name,
          struct region_mark *ret_mark)
{
    struct csv_text csv;
    bool found = false;
    size_t begin;
    int rc;

    csv_text_init(&csv, strbuf_text(text), text->size);
    for (begin = 0; (rc = csv_text_next(&csv)) != 1; begin = csv.at) {
        struct region_mark mark;

        if (rc < 0 || !parse_mark(&csv, &mark) || mark.start_ns < since_ns ||
            (name != NULL && strcmp(csv_text_field(&csv, 0), name) != 0))
            continue;
        found = true;
        *ret_begin = begin;
        *ret_end = csv.at;
        *ret_mark = mark;
        free(*ret_name);
        *ret_name = strdup(csv_text_field(&csv, 0));
    }
    csv_text_done(&csv);
    return found;
}

/* The last one was taken out: nothing is left behind. */
static void
forget(const char *folder)
{
    STRBUF_AUTO path = {0};

    strbuf_printf(&path, "%s/.open_regions", folder);
    unlink(strbuf_text(&path));
}

/* Takes the last record of name (NULL: of any) out of the file. */
static int
take(const char *folder, const char *name, int64_t since_ns, char **ret_name,
     struct region_mark *ret_mark)
{
    FD_AUTO fd = open_locked(folder, 0);
    STRBUF_AUTO text = {0};
    size_t begin;
    size_t end;
    int rc;

    if (fd < 0)
        return fd;
    rc = read_fd(fd, &text);
    if (rc < 0)
        return rc;
    if (!find_last(&text, name, since_ns, &begin, &end, ret_name, ret_mark))
        return -ENOENT;
    if (pwrite(fd, text.text + end, text.size - end, (off_t)begin) !=
            (ssize_t)(text.size - end) ||
        ftruncate(fd, (off_t)(text.size - (end - begin))) < 0)
        return -errno;
    if (text.size == end - begin)
        forget(folder);
    return 0;
}

int
region_state_end(const char *folder, const char *name,
                 struct region_mark *ret_mark, struct error *error)
{
    FREE_AUTO char *unused = NULL;
    int rc = take(folder, name, 0, &unused, ret_mark);

    if (rc == -ENOENT)
        return error_set(error, rc,
                         "region --end %s: none of this name is open; "
                         "pmon region --begin opens one",
                         name);
    if (rc < 0)
        return error_set(error, rc, "%s/.open_regions: cannot be read: %s",
                         folder, error_name(rc));
    return 0;
}

int
region_state_take(const char *folder, int64_t since_ns, char **ret_name,
                  struct region_mark *ret_mark)
{
    *ret_name = NULL;
    return take(folder, NULL, since_ns, ret_name, ret_mark) == 0 &&
                   *ret_name != NULL
               ? 0
               : 1;
}
