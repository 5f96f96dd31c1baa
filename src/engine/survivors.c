/* SPDX-License-Identifier: MIT */
/* Counts and names the members that outlive the step. */
#include "engine/survivors.h"

#include <signal.h>
#include <string.h>

#include "base/num.h"
#include "engine/discovery.h"
#include "engine/reads.h"

static void
take_one(struct sampler *sampler, struct member *member,
         struct survivors *survivors)
{
    char text[PROC_TEXT_SIZE];
    struct proc_stat stat;
    int at = survivors->named;

    survivors->count++;
    if (!member->is_shadow)
        survivors->rss_bytes = num_add(survivors->rss_bytes, member->rss_bytes);
    if (sampler->source->read(sampler->source, &member->handle, PROC_STAT, text,
                              sizeof(text)) <= 0 ||
        proc_parse_stat(text, &stat) < 0)
        return;
    if (stat.state == 'T' || stat.state == 't')
        survivors->stopped++;
    if (at == SURVIVORS_NAMED)
        return;
    survivors->list[at].pid = member->handle.pid;
    memcpy(survivors->list[at].name, stat.name, sizeof(stat.name));
    survivors->named++;
}

/* In exit(2), or killed and without a processor so far. */
static bool
is_ending(struct sampler *sampler, struct member *member)
{
    struct proc_status status;
    struct proc_stat stat;

    /* Who was killed sleeps no more. */
    if (!reads_stat(sampler, member, &stat) || stat.state == 'Z' ||
        stat.state == 'S')
        return false;
    return (stat.flags & PROC_FLAG_EXITING) != 0 ||
           (reads_status(sampler, member, &status) &&
            (status.pending >> (SIGKILL - 1) & 1) != 0);
}

bool
survivors_are_ending(struct sampler *sampler)
{
    /* Those too that no row has seen. */
    if (discovery_add_orphans(&sampler->tree) < 0)
        return false;
    for (size_t i = 0; i < sampler->tree.count; i++) {
        struct member *member = sampler->tree.list[i];

        if (!member->is_foreign && !member->is_zombie && !member->is_gone &&
            !member->is_unreadable && member != sampler->root &&
            is_ending(sampler, member))
            return true;
    }
    return false;
}

void
survivors_find(struct sampler *sampler, struct survivors *ret_survivors)
{
    struct survivors survivors = {0};

    for (size_t i = 0; i < sampler->tree.count; i++) {
        struct member *member = sampler->tree.list[i];

        if (member->is_foreign || member->is_zombie || member->is_gone ||
            member == sampler->root)
            continue;
        take_one(sampler, member, &survivors);
    }
    *ret_survivors = survivors;
}
