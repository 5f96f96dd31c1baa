/* SPDX-License-Identifier: MIT */
/*
 * libpmon: a program marks its phases, each becomes one row of a file.
 *
 *     PMON_REGION_SCOPE("ANALYZING_PROTOCOL");      until the block is left
 *
 *     struct pmon_region region = pmon_region_begin("RUNNING_PROTOCOL");
 *     …
 *     pmon_region_end(region);
 *
 * Off unless the environment has PMON_REGIONS=DIR (or the program calls
 * pmon_regions_open()); off, a region is one predictable branch.  pmon_off.h
 * has the same names for programs that must build without the library; a
 * program compiled with -DPMON_OFF gets it by including this file.  The
 * environment and the files are described in libpmon(3).
 *
 * Every function may be called from any thread and leaves errno alone.  None
 * of them prints, exits, raises a signal in the program or is a cancellation
 * point.  pmon_region_begin(), _end() and _add() may be called from a signal
 * handler if the interrupted thread has ended a region before and is in none
 * of the other functions.
 */
#ifdef PMON_OFF
#include "pmon_off.h"
#endif

#ifndef PMON_H
#define PMON_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The longest name in bytes; a longer one is cut between two characters. */
#define PMON_NAME_MAX 255

/* Flags of pmon_regions_open(). */
#define PMON_SEED 1u     /* rows without quotes: NAME,START,DURATION */
#define PMON_BUFFERED 2u /* rows wait in memory, see pmon_regions_flush() */

/*
 * A region that is open.  A plain value: copy it, hand it to another thread,
 * keep it over a fork.  The members are the library's.
 */
struct pmon_region {
    uint64_t start_ns;      /* CLOCK_REALTIME since the epoch */
    uint64_t start_mono_ns; /* CLOCK_MONOTONIC; 0: nothing to end */
    const char *name;       /* the caller's */
    uint32_t slot;          /* where pmon is told of it; 0: nowhere */
    uint32_t pid;           /* who told */
};

/* What became of the rows of this process since it began or was forked. */
struct pmon_regions_counts {
    uint64_t rows;   /* written to the file */
    uint64_t lost;   /* could not be written */
    uint64_t torn;   /* of those lost, left half written: readers skip them */
    uint64_t untold; /* begun when there was no room to tell pmon of it */
    int error;       /* errno of the newest loss, or of why it is off; or 0 */
    int on;          /* 1 while regions are recorded */
};

/* Whether regions are recorded; for the inline functions below alone. */
extern int pmon_regions_state;
#define PMON_STATE_OFF 1

struct pmon_region pmon_region_begin_on(const char *name);
void pmon_region_end_on(const struct pmon_region *region);

/*
 * pmon.c alone defines PMON_INLINE (as nothing): there the same bodies become
 * the functions that other languages find by these names.
 */
#ifndef PMON_INLINE
#define PMON_INLINE static __inline__
#endif

/*
 * Begins a region.  The name is not copied: it must stay as it is until the
 * region has ended.  The first call of a process decides by the environment
 * whether regions are recorded (libpmon(3)); after it nothing is allocated.
 */
PMON_INLINE struct pmon_region pmon_region_begin(const char *name);

/*
 * Ends a region, in whatever thread or forked process; its row is in the file
 * when this returns, or in the buffer.  Ended twice, it makes two rows.  A row
 * that cannot be written is counted, see pmon_regions_stats().
 */
PMON_INLINE void pmon_region_end(struct pmon_region region);

PMON_INLINE struct pmon_region
pmon_region_begin(const char *name)
{
    if (__builtin_expect(__atomic_load_n(&pmon_regions_state,
                                         __ATOMIC_RELAXED) == PMON_STATE_OFF,
                         1)) {
        struct pmon_region none;
        none.start_ns = 0;
        none.start_mono_ns = 0;
        none.name = name;
        none.slot = 0;
        none.pid = 0;
        return none;
    }
    return pmon_region_begin_on(name);
}

PMON_INLINE void
pmon_region_end(struct pmon_region region)
{
    if (__builtin_expect(region.start_mono_ns != 0, 0))
        pmon_region_end_on(&region);
}

/*
 * Records a region that has been timed elsewhere: its start in ns since the
 * epoch (CLOCK_REALTIME) and its duration in ns.
 */
void pmon_region_add(const char *name, uint64_t start_ns, uint64_t duration_ns);

/*
 * Switches on, whatever the environment says: rows go to DIR/NAME and its
 * header to DIR/NAME_headers.  DIR is made when it is missing (its parent is
 * not), NAME may have no slash.  What was open before is closed first.
 * Returns 0, or a negative errno: then regions are off.
 */
int pmon_regions_open(const char *dir, const char *name, unsigned flags);

/*
 * Decides again by the environment, as the first call did, and takes the
 * header and the file anew.  Returns 1 on, 0 off, or a negative errno (off).
 * As getenv(3) does, it relies on no other thread changing the environment.
 */
int pmon_regions_decide(void);

/*
 * Writes what the buffers of all threads hold.  Returns 0, or the negative
 * errno that kept rows back; these stay in the buffer while it has room.
 * Not for signal handlers.
 */
int pmon_regions_flush(void);

/*
 * Writes what the buffers hold, closes the file and switches off: until
 * pmon_regions_open() or _decide() no file grows, and regions that are open
 * now make no row if they end before that.  Not for signal handlers.
 */
void pmon_regions_close(void);

/* Fills in *ret_counts, at any time, whether on or off. */
void pmon_regions_stats(struct pmon_regions_counts *ret_counts);

#ifdef __cplusplus
} /* extern "C" */

/* A region that ends with its scope, by an exception too. */
class pmon_region_scope
{
  public:
    explicit pmon_region_scope(const char *name)
        : region(pmon_region_begin(name))
    {
    }
    ~pmon_region_scope()
    {
        pmon_region_end(region);
    }

  private:
    pmon_region_scope(const pmon_region_scope &);
    pmon_region_scope &operator=(const pmon_region_scope &);
    const pmon_region region;
};

#define PMON_REGION_SCOPE_AT(name, line) \
    const pmon_region_scope pmon_region_line_##line(name)

#else

static __inline__ void
pmon_region_cleanup(const struct pmon_region *region)
{
    pmon_region_end(*region);
}

#define PMON_REGION_SCOPE_AT(name, line)                        \
    const struct pmon_region pmon_region_line_##line            \
        __attribute__((cleanup(pmon_region_cleanup), unused)) = \
            pmon_region_begin(name)

#endif

/* A declaration: a region from here to the end of the block, however left. */
#define PMON_REGION_SCOPE_LINE(name, line) PMON_REGION_SCOPE_AT(name, line)
#define PMON_REGION_SCOPE(name) PMON_REGION_SCOPE_LINE(name, __LINE__)

#endif
