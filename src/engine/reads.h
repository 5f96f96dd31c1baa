/* SPDX-License-Identifier: MIT */
/*
 * Reads of one member, and the values kept in it.  Sources: proc_pid_stat(5),
 * proc_pid_statm(5), proc_pid_status(5), proc_pid_io(5).
 */
#ifndef PMON_ENGINE_READS_H
#define PMON_ENGINE_READS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/sampler.h"

/* How often the stat of one that ran is read, at most. */
enum { READS_STAT_EVERY_MS = 95 };

/* False if it has ended, cannot be read, or its id was reused. */
bool reads_stat(struct sampler *sampler, struct member *member,
                struct proc_stat *ret_stat);

/* False when it has ended or cannot be read. */
bool reads_status(struct sampler *sampler, struct member *member,
                  struct proc_status *ret_status);
bool reads_io(struct sampler *sampler, struct proc_handle *handle,
              struct proc_io *ret_io);

/* 0 or a negative errno, -ESRCH when it has ended. */
int reads_statm(struct sampler *sampler, struct member *member,
                struct proc_statm *ret_statm);

/* Whether it lives or is a zombie, judged by its clock. */
bool reads_is_alive(struct sampler *sampler, const struct member *member);

/* Keeps of stat what may have changed since the last one. */
void reads_take_stat(struct sampler *sampler, struct member *member,
                     const struct proc_stat *stat);

/* Reads and keeps its own I/O; counts it as skipped if that is hidden. */
void reads_own_io(struct sampler *sampler, struct member *member);

#endif
