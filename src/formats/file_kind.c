/* SPDX-License-Identifier: MIT */
/* Tells the files that pmon reads from each other. */
#include "formats/file_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "formats/csv_text.h"
#include "formats/jsonl_log.h"
#include "formats/process_rows.h"
#include "formats/psrecord_log.h"
#include "formats/region_rows.h"
#include "formats/resource_rows.h"

/* NAME_headers has the column names of the rows in NAME. */
static const char headers[] = "_headers";
static const char blanks[] = " \t\r\n";
static const char block[] = "# Elapsed time,CPU (%),Peak Real (MB)";

/*
 * By the first record, because CSV files of other tools may have the same
 * number of fields.
 */
static enum file_kind
kind_of_csv(const char *text, size_t size)
{
    /* 1973: smaller numbers are not ns since the epoch. */
    static const int64_t least_ns = INT64_C(100000000000000000);
    enum file_kind kind = FILE_UNKNOWN;
    struct resource_row resource;
    struct region_row region;
    struct csv_text csv;

    csv_text_init(&csv, text, size);
    if (csv_text_next(&csv) == 0) {
        if (region_row_parse(&csv, &region) == 0 && region.start_ns >= least_ns)
            kind = FILE_REGIONS;
        else if (resource_row_parse(&csv, &resource) == 0 &&
                 resource.query_ns >= least_ns)
            kind = FILE_RESOURCES;
    }
    csv_text_done(&csv);
    return kind;
}

/* Ten lines at most: a profile may have hundreds of MiB. */
static bool
is_profile(const char *text)
{
    enum { LINES = 10 };

    for (int i = 0; i < LINES && *text != '\0'; i++) {
        size_t size = strcspn(text, "\n");

        if (strncmp(text, "ncalls,tottime,", 15) == 0 ||
            strncmp(text, block, sizeof(block) - 1) == 0 ||
            memmem(text, size, " function calls", 15) != NULL)
            return true;
        text += size + (text[size] == '\n' ? 1 : 0);
    }
    return false;
}

/* The text after token and blanks; NULL if it does not begin with token. */
static const char *
skip_token(const char *text, const char *token)
{
    size_t size = strlen(token);

    if (text == NULL)
        return NULL;
    text += strspn(text, blanks);
    return strncmp(text, token, size) == 0 ? text + size : NULL;
}

/* { "schema": 1, "pmon": */
static bool
is_summary(const char *text)
{
    text = skip_token(skip_token(text, "{"), "\"schema\"");
    text = skip_token(text, ":");
    if (text == NULL)
        return false;
    text += strspn(text, "0123456789 ");
    text = skip_token(skip_token(text, ","), "\"pmon\"");
    return skip_token(text, ":") != NULL;
}

/*
 * Whether a first line is that of a log.  Four numbers are a row of psrecord,
 * but many other programs write such lines too.
 */
static bool
is_log(const char *line, bool *ret_is_sure)
{
    size_t size = strcspn(line, "\n");
    struct psrecord_layout layout = {0};
    struct psrecord_row row;
    enum psrecord_line kind;

    *ret_is_sure = true;
    if (*line == '{')
        return jsonl_log_parse(line, size, &row) == 0;
    kind = psrecord_log_parse(line, size, &layout, &row);
    *ret_is_sure = kind == PSRECORD_HEADER || kind == PSRECORD_TALK;
    return *ret_is_sure || kind == PSRECORD_ROW;
}

/*
 * The kinds that are certain come first: a command or a region may have the
 * words of a profile in its name, and a profiled program may print numbers.
 */
static enum file_kind
kind_of_text(const char *text, bool *ret_is_sure)
{
    const char *first = text + strspn(text, blanks);
    enum file_kind kind;
    bool has_row;

    *ret_is_sure = true;
    if (*first == '\0')
        return FILE_EMPTY;
    if (is_summary(first))
        return FILE_SUMMARY;
    if (strncmp(text, "CMDLINE ", 8) == 0 || strncmp(text, "MEM ", 4) == 0)
        return FILE_MPROF;
    if (process_rows_is_header(first, strcspn(first, "\n")))
        return FILE_PROCESSES;
    has_row = is_log(first, ret_is_sure);
    if (has_row && *ret_is_sure)
        return FILE_LOG;
    *ret_is_sure = false;
    kind = kind_of_csv(text, strlen(text));
    if (kind != FILE_UNKNOWN)
        return kind;
    *ret_is_sure = is_profile(text);
    if (*ret_is_sure)
        return FILE_PROFILE;
    return has_row ? FILE_LOG : FILE_UNKNOWN;
}

enum file_kind
file_kind_of_text(const char *text)
{
    bool unused;

    return kind_of_text(text, &unused);
}

size_t
file_kind_headers_size(const char *path)
{
    size_t suffix = sizeof(headers) - 1;
    size_t size = strlen(path);

    return size > suffix && strcmp(path + size - suffix, headers) == 0
               ? size - suffix
               : 0;
}

enum file_kind
file_kind_by_headers(const char *path)
{
    enum { MOST = 4096 }; /* one line */
    STRBUF_AUTO name = {0};
    STRBUF_AUTO line = {0};
    struct stat st;

    strbuf_printf(&name, "%s%s", path, headers);
    if (stat(strbuf_text(&name), &st) < 0 || !S_ISREG(st.st_mode) ||
        file_read_most(strbuf_text(&name), &line, MOST) < 0)
        return FILE_UNKNOWN;
    if (region_rows_is_header(strbuf_text(&line), line.size))
        return FILE_REGIONS;
    if (resource_rows_is_header(strbuf_text(&line), line.size))
        return FILE_RESOURCES;
    return FILE_UNKNOWN;
}

/* Whether a peak block is among the last bytes. */
static bool
ends_in_block(int fd, off_t size)
{
    enum { TAIL = 512 };
    char tail[TAIL];
    ssize_t got = pread(fd, tail, sizeof(tail), size > TAIL ? size - TAIL : 0);

    return got > 0 &&
           memmem(tail, (size_t)got, block, sizeof(block) - 1) != NULL;
}

/*
 * Opens a regular file and returns its descriptor; -EISDIR for a folder,
 * -ESPIPE for anything else.  Does not wake a writer that waits at a FIFO.
 */
static int
open_regular(const char *path, off_t *ret_size)
{
    struct stat st;
    int fd;

    if (stat(path, &st) < 0)
        return -errno;
    if (!S_ISREG(st.st_mode))
        return S_ISDIR(st.st_mode) ? -EISDIR : -ESPIPE;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *ret_size = st.st_size;
    return fd < 0 ? -errno : fd;
}

static int
look_at(const char *path, enum file_kind *ret_kind, bool *ret_is_sure,
        struct error *error)
{
    enum { HEAD = 8192 };
    char head[HEAD + 1];
    off_t size = 0;
    FD_AUTO fd = open_regular(path, &size);
    ssize_t got;

    *ret_is_sure = true;
    *ret_kind = FILE_FOLDER;
    if (fd == -EISDIR)
        return 0;
    if (fd == -ESPIPE)
        return error_set(
            error, -ESPIPE,
            "%s: not a regular file; copy it to a regular file first", path);
    got = fd < 0 ? fd : file_read_head(fd, head, sizeof(head));
    if (got < 0)
        return error_unreadable(error, (int)got, path);
    *ret_is_sure = size > 0;
    *ret_kind = file_kind_by_headers(path);
    if (*ret_kind == FILE_UNKNOWN)
        *ret_kind = kind_of_text(head, ret_is_sure);
    if ((*ret_kind == FILE_UNKNOWN || *ret_kind == FILE_EMPTY) &&
        ends_in_block(fd, size))
        *ret_kind = FILE_PROFILE;
    return 0;
}

int
file_kind_of(const char *path, enum file_kind *ret_kind, struct error *error)
{
    bool unused;

    return look_at(path, ret_kind, &unused, error);
}

int
file_kind_of_found(const char *path, enum file_kind *ret_kind,
                   struct error *error)
{
    bool is_sure;
    int rc = look_at(path, ret_kind, &is_sure, error);

    if (!is_sure || *ret_kind == FILE_EMPTY || file_kind_headers_size(path) > 0)
        *ret_kind = FILE_UNKNOWN;
    return rc;
}

int
file_kind_is_summary(const char *path)
{
    enum { HEAD = 256 };
    char head[HEAD + 1];
    size_t length = strlen(path);
    FD_AUTO fd = -1;
    off_t size;
    ssize_t got;

    if (length <= 5 || strcmp(path + length - 5, ".json") != 0)
        return 0;
    fd = open_regular(path, &size);
    got = fd < 0 ? fd : file_read_head(fd, head, sizeof(head));
    return got < 0 ? (int)got : is_summary(head);
}
