/* SPDX-License-Identifier: MIT */
/*
 * The accounts of CPU time and I/O: what an ended process used goes to its
 * parent here, and is not counted twice when the parent's own files show it.
 */
#ifndef PMON_ENGINE_ACCOUNTS_H
#define PMON_ENGINE_ACCOUNTS_H

#include <stdbool.h>
#include <sys/resource.h>

#include "engine/sampler.h"

/* Adds what is known of io to sum. */
void accounts_add_io(struct proc_io *sum, const struct proc_io *io);

/* A member was found to have ended: its parent takes its account over. */
void accounts_member_has_gone(struct sampler *sampler, struct member *member);

/* Brings the accounts of parents up to date after all were visited. */
void accounts_settle(struct sampler *sampler);

/* What wait4(2) forgets of a zombie. */
struct accounts_zombie {
    bool is_foreign; /* was pmon's child before the step */
    bool was_sampled;
    bool has_stat;
    struct proc_stat stat;
    bool ignores_sigchld;
    bool has_own_io;
    struct proc_io own_io; /* pmon's, before it reaps */
    bool has_io;
    struct proc_io io; /* the zombie's, where pmon's may not be read */
};

/*
 * Looks at pmon's child pid, a zombie, right before it is reaped: between this
 * and accounts_take_reaped pmon must read and write nothing else.
 */
void accounts_look_at_zombie(struct sampler *sampler, pid_t pid,
                             struct accounts_zombie *ret_zombie);

/* After pmon has reaped pid: its exact CPU time takes the clocks' place. */
void accounts_take_reaped(struct sampler *sampler, pid_t pid,
                          const struct accounts_zombie *zombie,
                          const struct rusage *usage);

#endif
