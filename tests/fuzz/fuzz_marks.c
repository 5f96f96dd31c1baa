/* SPDX-License-Identifier: MIT */
/* .open_regions, which `pmon region --begin` and `--end` of a step share. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "regions/marks.h"

static char folder[256];
static char file[300];

static void
leave(void)
{
    unlink(file);
    rmdir(folder);
}

static void
make_folder(void)
{
    const char *parent = getenv("TMPDIR");

    if (folder[0] != '\0')
        return;
    snprintf(folder, sizeof(folder), "%.200s/fuzz_marks.XXXXXX",
             parent != NULL ? parent : "/tmp");
    FUZZ_CHECK(mkdtemp(folder) != NULL);
    snprintf(file, sizeof(file), "%s/.open_regions", folder);
    atexit(leave);
}

static void
count_mark(const char *name, const struct region_mark *mark, void *context)
{
    FUZZ_CHECK(name != NULL && mark->start_ns >= 0);
    ++*(size_t *)context;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct region_mark own = {.start_ns = 5, .start_mono_ns = 6};
    struct region_mark mark;
    struct error error = {0};
    size_t count = 0;
    int fd;

    make_folder();
    fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    close(fd);
    /* Whatever the file holds, what is begun can be ended. */
    if (marks_begin(folder, "run", "own", &own, &error) == 0) {
        FUZZ_CHECK(marks_end(folder, "run", "own", &mark, &error) == 0);
        FUZZ_CHECK(mark.start_ns == 5 && mark.start_mono_ns == 6);
    } else {
        fuzz_check_error(&error);
    }
    marks_take_all(folder, "run", 0, count_mark, &count);
    FUZZ_CHECK(count <= size);
    return 0;
}
