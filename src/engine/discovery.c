/* SPDX-License-Identifier: MIT */
/*
 * Finds children through the task/TID/children files of those that ran, by
 * asking new ids for their parent, or by a look at all ids.
 */
#include "engine/discovery.h"

#include <errno.h>
#include <stdlib.h>

#include "base/num.h"
#include "engine/tree.h"

void
discovery_init(struct discovery *discovery, pid_t self)
{
    *discovery = (struct discovery){.finds_children = true};
    proc_handle_init(&discovery->self_handle, self);
}

void
discovery_done(struct discovery *discovery, struct proc_source *source)
{
    if (source != NULL)
        source->release(source, &discovery->self_handle);
    free(discovery->known);
    discovery->known = NULL;
}

void
discovery_begin(struct tree *tree)
{
    struct discovery *discovery = &tree->discovery;

    discovery->looked = false;
    discovery->vanished = discovery->vanish;
}

/* A read of another process's stat by path, in reads of a children file. */
enum { PROBE_COST = 6 };

/* Whether the new ids are fewer than what would have to be read otherwise. */
static void
choose_way(struct tree *tree)
{
    struct discovery *discovery = &tree->discovery;

    int64_t made = discovery->newest - discovery->probed;

    discovery->probes = !discovery->reads_all && discovery->probed > 0 &&
                        made > 0 && made * PROBE_COST <= discovery->scan_cost;
    discovery->scanned |= !discovery->probes;
    discovery->vanish = !discovery->probes;
    if (!discovery->probes)
        discovery->unprobed = discovery->generation;
}

uint32_t
discovery_generation(struct tree *tree)
{
    struct discovery *discovery = &tree->discovery;
    pid_t newest;

    if (discovery->looked)
        return discovery->generation;
    discovery->looked = true;
    discovery->probes = false;
    discovery->vanish = false;
    if (tree->source->newest(tree->source, &newest) < 0) {
        discovery->generation++;
        discovery->unprobed = discovery->generation;
        discovery->scanned = true;
        discovery->vanish = true;
    } else if (newest != discovery->newest || discovery->unborn > 0) {
        discovery->probed =
            discovery->unborn > 0 ? discovery->unborn - 1 : discovery->newest;
        discovery->known_until = discovery->newest;
        discovery->newest = newest;
        discovery->unborn = 0;
        discovery->generation++;
        choose_way(tree);
    }
    return discovery->generation;
}

/* Adds those ids of the scratch text that are no members yet. */
static int
add_listed(struct tree *tree, struct member *parent)
{
    const char *at = strbuf_text(&tree->text);
    pid_t pid;

    while (proc_parse_next_pid(&at, &pid) == 0) {
        struct member *known = tree_find(tree, pid);
        struct member *added;

        if (pid == tree->self)
            continue;
        if (known != NULL) {
            if (known->parent != parent && known != parent)
                tree_adopt(known, parent);
            continue;
        }
        if (tree_add(tree, pid, parent, &added) < 0)
            return -ENOMEM;
    }
    return 0;
}

int
discovery_scan(struct tree *tree, struct member *member, bool force)
{
    struct discovery *discovery = &tree->discovery;

    struct proc_source *source = tree->source;
    uint32_t generation;
    int threads;

    if (!discovery->finds_children || member->is_unreadable)
        return 0;
    if (!force && member->scanned_clock_ns == member->clock_ns)
        return 0;
    generation = discovery_generation(tree);
    if (!force && !discovery->is_wide &&
        member->scanned_clock_ns != NUM_UNKNOWN &&
        (int32_t)(member->scanned_generation - discovery->unprobed) >= 0)
        return 0;

    member->scanned_clock_ns = member->clock_ns;
    member->scanned_generation = generation;
    if (discovery->reads_all) {
        discovery->is_stale = true;
        return 0;
    }
    strbuf_reset(&tree->text);
    threads = source->children(source, &member->handle,
                               member->knows_threads ? member->threads : 0,
                               &tree->text);
    if (threads == -ENOENT) {
        discovery->reads_all = true;
        discovery->is_stale = true;
    }
    if (threads < 0)
        return threads == -ENOMEM ? -ENOMEM : 0;
    member->threads = threads;
    return add_listed(tree, member);
}

int
discovery_add_orphans(struct tree *tree)
{
    struct discovery *discovery = &tree->discovery;

    if (!discovery->adopts)
        return 0;
    strbuf_reset(&tree->text);
    if (tree->source->children(tree->source, &discovery->self_handle, 1,
                               &tree->text) < 0)
        return 0;
    return add_listed(tree, NULL);
}

int
discovery_scan_self(struct tree *tree, bool force)
{
    struct discovery *discovery = &tree->discovery;

    uint32_t generation;

    if (!discovery->adopts)
        return 0;
    generation = discovery_generation(tree);
    if (!force && discovery->self_generation == generation)
        return 0;
    discovery->self_generation = generation;
    return discovery_add_orphans(tree);
}

static pid_t
parent_of(struct tree *tree, pid_t pid)
{
    struct proc_stat stat;

    return proc_look(tree->source, pid, &stat) ? stat.ppid : 0;
}

/*
 * An id is given before its process can be seen, and the one that forks may
 * have to wait for a processor between the two: of the newest ids the first
 * without a process is asked for once more.
 */
static void
take_missing(struct tree *tree, pid_t pid)
{
    struct discovery *discovery = &tree->discovery;

    enum { NEWEST = 8 };

    discovery->vanish = true;
    if (discovery->unborn == 0 && pid > discovery->known_until &&
        pid > discovery->newest - NEWEST)
        discovery->unborn = pid;
}

int
discovery_probe(struct tree *tree)
{
    struct discovery *discovery = &tree->discovery;
    pid_t pid = discovery->probed;

    if (!discovery->looked || !discovery->probes)
        return 0;
    while (++pid <= discovery->newest) {
        struct member *parent;
        pid_t ppid;
        int rc = 0;

        if (pid == tree->self || tree_find(tree, pid) != NULL)
            continue;
        /* Of a thread this is the parent of its process: no harm. */
        ppid = parent_of(tree, pid);
        if (ppid == 0)
            take_missing(tree, pid);
        parent = tree_find(tree, ppid);
        if (parent != NULL &&
            parent->scanned_generation != discovery->generation)
            rc = discovery_scan(tree, parent, true);
        else if (ppid == tree->self)
            rc = discovery_scan_self(tree, false);
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
add_candidates(struct tree *tree, struct candidate *list, size_t count)
{
    struct discovery *discovery = &tree->discovery;
    bool added = true;

    while (added) {
        added = false;
        for (size_t i = 0; i < count; i++) {
            struct member *parent = tree_find(tree, list[i].ppid);
            struct member *member;

            if (list[i].pid == 0 ||
                (parent == NULL &&
                 (!discovery->adopts || list[i].ppid != tree->self)))
                continue;
            if (tree_add(tree, list[i].pid, parent, &member) < 0)
                return -ENOMEM;
            list[i].pid = 0;
            added = true;
        }
    }
    return 0;
}

int
discovery_add_ids(struct tree *tree, const char *pids)
{
    struct member *member;
    pid_t pid;

    for (size_t i = 0; i < tree->count; i++)
        tree->list[i]->in_group = false;
    while (proc_parse_next_pid(&pids, &pid) == 0) {
        if (pid == tree->self)
            continue;
        member = tree_find(tree, pid);
        if (member == NULL &&
            tree_add(tree, pid, tree_find(tree, parent_of(tree, pid)),
                     &member) < 0)
            return -ENOMEM;
        if (member != NULL)
            member->in_group = true;
    }
    return 0;
}

/* Takes the ids of the scratch text as known; fills in those to be asked. */
static size_t
take_ids(struct tree *tree, pid_t *ids, struct candidate *candidates)
{
    struct discovery *discovery = &tree->discovery;

    const char *at = strbuf_text(&tree->text);
    size_t known = 0;
    size_t asked = 0;
    pid_t pid;

    while (proc_parse_next_pid(&at, &pid) == 0) {
        bool is_known = discovery->known != NULL &&
                        bsearch(&pid, discovery->known, discovery->known_count,
                                sizeof(pid), compare_ids) != NULL;

        ids[known++] = pid;
        if ((is_known &&
             !is_after(pid, discovery->known_newest, discovery->newest)) ||
            pid == tree->self || tree_find(tree, pid) != NULL)
            continue;
        candidates[asked++] = (struct candidate){pid, parent_of(tree, pid)};
    }
    qsort(ids, known, sizeof(*ids), compare_ids);
    free(discovery->known);
    discovery->known = ids;
    discovery->known_count = known;
    discovery->known_newest = discovery->newest;
    return asked;
}

int
discovery_scan_all(struct tree *tree)
{
    struct discovery *discovery = &tree->discovery;

    struct candidate *candidates;
    size_t most;
    pid_t *ids;
    int rc;

    if (!discovery->reads_all || !discovery->is_stale)
        return 0;
    discovery->is_stale = false;
    strbuf_reset(&tree->text);
    if (tree->source->pids(tree->source, &tree->text) < 0)
        return 0;
    most = tree->text.size / 2 + 1;
    ids = calloc(most, sizeof(*ids));
    candidates = calloc(most, sizeof(*candidates));
    if (ids == NULL || candidates == NULL) {
        free(ids);
        free(candidates);
        return -ENOMEM;
    }
    rc = add_candidates(tree, candidates, take_ids(tree, ids, candidates));
    free(candidates);
    return rc;
}
