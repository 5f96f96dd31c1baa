/* SPDX-License-Identifier: MIT */
/* Reads the table that the step's processes write; trusts nothing in it. */
#include "regions/open_regions.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "libpmon/open.h"

static off_t
offset_of(uint64_t slot)
{
    return (off_t)(sizeof(struct pmon_open_table) +
                   slot * sizeof(struct pmon_open_slot));
}

int
open_regions_init(struct open_regions *open)
{
    struct pmon_open_table head = {.magic = PMON_OPEN_MAGIC,
                                   .slots = PMON_OPEN_SLOTS};
    FD_AUTO fd = memfd_create("pmon-regions", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    *open = (struct open_regions){.fd = -1};
    if (fd < 0 || ftruncate(fd, offset_of(PMON_OPEN_SLOTS)) < 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) < 0 ||
        pwrite(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head))
        return errno != 0 ? -errno : -EIO;
    open->fd = cleanup_steal_fd(&fd);
    return 0;
}

void
open_regions_done(struct open_regions *open)
{
    cleanup_close(&open->fd);
    free(open->copy);
    open->copy = NULL;
}

static void
give_back(const struct open_regions *open, uint64_t slot)
{
    uint64_t free_slot = 0;

    if (pwrite(open->fd, &free_slot, sizeof(free_slot), offset_of(slot)) < 0)
        return; /* it is checked again */
}

/* Whether it is reaped, or a zombie. */
static bool
has_ended(struct proc_source *source, pid_t pid)
{
    struct proc_stat stat;

    if (pid <= 0 || (kill(pid, 0) < 0 && errno == ESRCH))
        return true;
    return proc_look(source, pid, &stat) && proc_has_ended(&stat);
}

/* Copies the whole table with one read, however many slots are in use. */
static bool
look(struct open_regions *open)
{
    size_t size = (size_t)offset_of(PMON_OPEN_SLOTS);

    if (open->copy == NULL)
        open->copy = malloc(size);
    return open->copy != NULL &&
           pread(open->fd, open->copy, size, 0) == (ssize_t)size;
}

int
open_regions_take(struct open_regions *open, struct proc_source *source,
                  bool all, uint64_t *at, struct open_region *ret_region)
{
    for (; open->fd >= 0 && *at < PMON_OPEN_SLOTS; ++*at) {
        struct pmon_open_slot slot;
        uint64_t owner;

        if (*at == 0 && !look(open))
            return 1;
        memcpy(&slot, open->copy + offset_of(*at), sizeof(slot));
        owner = atomic_load_explicit(&slot.owner, memory_order_relaxed);
        ret_region->pid = (pid_t)((owner & ~PMON_OPEN_TOLD) >> 32);
        if (owner == 0 || (!all && !has_ended(source, ret_region->pid)))
            continue;
        give_back(open, *at);
        if ((owner & PMON_OPEN_TOLD) == 0 || slot.start_ns > INT64_MAX)
            continue;
        ret_region->start_ns = (int64_t)slot.start_ns;
        memcpy(ret_region->name, slot.name, sizeof(slot.name));
        ret_region->name[sizeof(slot.name)] = '\0';
        ++*at;
        return 0;
    }
    return 1;
}
