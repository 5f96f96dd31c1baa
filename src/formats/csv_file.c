/* SPDX-License-Identifier: MIT */
/* Feeds struct csv_text with pieces of a file; skips the holes of the file. */
#include "formats/csv_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

enum {
    PIECE = 256 * 1024,
    /* A command line has at most 6 MiB, and its quotes are doubled. */
    LONGEST_RECORD = 16 * 1024 * 1024,
};

int
csv_file_open(struct csv_file *file, const char *path, struct error *error)
{
    /* A FIFO without a writer must not block. */
    FD_AUTO fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;

    *file = (struct csv_file){.fd = -1, .path = path};
    csv_text_init(&file->csv, "", 0);
    if (fd < 0 || fstat(fd, &st) < 0)
        return error_unreadable(error, -errno, path);
    if (!S_ISREG(st.st_mode))
        return error_unreadable(error, S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL,
                                path);
    file->fd = cleanup_steal_fd(&fd);
    return 0;
}

void
csv_file_close(struct csv_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
    strbuf_done(&file->piece);
    csv_text_done(&file->csv);
}

/* Reads more text, and puts it behind the text that is not parsed yet. */
static int
read_piece(struct csv_file *file)
{
    struct csv_text *csv = &file->csv;
    size_t rest = file->piece.size - csv->at;
    char *where;
    ssize_t got;

    if (csv->at > 0 && rest > 0)
        memmove(file->piece.text, file->piece.text + csv->at, rest);
    file->piece.size = rest;
    /* Doubling limits how often a long record is parsed again. */
    where = strbuf_reserve(&file->piece, rest > PIECE ? rest : PIECE);
    if (where == NULL)
        return -ENOMEM;
    got = read(file->fd, where, rest > PIECE ? rest : PIECE);
    if (got < 0)
        return -errno;
    strbuf_commit(&file->piece, (size_t)got);
    file->is_at_end = got == 0;
    csv->text = strbuf_text(&file->piece);
    csv->size = file->piece.size;
    csv->at = 0;
    return 0;
}

static bool
is_hole(const struct strbuf *piece)
{
    return piece->size > 0 && piece->text[0] == '\0' &&
           memcmp(piece->text, piece->text + 1, piece->size - 1) == 0;
}

/* Does nothing where the file system does not report holes. */
static void
jump_over_hole(int fd)
{
    off_t at = lseek(fd, 0, SEEK_CUR);

    if (lseek(fd, at, SEEK_DATA) < 0 && errno == ENXIO)
        lseek(fd, 0, SEEK_END);
}

/* Skips a bad record, whose end may be in a later piece. */
static int
skip_line(struct csv_file *file, struct error *error)
{
    struct csv_text *csv = &file->csv;
    const char *end;

    while ((end = memchr(csv->text + csv->at, '\n', csv->size - csv->at)) ==
               NULL &&
           !file->is_at_end) {
        int rc;

        csv->at = csv->size;
        if (is_hole(&file->piece))
            jump_over_hole(file->fd);
        rc = read_piece(file);
        if (rc < 0)
            return error_unreadable(error, rc, file->path);
    }
    csv->at = end != NULL ? (size_t)(end - csv->text) + 1 : csv->size;
    csv->next_line = csv->line + 1;
    return -EBADMSG;
}

int
csv_file_next(struct csv_file *file, struct error *error)
{
    struct csv_text *csv = &file->csv;

    for (;;) {
        size_t begin = csv->at;
        int64_t line = csv->next_line;
        int rc = csv_text_next(csv);

        if (rc == 0 || (rc == 1 && file->is_at_end))
            return rc;
        if (rc < 0)
            csv->at = begin;
        if (rc < 0 && (!csv->is_cut || file->is_at_end ||
                       csv->size - begin > LONGEST_RECORD))
            return skip_line(file, error);
        csv->next_line = line;
        rc = read_piece(file);
        if (rc < 0)
            return error_unreadable(error, rc, file->path);
    }
}
