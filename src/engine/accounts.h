/* SPDX-License-Identifier: MIT */
/*
 * Accounts of CPU time and I/O.  The usage of an ended process is added to its
 * parent, and is not counted twice when the parent's own files include it.
 */
#ifndef PMON_ENGINE_ACCOUNTS_H
#define PMON_ENGINE_ACCOUNTS_H

#include <stdbool.h>
#include <sys/resource.h>

#include "engine/sampler.h"

/* Adds what is known of io to sum. */
void accounts_add_io(struct proc_io *sum, const struct proc_io *io);

/* Moves the account of a member that has ended to its parent. */
void accounts_member_has_gone(struct sampler *sampler, struct member *member);

/* Updates the accounts of parents after all members were sampled. */
void accounts_settle(struct sampler *sampler);

/* Figures of a zombie that wait4(2) does not return. */
struct accounts_zombie {
    bool is_foreign; /* was pmon's child before the step */
    bool has_stat;
    struct proc_stat stat;
    bool ignores_sigchld;
    bool has_own_io;
    struct proc_io own_io; /* pmon's, before it reaps */
    bool has_io;
    struct proc_io io; /* the zombie's, where pmon's may not be read */
};

/*
 * Reads pmon's child pid, a zombie, right before it is reaped.  Until
 * accounts_take_reaped, pmon must read and write nothing else.
 */
void accounts_look_at_zombie(struct sampler *sampler, pid_t pid,
                             struct accounts_zombie *ret_zombie);

/* After pmon has reaped pid: replaces its sampled CPU time by the exact one. */
void accounts_take_reaped(struct sampler *sampler, pid_t pid,
                          const struct accounts_zombie *zombie,
                          const struct rusage *usage);

#endif
