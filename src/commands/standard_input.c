/* SPDX-License-Identifier: MIT */
/* Copies a pipe to a file in memory, which becomes descriptor 0. */
#include "commands/standard_input.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

static const char name[] = "/dev/stdin";

static int
copy(int from, int to)
{
    char bytes[65536];
    ssize_t got;
    int rc;

    while ((got = read(from, bytes, sizeof(bytes))) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -errno;
        rc = file_write_all(to, bytes, (size_t)got);
        if (rc < 0)
            return rc;
    }
    return 0;
}

int
standard_input_prepare(char **files, struct error *error)
{
    FD_AUTO fd = -1;
    bool is_asked = false;
    struct stat st;
    int rc;

    for (; *files != NULL; files++) {
        if (strcmp(*files, "-") == 0)
            *files = (char *)(uintptr_t)name;
        is_asked |= strcmp(*files, name) == 0;
    }
    if (!is_asked || fstat(STDIN_FILENO, &st) < 0 || S_ISREG(st.st_mode))
        return 0;
    fd = (int)syscall(SYS_memfd_create, "stdin", 1U /* CLOEXEC */);
    rc = fd < 0 ? -errno : copy(STDIN_FILENO, fd);
    if (rc == 0 && dup2(fd, STDIN_FILENO) < 0)
        rc = -errno;
    return rc < 0 ? error_unreadable(error, rc, name) : 0;
}
