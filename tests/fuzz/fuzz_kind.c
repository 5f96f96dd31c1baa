/* SPDX-License-Identifier: MIT */
/* Which kind of file it is, by its content. */
#include "formats/file_kind.h"
#include "fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    enum file_kind kind = FILE_UNKNOWN;
    enum file_kind found = FILE_UNKNOWN;
    struct error error = {0};

    FUZZ_CHECK(file_kind_of(path, &kind, &error) == 0);
    FUZZ_CHECK(kind >= FILE_UNKNOWN && kind < FILE_FOLDER);
    /* In a folder a file is the same, or it is left alone. */
    FUZZ_CHECK(file_kind_of_found(path, &found, &error) == 0);
    FUZZ_CHECK(found == kind || found == FILE_UNKNOWN);
    return 0;
}
