/* SPDX-License-Identifier: MIT */
/*
 * PSS of the tree: pages that processes share count once.  A read holds the
 * memory map of the step for milliseconds a GiB, so PSS is read only if it can
 * reach a new peak (PSS never exceeds RSS), and in at most 1 % of the time; for
 * a budget, only while RSS is over its limit.
 */
#ifndef PMON_ENGINE_PSS_H
#define PMON_ENGINE_PSS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/sampler.h"
#include "proc/parse.h"

struct pss {
    bool is_wanted;            /* of every row */
    int64_t wanted_over_bytes; /* of rows of a larger RSS; NUM_UNKNOWN */
    struct proc_pss peak;      /* NUM_UNKNOWN before the first read */
    int64_t swap_bytes;        /* the largest SwapPss */
    int64_t next_ns;           /* no read before, CLOCK_MONOTONIC */
    int64_t upper_bytes;  /* the largest sum, with RSS for what is hidden */
    int64_t shared_bytes; /* in the last read, its RSS less its PSS */
    int64_t read_bytes;   /* what the last read gave; NUM_UNKNOWN */
    int64_t unreadable;   /* processes, the most in one read */
};

void pss_init(struct pss *pss, bool is_wanted, int64_t wanted_over_bytes);

/* Whether a row of this RSS is to be followed by pss_read. */
bool pss_is_due(const struct pss *pss, int64_t rss_bytes, int64_t now_ns);

/* Reads smaps_rollup of all counted members. */
void pss_read(struct pss *pss, struct sampler *sampler);

/* The read took from begin to end. */
void pss_spent(struct pss *pss, int64_t begin_ns, int64_t end_ns);

#endif
