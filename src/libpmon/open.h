/* SPDX-License-Identifier: MIT */
/*
 * The table of open regions, by which pmon learns what a process had open
 * when it died.  pmon makes it, libpmon fills it in; it is not installed.
 *
 * The table is a memfd that pmon holds, so that it outlives every process of
 * the step and leaves no file behind.  PMON_REGIONS_OPEN names it, as
 * /proc/<pid of pmon>/fd/<fd>.  It must be sealed against shrinking: nobody
 * can then make a store into it raise SIGBUS.  Without the variable, or where
 * the table cannot be mapped, libpmon tells nothing and records all the same.
 *
 * A slot is taken by putting an owner into its first word, filled in, and
 * told by adding PMON_OPEN_TOLD to that word; it is given back by storing 0.
 * When the process has died, a reader takes name and start of a slot that is
 * told and gives any of its slots back.  Name and start are those of the row
 * that the region's end would have written.  That row is written or buffered
 * before the slot is given back, so an entry whose row is in the file as well
 * had ended; a region begun before a fork may be ended by the child.
 *
 * The pid is the process's own idea of it: one in a PID namespace below that
 * of pmon is not to be found by it.
 *
 * A reader believes nothing in it: any process of the step can write to it.
 */
#ifndef PMON_OPEN_H
#define PMON_OPEN_H

#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

#define PMON_OPEN_MAGIC 0x31304e504f4e4d50ull /* "PMNOPN01", little endian */
#define PMON_OPEN_SLOTS 512u                  /* what pmon makes: 160 KiB */

#define PMON_OPEN_TOLD (1ull << 63)

struct pmon_open_slot {
    _Atomic uint64_t owner; /* pmon_open_owner(), with PMON_OPEN_TOLD; 0 free */
    uint64_t start_ns;      /* CLOCK_REALTIME since the epoch */
    uint64_t start_mono_ns; /* CLOCK_MONOTONIC */
    char name[256];         /* ends in a NUL */
    char pad[40];
};

struct pmon_open_table {
    uint64_t magic;
    uint64_t slots; /* how many follow; the file has them all */
    char pad[48];
    struct pmon_open_slot slot[];
};

static_assert(sizeof(struct pmon_open_slot) == 320, "five cache lines");
static_assert(sizeof(struct pmon_open_table) == 64, "one cache line");

/* A pid has at most 22 bits, proc_sys_kernel(5). */
static inline uint64_t
pmon_open_owner(uint32_t pid, uint64_t start_mono_ns)
{
    return (uint64_t)pid << 32 | (start_mono_ns & 0xffffffffu);
}

#endif
