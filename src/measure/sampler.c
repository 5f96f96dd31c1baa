/* SPDX-License-Identifier: MIT */
/*
 * The pass over the tree.  Reads through the source, decides what is due,
 * and keeps the rules of sampler.h; knows nothing of rows, peaks or files.
 */
#include "measure/sampler.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "measure/copies.h"

/* How much of the tree a pass reads. */
struct sampler_scope {
    bool all;      /* statm of those too that have not run */
    bool scan_all; /* children likewise */
};

enum {
    /* Up to here all is read in each pass; above, only what has run. */
    READ_ALL_UP_TO = 20,
    /* Of counting threads and reading one list, in reads of a list. */
    SCAN_COST = 4,
};

/* How often files that cost more than statm are read again. */
static const int64_t full_every_ns = NUM_NS_PER_S;
static const int64_t all_every_ns = 5 * NUM_NS_PER_S;
static const int64_t all_spacing_ns = 10 * NUM_NS_PER_MS; /* a member */
static const int64_t stat_every_ns = 95 * NUM_NS_PER_MS;
static const int64_t stat_at_least_ns = 6 * NUM_NS_PER_S;
static const int64_t mark_every_ns = NUM_NS_PER_S;
static const int64_t mark_spacing_ns = 50 * NUM_NS_PER_MS;

int
sampler_init(struct sampler *sampler, struct proc_source *source, pid_t self)
{
    *sampler = (struct sampler){.source = source,
                                .full_at_ns = INT64_MIN / 2,
                                .all_at_ns = INT64_MIN / 2};
    return members_init(&sampler->members, source, self);
}

void
sampler_done(struct sampler *sampler)
{
    members_done(&sampler->members);
}

static bool
read_stat(struct sampler *sampler, struct member *member,
          struct proc_stat *ret_stat)
{
    char text[PROC_TEXT_SIZE];

    return sampler->source->read(sampler->source, &member->handle, PROC_STAT,
                                 text, sizeof(text)) > 0 &&
           proc_parse_stat(text, ret_stat) == 0 &&
           ret_stat->start_ticks == member->start_ticks;
}

static bool
read_status(struct sampler *sampler, struct member *member,
            struct proc_status *ret_status)
{
    char text[PROC_TEXT_SIZE];

    return sampler->source->read(sampler->source, &member->handle, PROC_STATUS,
                                 text, sizeof(text)) > 0 &&
           proc_parse_status(text, ret_status) == 0;
}

static bool
read_io(struct sampler *sampler, struct proc_handle *handle,
        struct proc_io *ret_io)
{
    char text[PROC_TEXT_SIZE];

    return sampler->source->read(sampler->source, handle, PROC_IO, text,
                                 sizeof(text)) > 0 &&
           proc_parse_io(text, ret_io) == 0;
}

static int64_t
ticks_to_ns(const struct sampler *sampler, uint64_t ticks)
{
    int64_t tick_ns = NUM_NS_PER_S / sampler->source->ticks_per_s;

    return ticks > (uint64_t)(INT64_MAX / tick_ns) ? INT64_MAX
                                                   : (int64_t)ticks * tick_ns;
}

static void
io_add(struct proc_io *sum, const struct proc_io *io)
{
    for (int i = 0; i < PROC_IO_FIELDS; i++)
        if (io->value[i] > 0)
            sum->value[i] = num_add(sum->value[i], io->value[i]);
}

/*
 * A member's own I/O as last read, and that of ended children which it does
 * not hold yet; one allocation for both.
 */
enum { IO_OWN, IO_ENDED, IO_PARTS };

static bool
is_alive(struct sampler *sampler, const struct member *member)
{
    int64_t clock_ns;

    return sampler->source->clock(sampler->source, member->handle.pid,
                                  &clock_ns) == 0 &&
           clock_ns >= member->clock_ns;
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
        ended = parent->io != NULL ? &parent->io[IO_ENDED] : NULL;
        parent->lost_child = true;
        parent->scanned_clock_ns = NUM_UNKNOWN; /* its id may be used again */
        sampler->pending = true;
    }
    *reaped_ns = num_add(*reaped_ns, member->clock_ns + member->reaped_ns);
    if (ended != NULL && member->io != NULL) {
        io_add(ended, &member->io[IO_OWN]);
        io_add(ended, &member->io[IO_ENDED]);
    }
}

/* Where the kernel has put a child whose parent has ended. */
static void
find_new_parent(struct sampler *sampler, struct member *member)
{
    struct members *members = &sampler->members;
    struct member *parent = NULL;
    struct proc_stat stat;

    if (read_stat(sampler, member, &stat) && stat.ppid != members->self)
        parent = members_find(members, stat.ppid);
    members_adopt(members, member, parent);
}

/*
 * The children of an ended member: those that ended too are taken into its
 * account, with their children in turn; the others get their new parent.
 */
static void
settle_children(struct sampler *sampler, struct member *member)
{
    struct members *members = &sampler->members;
    struct member *child = member->first_child;

    while (child != NULL) {
        struct member *next = child->next_sibling;

        if (!is_alive(sampler, child)) {
            hand_over(sampler, child, member);
            while (child->first_child != NULL)
                members_move(members, child->first_child, member);
            members_move(members, child, NULL);
            child->is_gone = true;
            next = member->first_child;
        }
        child = next;
    }
    while (member->first_child != NULL)
        find_new_parent(sampler, member->first_child);
    sampler->orphaned = true;
}

static void
member_has_gone(struct sampler *sampler, struct member *member)
{
    struct member *parent = member->parent;

    if (member->is_gone)
        return;
    member->is_gone = true;
    settle_children(sampler, member);
    hand_over(sampler, member, parent);
    members_move(&sampler->members, member, NULL);
    if (parent == NULL && !member->is_foreign)
        sampler->unwaited = true;
    if (member == sampler->root)
        sampler->root = NULL;
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
        sampler->members.count <= READ_ALL_UP_TO)
        return stat_every_ns;
    return stat_at_least_ns;
}

/* Takes from stat what may have changed since the last one. */
static void
take_stat(struct sampler *sampler, struct member *member,
          const struct proc_stat *stat)
{
    int64_t waited = (int64_t)(stat->cutime_ticks + stat->cstime_ticks);

    member->stat_wait_ns =
        next_stat_wait(sampler, member, waited != member->ticks_waited);
    member->stat_at_ns = sampler->now_ns;
    member->stat_generation = sampler->members.generation;
    member->threads = (int32_t)stat->num_threads;
    member->knows_threads = true;
    member->ticks_waited = waited;
    member->has_stat = true;
    sampler->pending = true;
    copies_update(member, stat, sampler->boot_ns, sampler->source->ticks_per_s);
}

/* Whether children may have come and gone, or a copy may have changed. */
static bool
stat_is_due(struct sampler *sampler, const struct member *member, bool moved)
{
    if (sampler->root_only || member->is_unreadable || member->is_foreign)
        return false;
    if (member->is_left_out)
        return true;
    if (!moved || sampler->now_ns - member->stat_at_ns < stat_every_ns)
        return false;
    /* While all that was born is still there, nobody has reaped anything. */
    if (!sampler->members.vanish && !sampler->members.vanished &&
        sampler->now_ns - member->stat_at_ns < member->stat_wait_ns)
        return false;
    return member->is_parent || member->is_copy ||
           member->stat_generation != members_generation(&sampler->members);
}

/* statm is 0: the process is ending, has ended, or lost its main thread. */
static void
look_at_leader(struct sampler *sampler, struct member *member)
{
    struct proc_stat stat;
    pid_t tid;

    if (member->is_zombie)
        return;
    if (!read_stat(sampler, member, &stat)) {
        member_has_gone(sampler, member);
        return;
    }
    if (stat.state != 'Z')
        return;
    if (stat.num_threads > 1 &&
        sampler->source->live_thread(sampler->source, member->handle.pid,
                                     &tid) == 0) {
        sampler->source->release(sampler->source, &member->handle);
        member->handle.tid = tid;
        return;
    }
    if (stat.num_threads <= 1) {
        member->is_zombie = true;
        sampler->members.ended++;
        sampler->orphaned = true;
    }
}

static int
read_statm(struct sampler *sampler, struct member *member,
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

/* Reads RSS and VMS; false when the process has gone. */
static bool
read_memory(struct sampler *sampler, struct member *member)
{
    struct proc_statm statm;
    struct proc_stat stat;
    int rc = read_statm(sampler, member, &statm);

    /* A file opened by path may be another process's with the same id. */
    if (rc == -ESRCH || (member->handle.statm_fd < 0 && !member->is_new &&
                         !read_stat(sampler, member, &stat))) {
        member_has_gone(sampler, member);
        return false;
    }
    if (rc == 0 && statm.size_pages == 0) {
        look_at_leader(sampler, member);
        if (member->is_gone)
            return false;
        if (member->handle.tid != member->handle.pid)
            rc = read_statm(sampler, member, &statm);
    }
    if (rc < 0)
        return true;
    member->rss_bytes =
        num_mul(statm.resident_pages, sampler->source->page_bytes);
    member->vms_bytes = num_mul(statm.size_pages, sampler->source->page_bytes);
    copies_compare(member, sampler->root);
    if (member->rss_bytes > sampler->largest_rss_bytes) {
        sampler->largest_rss_bytes = member->rss_bytes;
        sampler->by_high_water_mark = false;
    }
    return true;
}

static void
read_mark(struct sampler *sampler, struct member *member)
{
    struct proc_status status;

    member->hwm_at_ns = sampler->now_ns;
    member->hwm_clock_ns = member->clock_ns;
    if (!read_status(sampler, member, &status))
        return;
    if (member->is_parent && (status.ignored >> (SIGCHLD - 1) & 1) != 0)
        sampler->unwaited = true;
    if (status.hwm_bytes > member->hwm_base_bytes &&
        status.hwm_bytes > sampler->largest_rss_bytes) {
        sampler->largest_rss_bytes = status.hwm_bytes;
        sampler->by_high_water_mark = true;
    }
}

/*
 * In a large tree only of parents, for what they ignore: the marks of those
 * that end are in the rusage of their reaper.  But not of an attached tree.
 */
static bool
mark_is_due(const struct sampler *sampler, const struct member *member)
{
    if (sampler->members.count > READ_ALL_UP_TO && !member->is_parent &&
        sampler->members.adopts)
        return false;
    return !member->is_zombie && !member->is_unreadable &&
           !member->is_left_out && member->hwm_clock_ns != member->clock_ns &&
           sampler->now_ns - member->hwm_at_ns >= mark_every_ns &&
           sampler->now_ns >= sampler->hwm_next_ns;
}

static void
read_own_io(struct sampler *sampler, struct member *member)
{
    struct proc_io io;

    if (member->io == NULL)
        member->io = calloc(IO_PARTS, sizeof(*member->io));
    if (member->io == NULL)
        return;
    if (read_io(sampler, &member->handle, &io)) {
        member->io[IO_OWN] = io;
    } else if (!member->has_hidden_io && is_alive(sampler, member)) {
        member->has_hidden_io = true;
        sampler->members.skipped++;
    }
}

/* What is due of a live, counted member besides its clock and memory. */
static void
visit_figures(struct sampler *sampler, struct member *member, bool moved)
{
    struct proc_stat stat;

    bool was_left_out = member->is_left_out;

    if (stat_is_due(sampler, member, moved) &&
        read_stat(sampler, member, &stat))
        take_stat(sampler, member, &stat);
    /* What was read before may be the memory of before the exec. */
    if (was_left_out && !member->is_copy && !read_memory(sampler, member))
        return;
    if (member->is_unreadable)
        return;
    if (sampler->records_io && moved)
        read_own_io(sampler, member);
    if (mark_is_due(sampler, member)) {
        read_mark(sampler, member);
        if (sampler->members.count > READ_ALL_UP_TO)
            sampler->hwm_next_ns = sampler->now_ns + mark_spacing_ns;
    }
}

/* Everything of one member; parents come before their children. */
static int
visit(struct sampler *sampler, struct member *member,
      const struct sampler_scope *scope)
{
    int64_t clock_ns = member->clock_ns;
    struct proc_stat stat;
    int rc =
        sampler->source->clock(sampler->source, member->handle.pid, &clock_ns);
    bool moved = clock_ns != member->clock_ns || member->is_new;

    if (rc == -ESRCH || clock_ns < member->clock_ns) {
        member_has_gone(sampler, member);
        return 0;
    }
    /* Only a read of its files tells that the clock is still its own. */
    if (!member->is_zombie && !member->is_foreign && !member->is_unreadable &&
        (scope->all || moved) && !read_memory(sampler, member))
        return 0;
    /* A zombie's clock stands still: else another process has its id. */
    if (member->is_zombie && moved && !read_stat(sampler, member, &stat)) {
        member_has_gone(sampler, member);
        return 0;
    }
    member->clock_ns = clock_ns;
    member->knows_threads = false;
    if (member->is_zombie)
        return 0;
    if (moved)
        sampler->moved_cost += SCAN_COST + member->threads - 1;
    if (!member->is_foreign)
        visit_figures(sampler, member, moved);
    member->is_new = false;
    if (sampler->root_only)
        return 0;
    return members_scan(&sampler->members, member, scope->scan_all);
}

/* Visits the members from first on, and those that are found meanwhile. */
static int
visit_from(struct sampler *sampler, size_t first,
           const struct sampler_scope *scope)
{
    struct members *members = &sampler->members;
    int rc = 0;

    for (size_t i = first; i < members->count && rc == 0; i++) {
        if (i + 1 < members->count)
            member_prefetch(members->list[i + 1]);
        if (!members->list[i]->is_gone)
            rc = visit(sampler, members->list[i], scope);
    }
    return rc;
}

/*
 * Time of ended members that did not reach member: a subreaper above it has
 * reaped them, or nobody.
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
    parent->lost_child = true;
    sampler->pending = true;
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
    member->reaped_ns = num_max(member->reaped_ns, waited_ns);
    if (member->io != NULL)
        memset(&member->io[IO_ENDED], 0, sizeof(member->io[IO_ENDED]));
}

/* Whether all children live; those that do not are handed over. */
static bool
children_live(struct sampler *sampler, struct member *member)
{
    struct member *child = member->first_child;
    bool all = true;

    while (child != NULL) {
        struct member *next = child->next_sibling;

        if (!is_alive(sampler, child)) {
            member_has_gone(sampler, child);
            all = false;
        }
        child = next;
    }
    return all;
}

/* A child was found gone: the parent is read again, whatever the rate. */
static void
read_parent_again(struct sampler *sampler, struct member *member)
{
    enum { TRIES = 3 };
    struct proc_stat stat;

    for (int i = 0; i < TRIES; i++) {
        if (!read_stat(sampler, member, &stat))
            return;
        take_stat(sampler, member, &stat);
        if (sampler->records_io)
            read_own_io(sampler, member);
        if (children_live(sampler, member)) {
            member->lost_child = false;
            accept(sampler, member);
            return;
        }
    }
}

/* Brings the accounts of parents up to date after all were visited. */
static void
settle(struct sampler *sampler)
{
    enum { ROUNDS = 2 };
    struct members *members = &sampler->members;

    /* Children first: what did not reach them may have reached a parent. */
    for (int round = 0; sampler->pending && round < ROUNDS; round++) {
        sampler->pending = false;
        for (size_t i = members->count; i-- > 0;) {
            struct member *member = members->list[i];

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
 * Whether statm of those too is read that have not run: they can have shrunk
 * (reclaim), not grown.  The larger the tree, the less often.
 */
static bool
all_is_due(struct sampler *sampler, int64_t now_ns)
{
    int64_t wait_ns = (int64_t)sampler->members.count * all_spacing_ns;

    if (sampler->members.count <= READ_ALL_UP_TO)
        return true;
    if (now_ns - sampler->all_at_ns < num_max(wait_ns, all_every_ns))
        return false;
    sampler->all_at_ns = now_ns;
    return true;
}

int
sampler_pass(struct sampler *sampler, int64_t now_ns, int64_t boot_ns,
             struct sample *ret_sample)
{
    struct members *members = &sampler->members;
    bool wide = now_ns - sampler->full_at_ns >= full_every_ns;
    struct sampler_scope scope = {.all = all_is_due(sampler, now_ns)};
    size_t known;
    int rc;

    sampler->now_ns = now_ns;
    sampler->boot_ns = boot_ns;
    members_begin(members);
    members->is_wide = wide;
    sampler->moved_cost = 0;
    if (wide) {
        /* Who has not run has neither forked nor left an orphan. */
        scope.scan_all =
            sampler->has_moved && members->scanned &&
            members_generation(members) != sampler->full_generation;
        if (sampler->has_moved)
            sampler->full_generation = members_generation(members);
        members->scanned = false;
        sampler->has_moved = false;
        sampler->full_at_ns = now_ns;
    }
    rc = visit_from(sampler, 0, &scope);
    sampler->has_moved |= sampler->moved_cost > 0;
    members->scan_cost = num_max(sampler->moved_cost, members->scan_cost / 2);
    known = members->count;
    if (rc == 0)
        rc = members_probe(members);
    if (rc == 0 && (members->looked || sampler->orphaned))
        rc = members_scan_self(members, sampler->orphaned);
    sampler->orphaned = false;
    if (rc == 0)
        rc = members_scan_all(members);
    if (rc == 0)
        rc = visit_from(sampler, known, &scope);
    settle(sampler);
    members_sweep(members);
    sampler_sum(sampler, ret_sample);
    return rc;
}

static void
add_member(struct sampler *sampler, const struct member *member,
           struct sample *sum)
{
    sum->cpu_ns += member->clock_ns + member->reaped_ns;
    if (member->io != NULL) {
        io_add(&sum->io, &member->io[IO_OWN]);
        io_add(&sum->io, &member->io[IO_ENDED]);
    }
    if (member->is_zombie)
        return;
    if (member == sampler->root)
        sum->root_rss_bytes = member->rss_bytes;
    sum->processes++;
    sum->threads += member->threads;
    if (!copies_may_share_all(member, sampler->root))
        sum->rss_unique_bytes += member->rss_bytes;
    if (member->is_left_out)
        return;
    sum->rss_bytes += member->rss_bytes;
    sum->vms_bytes += member->vms_bytes;
}

void
sampler_sum(struct sampler *sampler, struct sample *ret_sample)
{
    enum { SUM_AHEAD = 8 }; /* as long as the memory takes to answer */
    const struct members *members = &sampler->members;
    struct sample sum = {.cpu_ns = sampler->ended_ns, .io = sampler->ended_io};

    for (size_t i = 0; i < members->count; i++) {
        if (i + SUM_AHEAD < members->count)
            member_prefetch(members->list[i + SUM_AHEAD]);
        if (!members->list[i]->is_foreign && !members->list[i]->is_gone)
            add_member(sampler, members->list[i], &sum);
    }
    sampler->last_cpu_ns = num_max(sampler->last_cpu_ns, sum.cpu_ns);
    sum.cpu_ns = sampler->last_cpu_ns;
    for (int i = 0; i < PROC_IO_FIELDS; i++) {
        sampler->last_io.value[i] =
            num_max(sampler->last_io.value[i], sum.io.value[i]);
        sum.io.value[i] =
            sampler->records_io ? sampler->last_io.value[i] : NUM_UNKNOWN;
    }
    *ret_sample = sum;
}

/* What member used since it was visited; 0 when its id is another's now. */
static int64_t
used_since(struct sampler *sampler, struct member *member)
{
    struct proc_statm statm;
    struct proc_stat stat;
    int64_t clock_ns;

    if (member->is_foreign || member->is_gone || member->is_zombie ||
        sampler->source->clock(sampler->source, member->handle.pid, &clock_ns) <
            0 ||
        clock_ns <= member->clock_ns)
        return 0;
    /* A held file never leads to another process; a path may. */
    if (member->handle.statm_fd >= 0 ? read_statm(sampler, member, &statm) < 0
                                     : !read_stat(sampler, member, &stat))
        return 0;
    return clock_ns - member->clock_ns;
}

void
sampler_refresh_clocks(struct sampler *sampler, int64_t pass_cpu_ns,
                       struct sample *sample)
{
    const struct members *members = &sampler->members;
    int64_t more_ns = 0;

    for (size_t i = 0; i < members->count; i++)
        more_ns = num_add(more_ns, used_since(sampler, members->list[i]));
    sampler->last_cpu_ns =
        num_max(sampler->last_cpu_ns, num_add(pass_cpu_ns, more_ns));
    sample->cpu_ns = sampler->last_cpu_ns;
}

int
sampler_add_foreign(struct sampler *sampler)
{
    struct members *members = &sampler->members;
    int rc;

    members->adopts = true;
    members_begin(members);
    rc = members_scan_self(members, true);
    for (size_t i = 0; i < members->count; i++) {
        members->list[i]->is_foreign = true;
        members->seen--;
    }
    return rc;
}

int
sampler_set_root(struct sampler *sampler, pid_t pid)
{
    int rc = members_add(&sampler->members, pid, NULL, &sampler->root);

    if (rc < 0)
        return rc;
    if (sampler->root == NULL)
        return -ESRCH;
    sampler->root->is_left_out = false;
    return 0;
}

void
sampler_take_bases(struct sampler *sampler)
{
    struct members *members = &sampler->members;
    struct proc_status status;

    for (size_t i = 0; i < members->count; i++)
        if (read_status(sampler, members->list[i], &status))
            members->list[i]->hwm_base_bytes = status.hwm_bytes;
    sampler->largest_rss_bytes = 0;
}

void
sampler_read_marks(struct sampler *sampler)
{
    struct members *members = &sampler->members;

    for (size_t i = 0; i < members->count; i++)
        if (!members->list[i]->is_foreign && !members->list[i]->is_gone &&
            !members->list[i]->is_zombie)
            read_mark(sampler, members->list[i]);
}

void
sampler_look_at_zombie(struct sampler *sampler, pid_t pid,
                       struct sampler_zombie *ret_zombie)
{
    struct member *member = members_find(&sampler->members, pid);
    struct sampler_zombie zombie = {.was_sampled = member != NULL};
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
    if (!read_io(sampler, &handle, &zombie.io))
        for (int i = 0; i < PROC_IO_FIELDS; i++)
            zombie.io.value[i] = NUM_UNKNOWN;
    sampler->source->release(sampler->source, &handle);
    *ret_zombie = zombie;
}

void
sampler_take_reaped(struct sampler *sampler, pid_t pid,
                    const struct sampler_zombie *zombie,
                    const struct rusage *usage)
{
    struct member *member = members_find(&sampler->members, pid);
    int64_t used_ns =
        num_timeval(&usage->ru_utime) + num_timeval(&usage->ru_stime);

    if (member != NULL) {
        settle_children(sampler, member);
        if (sampler->root_only)
            used_ns = member->clock_ns;
        if (member->clock_ns + member->reaped_ns > used_ns + NUM_NS_PER_MS) {
            sampler->unwaited = true;
            used_ns = member->clock_ns + member->reaped_ns;
        }
        member->is_gone = true;
        members_move(&sampler->members, member, NULL);
        if (member == sampler->root)
            sampler->root = NULL;
    } else {
        sampler->unsampled++;
        sampler->members.seen++;
    }
    sampler->orphaned = true;
    if (zombie->is_foreign)
        return;
    sampler->ended_ns = num_add(sampler->ended_ns, used_ns);
    io_add(&sampler->ended_io, &zombie->io);
}
