/* SPDX-License-Identifier: MIT */
/*
 * Repairs the end of a file of rows that a power cut or a kill has torn.  Keeps
 * all text, and only adds the missing line end.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "watch/row_files.h"

/*
 * "1796007184763513878","sh -c ""a""
 * A quote within a field is doubled, so an odd number of them leaves one open.
 * A number that was cut must not pass for a whole one: the field behind it,
 * which is none, makes the row a bad one for every reader.
 */
const char *
row_files_missing_end(const char *text, size_t size)
{
    bool is_open = false;

    if (size == 0)
        return "";
    for (size_t i = 0; i < size; i++)
        if (text[i] == '"')
            is_open = !is_open;
    if (is_open)
        return "\",\"torn\"\r\n";
    if (text[size - 1] == '\n')
        return "";
    if (text[size - 1] == ',')
        return "\"torn\"\r\n";
    return text[size - 1] == '\r' ? "\n" : "\r\n";
}

/*
 * Where the last row begins whose beginning is in the text: after a line end,
 * at a quote and a digit, which no field can hold.
 */
static bool
find_last_row(const char *text, size_t size, size_t *ret_at)
{
    for (size_t i = size; i-- > 0;)
        if (text[i] == '\n' && i + 2 < size && text[i + 1] == '"' &&
            isdigit((unsigned char)text[i + 2])) {
            *ret_at = i + 1;
            return true;
        }
    return false;
}

/* Reads the last bytes, and more of them until a row begins there. */
static int
read_tail(int fd, off_t size, struct strbuf *tail, size_t *ret_at)
{
    enum { FIRST = 1 << 16, MOST = 1 << 24 };

    for (off_t wanted = FIRST;; wanted *= 4) {
        off_t part = wanted < size ? wanted : size;
        char *where;
        ssize_t got;

        strbuf_reset(tail);
        where = strbuf_reserve(tail, (size_t)part);
        if (where == NULL)
            return -ENOMEM;
        got = pread(fd, where, (size_t)part, size - part);
        if (got < 0)
            return -errno;
        strbuf_commit(tail, (size_t)got);
        *ret_at = 0;
        if (find_last_row(tail->text, tail->size, ret_at) || part == size ||
            wanted >= MOST)
            return 0;
    }
}

int
row_files_repair(int fd)
{
    STRBUF_AUTO tail = {0};
    const char *missing;
    struct stat st;
    size_t at;
    int rc;

    if (fstat(fd, &st) < 0)
        return -errno;
    if (st.st_size == 0)
        return 0;
    rc = read_tail(fd, st.st_size, &tail, &at);
    if (rc < 0)
        return rc;
    missing = row_files_missing_end(tail.text + at, tail.size - at);
    return file_write_all(fd, missing, strlen(missing));
}
