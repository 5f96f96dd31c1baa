/* SPDX-License-Identifier: MIT */
/*
 * The names of pmon.h for a program that must build without libpmon: every
 * call compiles to nothing, nothing has to be linked.
 *
 *     #if __has_include(<pmon.h>)
 *     #include <pmon.h>
 *     #else
 *     #include "pmon_off.h"       a copy of this file, which may be taken along
 *     #endif
 */
#ifndef PMON_H
#define PMON_H

#include <stdint.h>

#define PMON_NAME_MAX 255
#define PMON_SEED 1u
#define PMON_BUFFERED 2u

struct pmon_region {
    uint64_t start_mono_ns;
};

struct pmon_regions_counts {
    uint64_t rows, lost, torn, untold;
    int error, on;
};

static __inline__ struct pmon_region
pmon_region_begin(const char *name)
{
    struct pmon_region none;
    (void)name;
    none.start_mono_ns = 0;
    return none;
}

static __inline__ void
pmon_region_end(struct pmon_region region)
{
    (void)region;
}

static __inline__ void
pmon_region_add(const char *name, uint64_t start_ns, uint64_t duration_ns)
{
    (void)name;
    (void)start_ns;
    (void)duration_ns;
}

static __inline__ int
pmon_regions_open(const char *dir, const char *name, unsigned flags)
{
    (void)dir;
    (void)name;
    (void)flags;
    return 0;
}

static __inline__ int
pmon_regions_decide(void)
{
    return 0;
}

static __inline__ int
pmon_regions_flush(void)
{
    return 0;
}

static __inline__ void
pmon_regions_close(void)
{
}

static __inline__ void
pmon_regions_stats(struct pmon_regions_counts *ret_counts)
{
    ret_counts->rows = 0;
    ret_counts->lost = 0;
    ret_counts->torn = 0;
    ret_counts->untold = 0;
    ret_counts->error = 0;
    ret_counts->on = 0;
}

#ifdef __cplusplus
class pmon_region_scope
{
  public:
    explicit pmon_region_scope(const char *)
    {
    }
};
#endif

#define PMON_REGION_SCOPE(name) \
    do {                        \
        (void)(name);           \
    } while (0)

#endif
