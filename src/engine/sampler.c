/* SPDX-License-Identifier: MIT */
/*
 * The pass over the tree and its sums.  Knows nothing of rows, peaks or files;
 * reads of one member are in sample_member.c, accounts of time in accounts.c.
 */
#include "engine/sampler.h"

#include <errno.h>

#include "base/num.h"
#include "engine/accounts.h"
#include "engine/copies.h"
#include "engine/discovery.h"
#include "engine/reads.h"
#include "engine/sample_member.h"
#include "engine/spaces.h"

/* How often discovery takes no shortcut, and statm of all is read. */
static const int64_t full_every_ns = NUM_NS_PER_S;
static const int64_t full_most_ns = 10 * NUM_NS_PER_S;
static const int64_t full_spacing_ns = 20 * NUM_NS_PER_MS; /* a list */
static const int64_t all_every_ns = 5 * NUM_NS_PER_S;
static const int64_t pressed_for_ns = 2 * NUM_NS_PER_S;
static const int64_t peak_slack_bytes = 1 << 20;
static const int64_t all_spacing_ns = 10 * NUM_NS_PER_MS; /* a member */

int
sampler_init(struct sampler *sampler, struct proc_source *source, pid_t self)
{
    *sampler = (struct sampler){.source = source,
                                .full_at_ns = INT64_MIN / 2,
                                .all_at_ns = INT64_MIN / 2};
    if (by_command_init(&sampler->by_command) < 0)
        return -ENOMEM;
    return tree_init(&sampler->tree, source, self);
}

void
sampler_done(struct sampler *sampler)
{
    by_command_done(&sampler->by_command);
    tree_done(&sampler->tree);
}

/* Visits the members from first on, and those that are found meanwhile. */
static int
visit_from(struct sampler *sampler, size_t first,
           const struct sample_scope *scope)
{
    struct tree *tree = &sampler->tree;
    int rc = 0;

    for (size_t i = first; i < tree->count && rc == 0; i++) {
        if (i + 1 < tree->count)
            member_prefetch(tree->list[i + 1]);
        if (!tree->list[i]->is_gone)
            rc = sample_member(sampler, tree->list[i], scope);
    }
    return rc;
}

/*
 * Whether statm of those too is read that have not run: they can have shrunk
 * (reclaim), not grown.  The larger the tree, the less often.
 */
static bool
all_is_due(struct sampler *sampler, int64_t now_ns)
{
    int64_t wait_ns = (int64_t)sampler->tree.count * all_spacing_ns;

    if (sampler->tree.count <= SAMPLER_READ_ALL_UP_TO)
        return true;
    if (now_ns - sampler->all_at_ns < num_max(wait_ns, all_every_ns))
        return false;
    sampler->all_at_ns = now_ns;
    return true;
}

/*
 * Whether the children of all that ran are read, though nothing says that a
 * task was made: whoever may choose ids can make one unseen.  The more that
 * costs, the less often.
 */
static bool
full_is_due(const struct sampler *sampler, int64_t now_ns)
{
    int64_t wait_ns =
        num_mul(sampler->tree.discovery.scan_cost, full_spacing_ns);

    if (wait_ns > full_most_ns)
        wait_ns = full_most_ns;
    return now_ns - sampler->full_at_ns >= num_max(wait_ns, full_every_ns);
}

/*
 * Which pages several processes have in common nothing tells cheaply.  Those
 * of files and of shared memory may all be the same, but not within one
 * process; those of a copy may all be its parent's.
 */
struct shared {
    int64_t bytes;
    int64_t largest_bytes;
};

static void
add_shared(const struct sampler *sampler, const struct member *member,
           struct sample *sum, struct shared *shared)
{
    int64_t copied_bytes = copies_may_share(member, sampler->root);
    int64_t rest_bytes = num_max(0, member->shared_bytes - copied_bytes);

    sum->repeated_bytes += copied_bytes;
    shared->bytes += rest_bytes;
    shared->largest_bytes = num_max(shared->largest_bytes, rest_bytes);
}

static void
add_member(struct sampler *sampler, struct member *member, struct sample *sum,
           struct shared *shared)
{
    sum->cpu_ns += member->clock_ns + member->reaped_ns;
    if (member->io != NULL) {
        accounts_add_io(&sum->io, &member->io[MEMBER_IO_OWN]);
        accounts_add_io(&sum->io, &member->io[MEMBER_IO_ENDED]);
    }
    if (member->is_zombie)
        return;
    sum->processes++;
    sum->threads += member->threads;
    if (member->space != NULL && !member->is_left_out &&
        !spaces_is_first(sampler, member))
        return;
    if (!copies_may_share_all(member, sampler->root))
        sum->rss_unique_bytes += member->rss_bytes;
    if (member->is_left_out)
        return;
    if (member == sampler->root)
        sum->root_rss_bytes = member->rss_bytes;
    sum->summed++;
    add_shared(sampler, member, sum, shared);
    sum->rss_bytes += member->rss_bytes;
    by_command_add(&sampler->by_command, member);
    sum->vms_bytes += member->vms_bytes;
}

/* Sums of the present state; reads only values that are due. */
static void
make_sum(struct sampler *sampler, struct sample *ret_sample)
{
    enum { SUM_AHEAD = 8 }; /* as long as the memory takes to answer */
    const struct tree *tree = &sampler->tree;
    struct sample sum = {.cpu_ns = sampler->ended_ns, .io = sampler->ended_io};
    struct shared shared = {0};

    sampler->sums++;
    by_command_begin_sum(&sampler->by_command);
    for (size_t i = 0; i < tree->count; i++) {
        if (i + SUM_AHEAD < tree->count)
            member_prefetch(tree->list[i + SUM_AHEAD]);
        if (!tree->list[i]->is_foreign && !tree->list[i]->is_gone)
            add_member(sampler, tree->list[i], &sum, &shared);
    }
    sum.repeated_bytes += shared.bytes - shared.largest_bytes;
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

/*
 * A sum above all before it is no peak while memory is in it that was not
 * read now: what rests may have been reclaimed, and another got the pages.
 * Within 1 % or 1 MiB it may stand.
 */
static void
check_peak(struct sampler *sampler, bool all, struct sample *sample)
{
    struct tree *tree = &sampler->tree;
    int64_t checked_bytes = sampler->checked_rss_bytes;

    if (!all && sample->rss_bytes - checked_bytes >
                    num_max(checked_bytes / 100, peak_slack_bytes)) {
        for (size_t i = 0; i < tree->count; i++)
            sample_member_read_memory(sampler, tree->list[i]);
        accounts_settle(sampler);
        tree_sweep(tree);
        make_sum(sampler, sample);
        sampler->all_at_ns = sampler->now_ns;
        all = true;
    }
    if (all)
        sampler->checked_rss_bytes = num_max(checked_bytes, sample->rss_bytes);
}

int
sampler_pass(struct sampler *sampler, int64_t now_ns, int64_t boot_ns,
             struct sample *ret_sample)
{
    struct tree *tree = &sampler->tree;
    bool wide = full_is_due(sampler, now_ns);
    struct sample_scope scope = {.all = all_is_due(sampler, now_ns)};
    size_t known;
    int rc;

    sampler->now_ns = now_ns;
    sampler->boot_ns = boot_ns;
    discovery_begin(tree);
    tree->discovery.is_wide = wide;
    sampler->moved_cost = 0;
    if (wide) {
        /* A process that has not run has neither forked nor left an orphan. */
        scope.scan_all = sampler->has_moved && tree->discovery.scanned &&
                         discovery_generation(tree) != sampler->full_generation;
        if (sampler->has_moved)
            sampler->full_generation = discovery_generation(tree);
        tree->discovery.scanned = false;
        sampler->has_moved = false;
        sampler->full_at_ns = now_ns;
    }
    rc = visit_from(sampler, 0, &scope);
    sampler->has_moved |= sampler->moved_cost > 0;
    tree->discovery.scan_cost =
        num_max(sampler->moved_cost, tree->discovery.scan_cost / 2);
    known = tree->count;
    if (rc == 0)
        rc = discovery_probe(tree);
    if (rc == 0 && (tree->discovery.looked || sampler->orphaned))
        rc = discovery_scan_self(tree, sampler->orphaned);
    sampler->orphaned = false;
    if (rc == 0)
        rc = discovery_scan_all(tree);
    if (rc == 0)
        rc = visit_from(sampler, known, &scope);
    accounts_settle(sampler);
    tree_sweep(tree);
    make_sum(sampler, ret_sample);
    check_peak(sampler, scope.all, ret_sample);
    by_command_take_sum(&sampler->by_command, now_ns);
    return rc;
}

/*
 * Usage of member since it was sampled, at most limit_ns for each thread; 0 if
 * its id was reused.
 */
static int64_t
used_since(struct sampler *sampler, struct member *member, int64_t limit_ns)
{
    struct proc_stat stat;
    int64_t used_ns;
    int64_t clock_ns;

    if (member->is_foreign || member->is_gone || member->is_zombie ||
        sampler->source->clock(sampler->source, member->handle.pid, &clock_ns) <
            0)
        return 0;
    used_ns = clock_ns - member->clock_ns;
    if (used_ns <= 0)
        return 0;
    if (used_ns > num_mul(limit_ns, member->threads) &&
        !member->is_unreadable && !reads_stat(sampler, member, &stat))
        return 0;
    return used_ns;
}

void
sampler_refresh_clocks(struct sampler *sampler, int64_t now_ns,
                       int64_t pass_cpu_ns, struct sample *sample)
{
    const struct tree *tree = &sampler->tree;
    int64_t limit_ns = now_ns - sampler->now_ns + NUM_NS_PER_S;
    int64_t more_ns = 0;

    sampler->pressed_until_ns = now_ns + pressed_for_ns;

    for (size_t i = 0; i < tree->count; i++)
        more_ns =
            num_add(more_ns, used_since(sampler, tree->list[i], limit_ns));
    sampler->last_cpu_ns =
        num_max(sampler->last_cpu_ns, num_add(pass_cpu_ns, more_ns));
    sample->cpu_ns = sampler->last_cpu_ns;
}

int
sampler_add_foreign(struct sampler *sampler)
{
    struct tree *tree = &sampler->tree;
    int rc;

    tree->discovery.adopts = true;
    discovery_begin(tree);
    rc = discovery_scan_self(tree, true);
    for (size_t i = 0; i < tree->count; i++) {
        tree->list[i]->is_foreign = true;
        tree->seen--;
    }
    return rc;
}

int
sampler_set_root(struct sampler *sampler, pid_t pid)
{
    int rc = tree_add(&sampler->tree, pid, NULL, &sampler->root);

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
    struct tree *tree = &sampler->tree;
    struct proc_status status;

    for (size_t i = 0; i < tree->count; i++)
        if (reads_status(sampler, tree->list[i], &status))
            tree->list[i]->hwm_base_bytes = status.hwm_bytes;
    sampler->largest_rss_bytes = 0;
    by_command_take_bases(sampler);
}

void
sampler_read_marks(struct sampler *sampler)
{
    struct tree *tree = &sampler->tree;

    for (size_t i = 0; i < tree->count; i++)
        if (!tree->list[i]->is_foreign && !tree->list[i]->is_gone &&
            !tree->list[i]->is_zombie)
            sample_member_read_mark(sampler, tree->list[i]);
}
