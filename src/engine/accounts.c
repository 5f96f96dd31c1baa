/* SPDX-License-Identifier: MIT */
/* Assigns time and I/O of ended processes, by the rules of sampler.h. */
#include "engine/accounts.h"

#include <signal.h>
#include <string.h>

#include "base/num.h"
#include "engine/reads.h"

/* Of the first of two reads of pmon's own account, which counts itself. */
enum { own_read_calls = 1 };

static int64_t
ticks_to_ns(const struct sampler *sampler, uint64_t ticks)
{
    int64_t tick_ns = NUM_NS_PER_S / sampler->source->ticks_per_s;

    return ticks > (uint64_t)(INT64_MAX / tick_ns) ? INT64_MAX
                                                   : (int64_t)ticks * tick_ns;
}

void
accounts_add_io(struct proc_io *sum, const struct proc_io *io)
{
    for (int i = 0; i < PROC_IO_FIELDS; i++)
        if (io->value[i] > 0)
            sum->value[i] = num_add(sum->value[i], io->value[i]);
}

/* Of reaped_ns of member perhaps a subreaper has this. */
static void
take_unproven(struct sampler *sampler, struct member *member, int64_t ns)
{
    member->unproven_ns = num_add(member->unproven_ns, ns);
    sampler->unproven |= ns > 0;
}

/* Adds what member used, itself and reaped, to the ended of parent. */
static void
hand_over(struct sampler *sampler, const struct member *member,
          struct member *parent)
{
    struct proc_io *ended = &sampler->ended_io;
    int64_t *reaped_ns = &sampler->ended_ns;

    if (member->is_foreign)
        return;
    if (parent != NULL) {
        reaped_ns = &parent->reaped_ns;
        ended = parent->io != NULL ? &parent->io[MEMBER_IO_ENDED] : NULL;
        take_unproven(sampler, parent,
                      parent->is_gone || parent->is_zombie
                          ? member->clock_ns + member->reaped_ns
                          : member->unproven_ns);
        sampler->unwaited |= parent->ignores_sigchld;
        parent->lost_child = true;
        parent->lost_own = true;
        parent->scanned_clock_ns = NUM_UNKNOWN; /* its id may be used again */
        sampler->pending = true;
    }
    *reaped_ns = num_add(*reaped_ns, member->clock_ns + member->reaped_ns);
    if (ended != NULL && member->io != NULL) {
        accounts_add_io(ended, &member->io[MEMBER_IO_OWN]);
        accounts_add_io(ended, &member->io[MEMBER_IO_ENDED]);
    }
}

/* Where the kernel has put a child whose parent has ended. */
static void
find_new_parent(struct sampler *sampler, struct member *member)
{
    struct tree *tree = &sampler->tree;
    struct member *parent = NULL;
    struct proc_stat stat;

    if (reads_stat(sampler, member, &stat) && stat.ppid != tree->self)
        parent = tree_find(tree, stat.ppid);
    tree_adopt(member, parent);
}

/*
 * The children of an ended member: those that ended too are taken into its
 * account, with their children in turn; the others get their new parent.
 */
static void
settle_children(struct sampler *sampler, struct member *member)
{
    struct member *child = member->first_child;

    while (child != NULL) {
        struct member *next = child->next_sibling;

        if (!reads_is_alive(sampler, child)) {
            hand_over(sampler, child, member);
            while (child->first_child != NULL)
                tree_move(child->first_child, member);
            tree_move(child, NULL);
            by_command_fold(sampler, child);
            child->is_gone = true;
            next = member->first_child;
        }
        child = next;
    }
    while (member->first_child != NULL)
        find_new_parent(sampler, member->first_child);
    sampler->orphaned = true;
}

void
accounts_member_has_gone(struct sampler *sampler, struct member *member)
{
    struct member *parent = member->parent;

    if (member->is_gone)
        return;
    by_command_fold(sampler, member);
    member->is_gone = true;
    settle_children(sampler, member);
    hand_over(sampler, member, parent);
    tree_move(member, NULL);
    if (parent == NULL && !member->is_foreign)
        sampler->unwaited = true;
    if (member == sampler->root)
        sampler->root = NULL;
}

/*
 * Time of ended members that did not reach member: a subreaper above it has
 * reaped them, or no process has.
 */
static void
hand_up(struct sampler *sampler, struct member *member, int64_t excess_ns)
{
    struct member *parent = member->parent;

    if (parent == NULL) {
        sampler->ended_ns = num_add(sampler->ended_ns, excess_ns);
        sampler->unwaited = true;
        return;
    }
    parent->reaped_ns = num_add(parent->reaped_ns, excess_ns);
    take_unproven(sampler, parent, excess_ns);
    parent->lost_child = true;
    sampler->pending = true;
}

static bool
is_below(const struct member *member, const struct member *above)
{
    while (member != NULL && member != above)
        member = member->parent;
    return member != NULL;
}

/*
 * member has reaped surplus_ns more than was known: it may be a subreaper that
 * received time which was given to another parent below it.
 */
static void
take_back(struct sampler *sampler, const struct member *member,
          int64_t surplus_ns)
{
    struct tree *tree = &sampler->tree;
    bool any = false;

    for (size_t i = tree->count; i-- > 0 && sampler->unproven;) {
        struct member *below = tree->list[i];
        int64_t taken_ns =
            below->unproven_ns < surplus_ns ? below->unproven_ns : surplus_ns;

        any |= below->unproven_ns > 0;
        if (taken_ns <= 0 || below == member || !is_below(below, member))
            continue;
        below->unproven_ns -= taken_ns;
        below->reaped_ns -= taken_ns;
        surplus_ns -= taken_ns;
    }
    sampler->unproven = any;
}

/* cutime and I/O of a parent, all of whose children live on, are taken. */
static void
accept(struct sampler *sampler, struct member *member)
{
    int64_t waited_ns = ticks_to_ns(sampler, (uint64_t)member->ticks_waited);
    int64_t two_ticks_ns = ticks_to_ns(sampler, 2);

    int64_t excess_ns = member->reaped_ns - waited_ns;

    if (excess_ns > two_ticks_ns + NUM_NS_PER_MS) {
        member->reaped_ns = waited_ns;
        hand_up(sampler, member, excess_ns);
    }
    if (excess_ns < 0 && member->is_parent)
        take_back(sampler, member, -excess_ns);
    member->reaped_ns = num_max(member->reaped_ns, waited_ns);
    if (member->unproven_ns > member->reaped_ns - waited_ns)
        member->unproven_ns = member->reaped_ns - waited_ns;
    if (member->io != NULL)
        memset(&member->io[MEMBER_IO_ENDED], 0,
               sizeof(member->io[MEMBER_IO_ENDED]));
}

/* Whether all children live; those that do not are handed over. */
static bool
children_live(struct sampler *sampler, struct member *member)
{
    struct member *child = member->first_child;
    bool all = true;

    while (child != NULL) {
        struct member *next = child->next_sibling;

        if (!reads_is_alive(sampler, child)) {
            accounts_member_has_gone(sampler, child);
            all = false;
        }
        child = next;
    }
    return all;
}

/*
 * Nothing of any child has reached the parent, though one has gone: nobody
 * waits for them, however little the clock of this one shows.  Of a parent
 * that has ended somebody else may have inherited the child.
 */
static bool
waits_for_none(const struct proc_stat *stat)
{
    return stat->state != 'Z' && stat->cminflt == 0 && stat->cmajflt == 0 &&
           stat->cutime_ticks + stat->cstime_ticks == 0;
}

/* A child was found gone: the parent is read again, whatever the rate. */
static void
read_parent_again(struct sampler *sampler, struct member *member)
{
    enum { TRIES = 3 };
    struct proc_stat stat;

    for (int i = 0; i < TRIES; i++) {
        if (!reads_stat(sampler, member, &stat))
            return;
        sampler->unwaited |= member->lost_own && waits_for_none(&stat);
        reads_take_stat(sampler, member, &stat);
        if (stat.state == 'Z')
            take_unproven(sampler, member, member->reaped_ns);
        if (sampler->records_io)
            reads_own_io(sampler, member);
        if (children_live(sampler, member)) {
            member->lost_child = false;
            member->lost_own = false;
            accept(sampler, member);
            return;
        }
    }
}

void
accounts_settle(struct sampler *sampler)
{
    enum { ROUNDS = 2 };
    struct tree *tree = &sampler->tree;

    /* Children first: what did not reach them may have reached a parent. */
    for (int round = 0; sampler->pending && round < ROUNDS; round++) {
        sampler->pending = false;
        for (size_t i = tree->count; i-- > 0;) {
            struct member *member = tree->list[i];

            if (member->is_gone || member->is_foreign)
                continue;
            if (member->lost_child || (member->has_stat && member->has_adopted))
                read_parent_again(sampler, member);
            else if (member->has_stat)
                accept(sampler, member);
            member->has_stat = false;
            sampler->pending |= member->lost_child;
        }
    }
}

/*
 * A zombie has no memory map, so that its io belongs to root (fs/proc/base.c,
 * task_dump_owner).  But the reaper receives its account (kernel/exit.c,
 * wait_task_zombie), and pmon's own io is readable.
 */
static void
look_at_io(struct sampler *sampler, struct member *member, pid_t pid,
           struct accounts_zombie *zombie)
{
    struct proc_handle handle;

    if (!sampler->needs_io)
        return;
    zombie->has_own_io = reads_io(sampler, &sampler->tree.discovery.self_handle,
                                  &zombie->own_io);
    if (zombie->has_own_io)
        return;
    /* A descriptor from before its end still reads. */
    proc_handle_init(&handle, pid);
    zombie->has_io = reads_io(
        sampler, member != NULL ? &member->handle : &handle, &zombie->io);
    sampler->source->release(sampler->source, &handle);
}

void
accounts_look_at_zombie(struct sampler *sampler, pid_t pid,
                        struct accounts_zombie *ret_zombie)
{
    struct member *member = tree_find(&sampler->tree, pid);
    struct accounts_zombie zombie = {0};
    struct proc_handle handle;
    struct proc_status status;
    char text[PROC_TEXT_SIZE];
    int64_t clock_ns;

    proc_handle_init(&handle, pid);
    zombie.is_foreign = member != NULL && member->is_foreign;
    if (member != NULL &&
        sampler->source->clock(sampler->source, pid, &clock_ns) == 0)
        member->clock_ns = num_max(member->clock_ns, clock_ns);
    if (sampler->source->read(sampler->source, &handle, PROC_STAT, text,
                              sizeof(text)) > 0)
        zombie.has_stat = proc_parse_stat(text, &zombie.stat) == 0;
    if (sampler->source->read(sampler->source, &handle, PROC_STATUS, text,
                              sizeof(text)) > 0 &&
        proc_parse_status(text, &status) == 0)
        zombie.ignores_sigchld = (status.ignored >> (SIGCHLD - 1) & 1) != 0;
    sampler->source->release(sampler->source, &handle);
    look_at_io(sampler, member, pid, &zombie);
    *ret_zombie = zombie;
}

/* What the reaped process and those that it had waited for have done. */
static void
take_reaped_io(struct sampler *sampler, const struct accounts_zombie *zombie)
{
    struct proc_io io = zombie->io;
    bool is_known = zombie->has_io;

    if (!sampler->needs_io)
        return;
    if (zombie->has_own_io) {
        is_known = reads_io(sampler, &sampler->tree.discovery.self_handle, &io);
        for (int i = 0; i < PROC_IO_FIELDS; i++)
            io.value[i] -= zombie->own_io.value[i];
        io.value[PROC_IO_READ_CALLS] -= own_read_calls;
    }
    sampler->lost_io |= !is_known;
    if (is_known)
        accounts_add_io(&sampler->ended_io, &io);
}

void
accounts_take_reaped(struct sampler *sampler, pid_t pid,
                     const struct accounts_zombie *zombie,
                     const struct rusage *usage)
{
    struct member *member = tree_find(&sampler->tree, pid);
    int64_t used_ns =
        num_timeval(&usage->ru_utime) + num_timeval(&usage->ru_stime);

    if (!zombie->is_foreign)
        take_reaped_io(sampler, zombie);
    if (member != NULL) {
        settle_children(sampler, member);
        sampler->unsampled +=
            member->is_new && member != sampler->root && !zombie->is_foreign;
        if (sampler->root_only)
            used_ns = member->clock_ns;
        if (member->clock_ns + member->reaped_ns > used_ns + NUM_NS_PER_MS) {
            sampler->unwaited = true;
            used_ns = member->clock_ns + member->reaped_ns;
        }
        if (zombie->has_stat)
            by_command_name_zombie(sampler, member, &zombie->stat);
        by_command_fold(sampler, member);
        member->is_gone = true;
        tree_move(member, NULL);
        if (member == sampler->root)
            sampler->root = NULL;
    } else {
        sampler->unsampled++;
        sampler->tree.seen++;
    }
    sampler->orphaned = true;
    if (zombie->is_foreign)
        return;
    sampler->ended_ns = num_add(sampler->ended_ns, used_ns);
}
