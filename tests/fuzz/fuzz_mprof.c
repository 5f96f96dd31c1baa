/* SPDX-License-Identifier: MIT */
/* The .dat files of mprof. */
#include <math.h>
#include <string.h>

#include "formats/mprof.h"
#include "fuzz/fuzz.h"

static void
check_row(const struct mprof_row *row, size_t size)
{
    FUZZ_CHECK(row->run >= 1);
    FUZZ_CHECK(row->epoch_ns >= 0);
    if (row->kind == MPROF_MEMORY) {
        FUZZ_CHECK(isfinite(row->rss_bytes) && row->rss_bytes >= 0);
        return;
    }
    FUZZ_CHECK(row->kind == MPROF_FUNCTION);
    FUZZ_CHECK(strlen(row->name) <= size && row->duration_ns >= 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mprof_reader reader;
    struct mprof_row row;
    struct bad_rows bad = {.say = fuzz_check_line};
    struct error error = {0};
    int rc = mprof_open(&reader, fuzz_file(data, size), &bad, &error);

    while (rc == 0 && (rc = mprof_next(&reader, &row, &error)) == 0)
        check_row(&row, size);
    if (rc < 0)
        fuzz_check_error(&error);
    mprof_close(&reader);
    return 0;
}
