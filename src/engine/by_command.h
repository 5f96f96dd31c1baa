/* SPDX-License-Identifier: MIT */
/*
 * Who used what: one group for each command of the tree, in a table of fixed
 * size.  The name of a process is read when it begins to count and after an
 * exec, which shows in the size of its code (statm, that is read anyway); its
 * CPU time is added to its group once, when it ends or execs.  A tick costs
 * one addition for each member.
 */
#ifndef PMON_ENGINE_BY_COMMAND_H
#define PMON_ENGINE_BY_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/tree.h"
#include "model/run.h"

struct sampler;

enum {
    BY_COMMAND_NONE,       /* index of a member that was never named */
    BY_COMMAND_OTHERS,     /* where the table has no more room */
    BY_COMMAND_FIRST,      /* of those that have a name */
    BY_COMMAND_ROOM = 256, /* an index fits in 8 bits of a member */
    BY_COMMAND_MOST = 64,  /* of a run; the rest is summed */
};

struct command_group {
    char *name; /* hostile; NULL: not one command */
    uint32_t hash;
    int32_t live;   /* members that refer to it */
    int64_t count;  /* processes that ran it */
    int64_t cpu_ns; /* of those that have ended or ran another command since */
    int64_t now_bytes;         /* of RSS in the newest sum */
    int64_t largest_rss_bytes; /* of one process */
    int64_t peak_rss_bytes;    /* of all at one moment */
    int64_t first_ns;          /* CLOCK_MONOTONIC */
    int64_t last_ns;
};

struct by_command {
    struct command_group *list; /* at most BY_COMMAND_ROOM */
    size_t count;
    size_t allocated;
    int64_t named; /* processes that were given a name */
};

/* 0 or -ENOMEM. */
int by_command_init(struct by_command *by_command);
void by_command_done(struct by_command *by_command);

/*
 * Whether the name of member is to be read: it has begun to count, or has
 * exec'ed.
 */
static inline bool
by_command_is_due(const struct member *member)
{
    return (member->needs_name || member->is_named_copy != member->is_copy) &&
           !member->is_left_out && !member->is_foreign;
}

/*
 * Gives member to the group of its command; a copy to its parent's, without a
 * read.  before_ns: its CPU time that still belongs to the command before.
 */
void by_command_name(struct sampler *sampler, struct member *member,
                     int64_t before_ns);

/* The same of a zombie that has no name yet, by its stat. */
void by_command_name_zombie(struct sampler *sampler, struct member *member,
                            const struct proc_stat *stat);

/* A member has ended: its CPU time goes to its group. */
void by_command_fold(struct sampler *sampler, struct member *member);

/* Only CPU time from now on counts for those that live: pmon has attached. */
void by_command_take_bases(struct sampler *sampler);

/* One sum of RSS: begin, each member that counts, and what stands then. */
void by_command_begin_sum(struct by_command *by_command);

static inline void
by_command_add(struct by_command *by_command, const struct member *member)
{
    struct command_group *group = &by_command->list[member->command];

    group->now_bytes += member->rss_bytes;
    if (group->largest_rss_bytes < member->rss_bytes)
        group->largest_rss_bytes = member->rss_bytes;
}

void by_command_take_sum(struct by_command *by_command, int64_t now_ns);

/*
 * The largest groups by CPU time, the others in one row, and in one row what
 * is in no group: the sum is total_ns.  start_ns is where elapsed time
 * begins.  0 or -ENOMEM.
 */
int by_command_summarize(const struct sampler *sampler, int64_t start_ns,
                         int64_t total_ns,
                         struct run_by_command *ret_by_command);

#endif
