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
#include "formats/psrecord_log.h"
#include "formats/region_rows.h"
#include "formats/resource_rows.h"

static const char block[] = "# Elapsed time,CPU (%),Peak Real (MB)";

/* How a row of a jsonl log begins, and no summary does. */
static const char jsonl[] = "{\"elapsed_s\":";

/* By the first record: CSV of any tool may have as many fields. */
static enum file_kind
kind_of_csv(const char *text, size_t size)
{
    /* 1973: what is less counts something else than ns since the epoch. */
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

/* Ten lines at most: what a profiler wrote may be hundreds of MiB. */
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

enum file_kind
file_kind_of_text(const char *text)
{
    const char *first = text + strspn(text, " \t\r\n");
    struct psrecord_layout layout = {0};
    struct psrecord_row row;
    enum psrecord_line line;

    if (strncmp(first, jsonl, sizeof(jsonl) - 1) == 0)
        return FILE_LOG;
    if (*first == '{' && first[1] != 'b')
        return FILE_SUMMARY;
    if (strncmp(text, "CMDLINE ", 8) == 0 || strncmp(text, "MEM ", 4) == 0)
        return FILE_MPROF;
    if (is_profile(text))
        return FILE_PROFILE;
    line = psrecord_log_parse(first, strcspn(first, "\n"), &layout, &row);
    if (line == PSRECORD_HEADER || line == PSRECORD_ROW ||
        line == PSRECORD_TALK)
        return FILE_LOG;
    return kind_of_csv(text, strlen(text));
}

enum { HEADER_MOST = 4096 }; /* one line */

/* The kind that NAME_headers tells. */
static enum file_kind
kind_of_headers(const char *path)
{
    STRBUF_AUTO name = {0};
    STRBUF_AUTO text = {0};
    struct stat st;

    strbuf_printf(&name, "%s_headers", path);
    if (stat(strbuf_text(&name), &st) < 0 || !S_ISREG(st.st_mode) ||
        file_read_most(strbuf_text(&name), &text, HEADER_MOST) < 0)
        return FILE_UNKNOWN;
    if (region_rows_is_header(strbuf_text(&text), text.size))
        return FILE_REGIONS;
    if (resource_rows_is_header(strbuf_text(&text), text.size))
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

int
file_kind_of(const char *path, enum file_kind *ret_kind, struct error *error)
{
    enum { HEAD = 8192 };
    char head[HEAD + 1];
    FD_AUTO fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    ssize_t got;

    if (fd < 0 || fstat(fd, &st) < 0)
        return error_unreadable(error, -errno, path);
    *ret_kind = FILE_FOLDER;
    if (S_ISDIR(st.st_mode))
        return 0;
    if (!S_ISREG(st.st_mode))
        return error_set(
            error, -EINVAL,
            "%s: not a regular file; copy it to a regular file first", path);
    got = pread(fd, head, HEAD, 0);
    if (got < 0)
        return error_unreadable(error, -errno, path);
    head[got] = '\0';
    *ret_kind = kind_of_headers(path);
    if (*ret_kind == FILE_UNKNOWN)
        *ret_kind = file_kind_of_text(head);
    if (*ret_kind == FILE_UNKNOWN && ends_in_block(fd, st.st_size))
        *ret_kind = FILE_PROFILE;
    return 0;
}
