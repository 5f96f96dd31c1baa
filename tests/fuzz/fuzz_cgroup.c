/* SPDX-License-Identifier: MIT */
/* /proc/PID/cgroup, a line `--`, and /proc/self/mountinfo. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "host/cgroup.h"

static void
check_folder(const char *folder, const char *mount)
{
    if (folder == NULL)
        return;
    FUZZ_CHECK(mount != NULL && strncmp(folder, mount, strlen(mount)) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *groups = fuzz_text(data, size);
    char *mounts = strstr(groups, "--\n");
    struct cgroup_place place;

    if (mounts != NULL) {
        *mounts = '\0';
        mounts += strlen("--\n");
    }
    if (cgroup_place_parse(&place, groups, mounts != NULL ? mounts : groups) ==
        0) {
        check_folder(place.unified, place.unified_mount);
        check_folder(place.memory, place.memory_mount);
        cgroup_place_done(&place);
    }
    free(groups);
    return 0;
}
