/* SPDX-License-Identifier: MIT */
/* Scope-bound ownership for descriptors and heap memory. */
#ifndef PMON_BASE_CLEANUP_H
#define PMON_BASE_CLEANUP_H

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Closes *fd unless it is negative, keeps errno, and sets it to -1. */
static inline void
cleanup_close(int *fd)
{
    int saved = errno;

    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    errno = saved;
}

static inline void
cleanup_free(void *pointer)
{
    free(*(void **)pointer);
}

/* Hands the descriptor over: the scope no longer closes it. */
static inline int
cleanup_steal_fd(int *fd)
{
    int stolen = *fd;

    *fd = -1;
    return stolen;
}

#define FD_AUTO __attribute__((cleanup(cleanup_close))) int
#define FREE_AUTO __attribute__((cleanup(cleanup_free)))

#endif
