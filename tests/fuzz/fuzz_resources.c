/* SPDX-License-Identifier: MIT */
/*
 * Resource rows: what was read and written again is read as the same.  A file
 * that was cut anywhere and repaired loses the torn row only.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "formats/resource_rows.h"
#include "fuzz/fuzz.h"
#include "watch/row_files.h"

enum { MOST_ROWS = 64 };

struct rows {
    struct strbuf text;     /* the first MOST_ROWS, written again */
    size_t ends[MOST_ROWS]; /* of each in the text */
    size_t count;
    int64_t bad;
    bool is_extended; /* the last one */
};

static void
read_rows(const char *path, struct rows *rows)
{
    struct resource_reader reader;
    struct resource_row row;
    struct bad_rows bad = {.say = fuzz_check_line};
    struct error error = {0};
    int rc;

    *rows = (struct rows){0};
    FUZZ_CHECK(resource_reader_open(&reader, path, &bad, &error) == 0);
    while ((rc = resource_reader_next(&reader, &row, &error)) == 0) {
        if (rows->count == MOST_ROWS)
            continue;
        resource_row_append(&rows->text, &row);
        rows->ends[rows->count++] = rows->text.size;
        rows->is_extended = row.is_extended;
    }
    rows->bad = bad.count;
    FUZZ_CHECK(rc == 1);
    resource_reader_close(&reader);
}

/* As after a crash of pmon watch: the next one appends a row. */
static void
check_cut(const struct rows *rows, size_t cut)
{
    struct resource_row next = {.command = "next", .query_ns = 7};
    const char *path = fuzz_file(rows->text.text, cut);
    STRBUF_AUTO line = {0};
    size_t whole = 0;
    struct rows after;
    int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC);

    FUZZ_CHECK(fd >= 0 && row_files_repair(fd) == 0);
    close(fd);
    next.is_extended = rows->is_extended;
    resource_row_append(&line, &next);
    fuzz_file_append(strbuf_text(&line));
    while (whole < rows->count && rows->ends[whole] <= cut)
        whole++;
    read_rows(path, &after);
    if (whole < MOST_ROWS) {
        /* The torn row may have been whole but for its line end. */
        FUZZ_CHECK(after.count == whole + 1 || after.count == whole + 2);
        FUZZ_CHECK(after.bad <= 1);
        FUZZ_CHECK(after.text.size >= line.size);
        FUZZ_CHECK(strcmp(after.text.text + after.text.size - line.size,
                          line.text) == 0);
    }
    FUZZ_CHECK(memcmp(after.text.text, rows->text.text,
                      whole > 0 ? rows->ends[whole - 1] : 0) == 0);
    strbuf_done(&after.text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rows rows;
    struct rows again;

    read_rows(fuzz_file(data, size), &rows);
    if (rows.count > 0) {
        read_rows(fuzz_file(rows.text.text, rows.text.size), &again);
        FUZZ_CHECK(again.count == rows.count && again.bad == 0);
        FUZZ_CHECK(strcmp(again.text.text, rows.text.text) == 0);
        strbuf_done(&again.text);
        check_cut(&rows, (size_t)data[0] * data[size - 1] % rows.text.size);
    }
    strbuf_done(&rows.text);
    return 0;
}
