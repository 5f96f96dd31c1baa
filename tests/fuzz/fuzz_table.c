/* SPDX-License-Identifier: MIT */
/* The table of open regions, which any process of the step can write to. */
#include <string.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "libpmon/open.h"
#include "proc/live.h"
#include "regions/open_regions.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 8 * sizeof(struct pmon_open_slot) };
    struct open_regions open;
    struct open_region region;
    struct proc_live live;
    uint64_t at = 0;
    size_t count = 0;

    FUZZ_CHECK(open_regions_init(&open) == 0);
    FUZZ_CHECK(proc_live_init(&live, 0) == 0);
    if (size > MOST)
        size = MOST;
    FUZZ_CHECK(pwrite(open.fd, data, size, sizeof(struct pmon_open_table)) ==
               (ssize_t)size);
    while (open_regions_take(&open, &live.source, true, &at, &region) == 0) {
        FUZZ_CHECK(memchr(region.name, '\0', sizeof(region.name)) != NULL);
        FUZZ_CHECK(region.start_ns >= 0);
        FUZZ_CHECK(++count <= MOST / sizeof(struct pmon_open_slot) + 1);
    }
    at = 0;
    FUZZ_CHECK(open_regions_take(&open, &live.source, true, &at, &region) == 1);
    proc_live_done(&live);
    open_regions_done(&open);
    return 0;
}
