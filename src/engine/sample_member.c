/* SPDX-License-Identifier: MIT */
/* Samples one member: decides what is due and reads it. */
#include "engine/sample_member.h"

#include <errno.h>
#include <signal.h>

#include "base/num.h"
#include "engine/accounts.h"
#include "engine/copies.h"
#include "engine/discovery.h"
#include "engine/reads.h"
#include "engine/spaces.h"

/* Of counting threads and reading one list, in reads of a list. */
enum { SCAN_COST = 4 };

static const int64_t stat_every_ns = READS_STAT_EVERY_MS * NUM_NS_PER_MS;

/* How often status is read of one, and of any in a large tree. */
static const int64_t mark_every_ns = NUM_NS_PER_S;
static const int64_t mark_spacing_ns = 50 * NUM_NS_PER_MS;

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
    /* `systemd-run --scope` becomes the work. */
    if (member->launcher != LAUNCHERS_NONE)
        return true;
    /*
     * While all that was born is still there, nobody has reaped anything; and
     * where passes take long, this can wait first.
     */
    if (((!sampler->tree.discovery.vanish &&
          !sampler->tree.discovery.vanished) ||
         sampler->now_ns < sampler->pressed_until_ns) &&
        sampler->now_ns - member->stat_at_ns < member->stat_wait_ns)
        return false;
    return member->is_parent || member->is_copy ||
           member->stat_generation != discovery_generation(&sampler->tree);
}

/* statm is 0: the process is ending, has ended, or lost its main thread. */
static void
look_at_leader(struct sampler *sampler, struct member *member)
{
    struct proc_stat stat;
    pid_t tid;

    if (member->is_zombie)
        return;
    if (!reads_stat(sampler, member, &stat)) {
        accounts_member_has_gone(sampler, member);
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
        by_command_name_zombie(sampler, member, &stat);
        /* Its io is root's from now on; a descriptor of before still reads. */
        if (sampler->records_io && member->handle.io_fd >= 0)
            reads_own_io(sampler, member);
        sampler->tree.ended++;
        sampler->orphaned = true;
    }
}

/* Reads RSS and VMS; false when the process has gone. */
static bool
read_memory(struct sampler *sampler, struct member *member)
{
    struct proc_statm statm;
    struct proc_stat stat;
    int64_t rss_bytes;
    int64_t vms_bytes;
    int64_t shared_bytes;
    int rc = reads_statm(sampler, member, &statm);

    /* A file opened by path may be another process's with the same id. */
    if (rc == -ESRCH || (member->handle.statm_fd < 0 && !member->is_new &&
                         !reads_stat(sampler, member, &stat))) {
        accounts_member_has_gone(sampler, member);
        return false;
    }
    if (rc == 0 && statm.size_pages == 0) {
        look_at_leader(sampler, member);
        if (member->is_gone)
            return false;
        if (member->handle.tid != member->handle.pid)
            rc = reads_statm(sampler, member, &statm);
    }
    if (rc < 0)
        return true;
    vms_bytes = num_mul(statm.size_pages, sampler->source->page_bytes);
    /* Another program runs in it. */
    if ((uint32_t)statm.text_pages != member->text_pages)
        member->needs_name = true;
    member->text_pages = (uint32_t)statm.text_pages;
    /* A copy may have exec'ed: then stat does not wait. */
    if (member->is_copy && vms_bytes != member->vms_bytes)
        member->stat_wait_ns = stat_every_ns;
    rss_bytes = num_mul(statm.resident_pages, sampler->source->page_bytes);
    shared_bytes = num_mul(statm.shared_pages, sampler->source->page_bytes);
    member->is_changed |=
        rss_bytes != member->rss_bytes || shared_bytes != member->shared_bytes;
    member->rss_bytes = rss_bytes;
    member->vms_bytes = vms_bytes;
    member->shared_bytes = shared_bytes;
    copies_compare(member, sampler->root);
    if (member->is_copy || member->space != NULL)
        spaces_update(sampler, member);
    if (member->rss_bytes > sampler->largest_rss_bytes) {
        sampler->largest_rss_bytes = member->rss_bytes;
        sampler->by_high_water_mark = false;
    }
    return true;
}

void
sample_member_read_memory(struct sampler *sampler, struct member *member)
{
    if (sampler_is_counted(member) && !member->is_unreadable)
        read_memory(sampler, member);
}

/*
 * The first process of a PID namespace ignores SIGCHLD as it ends, and waits
 * for the others itself (kernel/pid_namespace.c, zap_pid_ns_processes).
 */
static bool
is_exiting(struct sampler *sampler, struct member *member)
{
    struct proc_stat stat;

    return reads_stat(sampler, member, &stat) &&
           (stat.flags & PROC_FLAG_EXITING) != 0;
}

void
sample_member_read_mark(struct sampler *sampler, struct member *member)
{
    struct proc_status status;

    member->hwm_at_ns = sampler->now_ns;
    member->hwm_clock_ns = member->clock_ns;
    if (!reads_status(sampler, member, &status))
        return;
    member->ignores_sigchld = (status.ignored >> (SIGCHLD - 1) & 1) != 0 &&
                              !is_exiting(sampler, member);
    sampler->unwaited |= member->is_parent && member->ignores_sigchld;
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
    if (sampler->tree.count > SAMPLER_READ_ALL_UP_TO && !member->is_parent &&
        sampler->tree.discovery.adopts)
        return false;
    return !member->is_zombie && !member->is_unreadable &&
           !member->is_left_out && member->hwm_clock_ns != member->clock_ns &&
           sampler->now_ns - member->hwm_at_ns >= mark_every_ns &&
           sampler->now_ns >= sampler->hwm_next_ns;
}

/* Reads what is due of a live, counted member besides clock and memory. */
static void
visit_figures(struct sampler *sampler, struct member *member, bool moved)
{
    struct proc_stat stat;

    bool was_left_out = member->is_left_out;

    if (stat_is_due(sampler, member, moved) &&
        reads_stat(sampler, member, &stat))
        reads_take_stat(sampler, member, &stat);
    if (member->launcher != LAUNCHERS_NONE)
        launchers_take(sampler, member);
    /* It counts from now on: with memory of its own? */
    if (was_left_out && !member->is_left_out && member->is_copy)
        spaces_update(sampler, member);
    /* What was read before may be the memory of before the exec. */
    if (was_left_out && !member->is_copy && !read_memory(sampler, member))
        return;
    if (member->is_unreadable)
        return;
    if (sampler->records_io && moved)
        reads_own_io(sampler, member);
    if (mark_is_due(sampler, member)) {
        sample_member_read_mark(sampler, member);
        if (sampler->tree.count > SAMPLER_READ_ALL_UP_TO)
            sampler->hwm_next_ns = sampler->now_ns + mark_spacing_ns;
    }
}

int
sample_member(struct sampler *sampler, struct member *member,
              const struct sample_scope *scope)
{
    int64_t before_ns = member->clock_ns;
    int64_t clock_ns = before_ns;
    struct proc_stat stat;
    int rc =
        sampler->source->clock(sampler->source, member->handle.pid, &clock_ns);
    bool moved = clock_ns != member->clock_ns || member->is_new;

    if (rc == -ESRCH || clock_ns < member->clock_ns) {
        accounts_member_has_gone(sampler, member);
        return 0;
    }
    /* Only a read of its files shows that the clock is still its own. */
    if (!member->is_zombie && !member->is_foreign && !member->is_unreadable &&
        (scope->all || moved) && !read_memory(sampler, member))
        return 0;
    /* A zombie's clock stands still: else another process has its id. */
    if (member->is_zombie && moved && !reads_stat(sampler, member, &stat)) {
        accounts_member_has_gone(sampler, member);
        return 0;
    }
    member->clock_ns = clock_ns;
    member->is_changed |= moved;
    member->knows_threads = false;
    if (member->is_zombie)
        return 0;
    if (moved)
        sampler->moved_cost += SCAN_COST + member->threads - 1;
    if (!member->is_foreign)
        visit_figures(sampler, member, moved);
    if (by_command_is_due(member) && !member->is_gone)
        by_command_name(sampler, member, before_ns);
    member->is_new = false;
    if (sampler->root_only)
        return 0;
    return discovery_scan(&sampler->tree, member, scope->scan_all);
}
