/* SPDX-License-Identifier: MIT */
/*
 * Finds processes that share an address space: by kcmp(2), or where that is
 * missing or forbidden, by equal figures, which a copy by fork(2) does not
 * have.
 */
#include "engine/spaces.h"

#include <stdlib.h>

#include "engine/reads.h"

static bool
has_memory(const struct member *member)
{
    return member != NULL && !member->is_foreign && !member->is_gone &&
           !member->is_zombie && !member->is_unreadable &&
           member->vms_bytes > 0;
}

/* Read one right after the other; again where they may have grown between. */
static bool
look_alike(struct sampler *sampler, struct member *a, struct member *b)
{
    enum { TRIES = 3 };
    struct proc_statm of_a;
    struct proc_statm of_b;

    for (int i = 0; i < TRIES; i++) {
        if (reads_statm(sampler, a, &of_a) < 0 ||
            reads_statm(sampler, b, &of_b) < 0)
            return false;
        if (of_a.resident_pages > 0 && of_a.size_pages == of_b.size_pages &&
            of_a.resident_pages == of_b.resident_pages &&
            of_a.shared_pages == of_b.shared_pages)
            return true;
    }
    return false;
}

static bool
is_one_memory(struct sampler *sampler, struct member *a, struct member *b)
{
    int rc = sampler->source->same_memory(sampler->source, a->handle.pid,
                                          b->handle.pid);

    return rc < 0 ? look_alike(sampler, a, b) : rc > 0;
}

static void
join(struct member *member, struct member *other)
{
    if (other->space == NULL) {
        other->space = calloc(1, sizeof(*other->space));
        if (other->space == NULL)
            return;
        other->space->sharers = 1;
    }
    member->space = other->space;
    member->space->sharers++;
}

static bool
try_to_join(struct sampler *sampler, struct member *member,
            struct member *other)
{
    if (other == member || !has_memory(other) ||
        !is_one_memory(sampler, member, other))
        return false;
    join(member, other);
    return true;
}

/* Its parent's; of an orphan the root's, or that of another like it. */
static void
find(struct sampler *sampler, struct member *member)
{
    struct tree *tree = &sampler->tree;

    member->knows_space = true;
    if (member->parent != NULL && try_to_join(sampler, member, member->parent))
        return;
    if (member->parent == sampler->root ||
        try_to_join(sampler, member, sampler->root) || member->parent != NULL)
        return;
    for (size_t i = 0; i < tree->count; i++)
        if (tree->list[i]->is_copy &&
            tree->list[i]->vms_bytes == member->vms_bytes &&
            try_to_join(sampler, member, tree->list[i]))
            return;
}

/* Its size is another than theirs: it has grown with them, or has exec'ed. */
static bool
still_shares(struct sampler *sampler, struct member *member)
{
    struct tree *tree = &sampler->tree;

    for (size_t i = 0; i < tree->count; i++) {
        struct member *other = tree->list[i];

        if (other != member && other->space == member->space &&
            has_memory(other))
            return is_one_memory(sampler, member, other);
    }
    return false;
}

void
spaces_update(struct sampler *sampler, struct member *member)
{
    if (member->is_copy && !member->is_left_out && !member->knows_space)
        find(sampler, member);
    if (member->space == NULL)
        return;
    if (member->vms_bytes != member->space->vms_bytes &&
        member->space->vms_bytes > 0 && !still_shares(sampler, member)) {
        members_leave_space(member);
        return;
    }
    member->space->rss_bytes = member->rss_bytes;
    member->space->vms_bytes = member->vms_bytes;
    member->space->shared_bytes = member->shared_bytes;
}

bool
spaces_is_first(struct sampler *sampler, struct member *member)
{
    struct space *space = member->space;

    /* Its figures may be those that another was read with. */
    member->is_changed = true;
    member->is_shadow = space->stamp == sampler->sums;
    if (member->is_shadow)
        return false;
    space->stamp = sampler->sums;
    member->rss_bytes = space->rss_bytes;
    member->vms_bytes = space->vms_bytes;
    member->shared_bytes = space->shared_bytes;
    return true;
}
