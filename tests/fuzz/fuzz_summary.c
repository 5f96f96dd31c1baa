/* SPDX-License-Identifier: MIT */
/* Summaries: what was read and written again is read as the same. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "formats/summary.h"
#include "fuzz/fuzz.h"

/* Reads a summary and writes it: false where it is not one. */
static bool
rewrite(const void *data, size_t size, struct strbuf *out)
{
    struct error error = {0};
    FREE_AUTO char *log = NULL;
    struct run run;
    int rc;

    run_init(&run);
    rc = summary_read(&run, fuzz_file(data, size), &error);
    if (rc < 0)
        fuzz_check_error(&error);
    else
        FUZZ_CHECK(summary_write(out, &run) == 0);
    log = summary_find_file(&run, run.files.log);
    run_done(&run);
    return rc == 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    STRBUF_AUTO first = {0};
    STRBUF_AUTO second = {0};

    if (!rewrite(data, size, &first))
        return 0;
    FUZZ_CHECK(rewrite(first.text, first.size, &second));
    FUZZ_CHECK(strcmp(first.text, second.text) == 0);
    return 0;
}
