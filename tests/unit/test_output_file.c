/* SPDX-License-Identifier: MIT */
/* Output files that are full, cut back, or read slowly. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output_file.h"
#include "unit.h"

/* After a partial row a regular file is truncated to its old size. */
static void
test_sink_takes_back(void **state)
{
    char path[] = "pmon-sink.XXXXXX";
    int fd = mkstemp(path);
    struct output_file sink;
    struct stat st;

    (void)state;
    assert_at_least(fd, 0);
    assert_int_equal(write(fd, "before", 6), 6);
    close(fd);
    assert_int_equal(output_file_open(&sink, path, O_APPEND), 0);
    assert_true(sink.is_regular);
    assert_false(sink.was_made);
    assert_int_equal(output_file_write(&sink, "after", 5), 0);
    output_file_take_back(&sink);
    assert_int_equal(output_file_close(&sink, 0), 0);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_size, 6);
    unlink(path);
}

static void
test_sink_full(void **state)
{
    struct output_file sink;

    (void)state;
    assert_int_equal(output_file_open(&sink, "/dev/full", 0), 0);
    assert_int_equal(output_file_write(&sink, "row", 3), -ENOSPC);
    assert_int_equal(output_file_write(&sink, "row", 3), -ENOSPC);
    assert_int_equal(sink.lost, 6);
    assert_int_equal(output_file_close(&sink, 0), -ENOSPC);
    assert_int_equal(output_file_open(&sink, "/nowhere/file", 0), -ENOENT);
}

/* A slow reader delays nothing; the rows that it reads later are complete. */
static void
test_sink_slow_reader(void **state)
{
    enum { ROWS = 2000, ROW = 52 };
    static char got[ROWS * ROW + 1];
    char row[ROW + 1];
    char path[32];
    struct output_file sink;
    int ends[2];
    size_t size = 0;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
    assert_int_equal(output_file_open(&sink, path, 0), 0);
    close(ends[1]);
    for (int i = 0; i < ROWS; i++) {
        snprintf(row, sizeof(row), "%51d\n", i);
        assert_int_equal(output_file_write(&sink, row, ROW), 0);
    }
    while (size < sizeof(got) - 1 && sink.queue.size > 0) {
        size += (size_t)read(ends[0], got + size, 4096);
        assert_int_equal(output_file_write(&sink, "", 0), 0);
    }
    assert_int_equal(output_file_close(&sink, 0), 0);
    while (size < ROWS * ROW)
        size += (size_t)read(ends[0], got + size, sizeof(got) - 1 - size);
    for (int i = 0; i < ROWS; i++)
        assert_int_equal(strtol(got + i * ROW, NULL, 10), i);
    close(ends[0]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sink_takes_back),
        cmocka_unit_test(test_sink_full),
        cmocka_unit_test(test_sink_slow_reader),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
