/* SPDX-License-Identifier: MIT */
/* Profile CSVs: functions of cProfile, and peak blocks. */
#include <math.h>
#include <string.h>

#include "formats/profile_csv.h"
#include "fuzz/fuzz.h"

static void
check_function(const struct profile_function *function, size_t size)
{
    FUZZ_CHECK(strlen(function->name) <= size);
    FUZZ_CHECK(function->primitive_calls >= 0);
    FUZZ_CHECK(function->calls >= function->primitive_calls);
    FUZZ_CHECK(isfinite(function->total_s) && function->total_s >= 0);
    FUZZ_CHECK(isfinite(function->cumulative_s) && function->cumulative_s >= 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct profile_function function;
    struct profile_reader reader;
    struct psrecord_row peak;
    struct bad_rows bad = {.say = fuzz_check_line};
    struct error error = {0};
    enum profile_line kind;
    int rc;

    FUZZ_CHECK(
        profile_reader_open(&reader, fuzz_file(data, size), &bad, &error) == 0);
    while ((rc = profile_reader_next(&reader, &kind, &function, &peak,
                                     &error)) == 0) {
        if (kind == PROFILE_FUNCTION) {
            check_function(&function, size);
        } else {
            FUZZ_CHECK(kind == PROFILE_PEAK);
            FUZZ_CHECK(isfinite(peak.rss_mib) && peak.rss_mib >= 0);
            FUZZ_CHECK(isfinite(peak.elapsed_s) && peak.elapsed_s >= 0);
        }
    }
    FUZZ_CHECK(rc == 1);
    profile_reader_close(&reader);
    return 0;
}
