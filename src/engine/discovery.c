/* SPDX-License-Identifier: MIT */
/*
 * Finds children through the task/TID/children files of those that ran, by
 * asking new ids for their parent, or by a look at all ids.
 */
#include "engine/discovery.h"

#include <errno.h>
#include <stdlib.h>

#include "base/num.h"
#include "proc/look.h"

void
discovery_begin(struct members *members)
{
    members->looked = false;
    members->vanished = members->vanish;
}

/* A read of another process's stat by path, in reads of a children file. */
enum { PROBE_COST = 6 };

/* Whether the new ids are fewer than what would have to be read otherwise. */
static void
choose_way(struct members *members)
{
    int64_t made = members->newest - members->probed;

    members->probes = !members->reads_all && members->probed > 0 && made > 0 &&
                      made * PROBE_COST <= members->scan_cost;
    members->scanned |= !members->probes;
    members->vanish = !members->probes;
    if (!members->probes)
        members->unprobed = members->generation;
}

uint32_t
discovery_generation(struct members *members)
{
    pid_t newest;

    if (members->looked)
        return members->generation;
    members->looked = true;
    members->probes = false;
    members->vanish = false;
    if (members->source->newest(members->source, &newest) < 0) {
        members->generation++;
        members->unprobed = members->generation;
        members->scanned = true;
        members->vanish = true;
    } else if (newest != members->newest || members->unborn > 0) {
        members->probed =
            members->unborn > 0 ? members->unborn - 1 : members->newest;
        members->known_until = members->newest;
        members->newest = newest;
        members->unborn = 0;
        members->generation++;
        choose_way(members);
    }
    return members->generation;
}

/* Adds those ids of the scratch text that are no members yet. */
static int
add_listed(struct members *members, struct member *parent)
{
    const char *at = strbuf_text(&members->text);
    pid_t pid;

    while (proc_parse_next_pid(&at, &pid) == 0) {
        struct member *known = members_find(members, pid);
        struct member *added;

        if (pid == members->self)
            continue;
        if (known != NULL) {
            if (known->parent != parent && known != parent)
                members_adopt(members, known, parent);
            continue;
        }
        if (members_add(members, pid, parent, &added) < 0)
            return -ENOMEM;
    }
    return 0;
}

int
discovery_scan(struct members *members, struct member *member, bool force)
{
    struct proc_source *source = members->source;
    uint32_t generation;
    int threads;

    if (!members->finds_children || member->is_unreadable)
        return 0;
    if (!force && member->scanned_clock_ns == member->clock_ns)
        return 0;
    generation = discovery_generation(members);
    if (!force && !members->is_wide &&
        member->scanned_clock_ns != NUM_UNKNOWN &&
        (int32_t)(member->scanned_generation - members->unprobed) >= 0)
        return 0;

    member->scanned_clock_ns = member->clock_ns;
    member->scanned_generation = generation;
    if (members->reads_all) {
        members->is_stale = true;
        return 0;
    }
    strbuf_reset(&members->text);
    threads = source->children(source, &member->handle,
                               member->knows_threads ? member->threads : 0,
                               &members->text);
    if (threads == -ENOENT) {
        members->reads_all = true;
        members->is_stale = true;
    }
    if (threads < 0)
        return threads == -ENOMEM ? -ENOMEM : 0;
    member->threads = threads;
    return add_listed(members, member);
}

int
discovery_add_orphans(struct members *members)
{
    if (!members->adopts)
        return 0;
    strbuf_reset(&members->text);
    if (members->source->children(members->source, &members->self_handle, 1,
                                  &members->text) < 0)
        return 0;
    return add_listed(members, NULL);
}

int
discovery_scan_self(struct members *members, bool force)
{
    uint32_t generation;

    if (!members->adopts)
        return 0;
    generation = discovery_generation(members);
    if (!force && members->self_generation == generation)
        return 0;
    members->self_generation = generation;
    return discovery_add_orphans(members);
}

static pid_t
parent_of(struct members *members, pid_t pid)
{
    struct proc_stat stat;

    return proc_look(members->source, pid, &stat) ? stat.ppid : 0;
}

/*
 * An id is given before its process can be seen, and the one that forks may
 * have to wait for a processor between the two: of the newest ids the first
 * without a process is asked for once more.
 */
static void
take_missing(struct members *members, pid_t pid)
{
    enum { NEWEST = 8 };

    members->vanish = true;
    if (members->unborn == 0 && pid > members->known_until &&
        pid > members->newest - NEWEST)
        members->unborn = pid;
}

int
discovery_probe(struct members *members)
{
    pid_t pid = members->probed;

    if (!members->looked || !members->probes)
        return 0;
    while (++pid <= members->newest) {
        struct member *parent;
        pid_t ppid;
        int rc = 0;

        if (pid == members->self || members_find(members, pid) != NULL)
            continue;
        /* Of a thread this is the parent of its process: no harm. */
        ppid = parent_of(members, pid);
        if (ppid == 0)
            take_missing(members, pid);
        parent = members_find(members, ppid);
        if (parent != NULL && parent->scanned_generation != members->generation)
            rc = discovery_scan(members, parent, true);
        else if (ppid == members->self)
            rc = discovery_scan_self(members, false);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* Whether pid was made after the last look, by the order of ids. */
static bool
is_after(pid_t pid, pid_t before, pid_t newest)
{
    if (before <= newest)
        return pid > before && pid <= newest;
    return pid > before || pid <= newest; /* ids have begun anew */
}

static int
compare_ids(const void *a, const void *b)
{
    pid_t one = *(const pid_t *)a;
    pid_t two = *(const pid_t *)b;

    return (one > two) - (one < two);
}

/* An id whose parent is asked for; a member once it was added. */
struct candidate {
    pid_t pid;
    pid_t ppid;
};

/* Adds those whose parent is a member, until no more are found. */
static int
add_candidates(struct members *members, struct candidate *list, size_t count)
{
    bool added = true;

    while (added) {
        added = false;
        for (size_t i = 0; i < count; i++) {
            struct member *parent = members_find(members, list[i].ppid);
            struct member *member;

            if (list[i].pid == 0 ||
                (parent == NULL &&
                 (!members->adopts || list[i].ppid != members->self)))
                continue;
            if (members_add(members, list[i].pid, parent, &member) < 0)
                return -ENOMEM;
            list[i].pid = 0;
            added = true;
        }
    }
    return 0;
}

int
discovery_add_ids(struct members *members, const char *pids)
{
    struct member *member;
    pid_t pid;

    for (size_t i = 0; i < members->count; i++)
        members->list[i]->in_group = false;
    while (proc_parse_next_pid(&pids, &pid) == 0) {
        if (pid == members->self)
            continue;
        member = members_find(members, pid);
        if (member == NULL &&
            members_add(members, pid,
                        members_find(members, parent_of(members, pid)),
                        &member) < 0)
            return -ENOMEM;
        if (member != NULL)
            member->in_group = true;
    }
    return 0;
}

/* Takes the ids of the scratch text as known; fills in those to be asked. */
static size_t
take_ids(struct members *members, pid_t *ids, struct candidate *candidates)
{
    const char *at = strbuf_text(&members->text);
    size_t known = 0;
    size_t asked = 0;
    pid_t pid;

    while (proc_parse_next_pid(&at, &pid) == 0) {
        bool is_known = members->known != NULL &&
                        bsearch(&pid, members->known, members->known_count,
                                sizeof(pid), compare_ids) != NULL;

        ids[known++] = pid;
        if ((is_known &&
             !is_after(pid, members->known_newest, members->newest)) ||
            pid == members->self || members_find(members, pid) != NULL)
            continue;
        candidates[asked++] = (struct candidate){pid, parent_of(members, pid)};
    }
    qsort(ids, known, sizeof(*ids), compare_ids);
    free(members->known);
    members->known = ids;
    members->known_count = known;
    members->known_newest = members->newest;
    return asked;
}

int
discovery_scan_all(struct members *members)
{
    struct candidate *candidates;
    size_t most;
    pid_t *ids;
    int rc;

    if (!members->reads_all || !members->is_stale)
        return 0;
    members->is_stale = false;
    strbuf_reset(&members->text);
    if (members->source->pids(members->source, &members->text) < 0)
        return 0;
    most = members->text.size / 2 + 1;
    ids = calloc(most, sizeof(*ids));
    candidates = calloc(most, sizeof(*candidates));
    if (ids == NULL || candidates == NULL) {
        free(ids);
        free(candidates);
        return -ENOMEM;
    }
    rc =
        add_candidates(members, candidates, take_ids(members, ids, candidates));
    free(candidates);
    return rc;
}
