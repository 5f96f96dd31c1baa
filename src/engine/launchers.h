/* SPDX-License-Identifier: MIT */
/*
 * Commands that let another process, here or on another host, do the work.
 * That process is not in the tree.
 */
#ifndef PMON_ENGINE_LAUNCHERS_H
#define PMON_ENGINE_LAUNCHERS_H

#include <stdint.h>
#include <sys/types.h>

struct member;
struct sampler;

/* Names fit in four bits of a member; 0 stands for no name. */
enum { LAUNCHERS_NONE = 0 };

/* The launcher of the longest life in a tree. */
struct launchers {
    unsigned kind;
    pid_t pid;
    int64_t lived_ns; /* up to the last pass that saw it */
};

/* The launcher with this name (the comm of proc_pid_stat(5)). */
unsigned launchers_find(const char *name);

/* The name of a kind; NULL for none. */
const char *launchers_name(unsigned kind);

/* A pass visits a launcher, which still lives. */
void launchers_take(struct sampler *sampler, const struct member *member);

/* The name of member was read again: it may have exec'ed the work itself. */
void launchers_name_again(struct sampler *sampler, struct member *member,
                          const char *name);

#endif
