/* SPDX-License-Identifier: MIT */
/*
 * LD_PRELOAD library: allocation number FAIL_AT fails, with FAIL_ALL=1 also all
 * after it.  Only in this process, not in its children.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *pointer, size_t size);

static long fail_at;
static long fails_on;
static long calls;
static pid_t counts;

__attribute__((constructor)) static void
begin(void)
{
    const char *at = getenv("FAIL_AT");

    unsetenv("LD_PRELOAD");
    calls = 0;
    counts = getpid();
    fails_on = getenv("FAIL_ALL") != NULL;
    fail_at = at != NULL ? atol(at) : 0;
}

/* Writes the number of allocations to the file FAIL_COUNT. */
__attribute__((destructor)) static void
end(void)
{
    const char *name = getenv("FAIL_COUNT");
    int fd = name != NULL && counts == getpid()
                 ? open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666)
                 : -1;

    if (fd >= 0) {
        dprintf(fd, "%ld\n", calls);
        close(fd);
    }
}

static int
fails(void)
{
    calls++;
    if (calls != fail_at && !(fails_on && calls > fail_at))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *
malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *pointer, size_t size)
{
    return fails() ? NULL : __libc_realloc(pointer, size);
}
