/* SPDX-License-Identifier: MIT */
/*
 * Reads of one member's files and what is kept of them.  A file that is read by
 * path may be another process's; callers compare the start time if needed.
 */
#include "engine/reads.h"

#include <errno.h>
#include <stdlib.h>

#include "base/num.h"
#include "engine/copies.h"

/* How often stat is read again; in large trees of those without children. */
static const int64_t stat_every_ns = READS_STAT_EVERY_MS * NUM_NS_PER_MS;
static const int64_t stat_at_least_ns = 6 * NUM_NS_PER_S;

bool
reads_stat(struct sampler *sampler, struct member *member,
           struct proc_stat *ret_stat)
{
    char text[PROC_TEXT_SIZE];

    return sampler->source->read(sampler->source, &member->handle, PROC_STAT,
                                 text, sizeof(text)) > 0 &&
           proc_parse_stat(text, ret_stat) == 0 &&
           ret_stat->start_ticks == member->start_ticks;
}

bool
reads_status(struct sampler *sampler, struct member *member,
             struct proc_status *ret_status)
{
    char text[PROC_TEXT_SIZE];

    return sampler->source->read(sampler->source, &member->handle, PROC_STATUS,
                                 text, sizeof(text)) > 0 &&
           proc_parse_status(text, ret_status) == 0;
}

bool
reads_io(struct sampler *sampler, struct proc_handle *handle,
         struct proc_io *ret_io)
{
    char text[PROC_TEXT_SIZE];

    return sampler->source->read(sampler->source, handle, PROC_IO, text,
                                 sizeof(text)) > 0 &&
           proc_parse_io(text, ret_io) == 0;
}

int
reads_statm(struct sampler *sampler, struct member *member,
            struct proc_statm *ret_statm)
{
    enum { SIZE = 192 }; /* seven numbers (proc_pid_statm(5)) */
    char text[SIZE];
    ssize_t got = sampler->source->read(sampler->source, &member->handle,
                                        PROC_STATM, text, sizeof(text));

    if (got == -ESRCH && member->handle.tid != member->handle.pid) {
        /* That thread has ended too: begin again at the leader. */
        sampler->source->release(sampler->source, &member->handle);
        member->handle.tid = member->handle.pid;
        got = sampler->source->read(sampler->source, &member->handle,
                                    PROC_STATM, text, sizeof(text));
    }
    if (got < 0)
        return (int)got;
    return proc_parse_statm(text, ret_statm);
}

bool
reads_is_alive(struct sampler *sampler, const struct member *member)
{
    int64_t clock_ns;

    return sampler->source->clock(sampler->source, member->handle.pid,
                                  &clock_ns) == 0 &&
           clock_ns >= member->clock_ns;
}

/*
 * In a large tree one that has reaped nothing is asked less often: what it
 * reaps later reaches a row by so much later, and no total.
 */
static int64_t
next_stat_wait(const struct sampler *sampler, const struct member *member,
               bool has_reaped)
{
    if (has_reaped || member->is_parent ||
        sampler->tree.count <= SAMPLER_READ_ALL_UP_TO)
        return stat_every_ns;
    return stat_at_least_ns;
}

void
reads_take_stat(struct sampler *sampler, struct member *member,
                const struct proc_stat *stat)
{
    int64_t waited = (int64_t)(stat->cutime_ticks + stat->cstime_ticks);

    member->stat_wait_ns =
        next_stat_wait(sampler, member, waited != member->ticks_waited);
    member->stat_at_ns = sampler->now_ns;
    member->stat_generation = sampler->tree.discovery.generation;
    member->threads = (int32_t)stat->num_threads;
    member->knows_threads = true;
    member->ticks_waited = waited;
    member->has_stat = true;
    sampler->pending = true;
    copies_update(member, stat, sampler->boot_ns, sampler->source->ticks_per_s);
    launchers_name_again(sampler, member, stat->name);
}

void
reads_own_io(struct sampler *sampler, struct member *member)
{
    struct proc_io io;

    if (member->io == NULL)
        member->io = calloc(MEMBER_IO_PARTS, sizeof(*member->io));
    if (member->io == NULL)
        return;
    if (reads_io(sampler, &member->handle, &io)) {
        member->io[MEMBER_IO_OWN] = io;
    } else if (!member->has_hidden_io && reads_is_alive(sampler, member)) {
        member->has_hidden_io = true;
        sampler->tree.skipped++;
    }
}
