/* SPDX-License-Identifier: MIT */
/*
 * The tree: a list in order of discovery, a table by id, and parent links.
 * Finds children through the task/TID/children files of those that ran.
 */
#include "measure/members.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

static size_t
slot_of(const struct members *members, pid_t pid)
{
    return ((uint32_t)pid * 2654435761U) & (members->table_size - 1);
}

static void
table_insert(struct members *members, struct member *member)
{
    size_t slot = slot_of(members, member->handle.pid);

    while (members->table[slot] != NULL)
        slot = (slot + 1) & (members->table_size - 1);
    members->table[slot] = member;
}

/* Fills the table anew from the list, with at least twice its room. */
static int
table_rebuild(struct members *members, size_t size)
{
    struct member **table = calloc(size, sizeof(struct member *));

    if (table == NULL)
        return -ENOMEM;
    free(members->table);
    members->table = table;
    members->table_size = size;
    for (size_t i = 0; i < members->count; i++)
        if (!members->list[i]->is_gone)
            table_insert(members, members->list[i]);
    return 0;
}

struct member *
members_find(const struct members *members, pid_t pid)
{
    size_t slot = slot_of(members, pid);

    for (; members->table[slot] != NULL;
         slot = (slot + 1) & (members->table_size - 1))
        if (members->table[slot]->handle.pid == pid &&
            !members->table[slot]->is_gone)
            return members->table[slot];
    return NULL;
}

int
members_init(struct members *members, struct proc_source *source, pid_t self)
{
    *members = (struct members){
        .source = source, .self = self, .finds_children = true};
    proc_handle_init(&members->self_handle, self);
    return table_rebuild(members, 16);
}

static void
free_member(struct members *members, struct member *member)
{
    members->source->release(members->source, &member->handle);
    free(member->io);
    free(member);
}

void
members_done(struct members *members)
{
    for (size_t i = 0; i < members->count; i++)
        free_member(members, members->list[i]);
    if (members->source != NULL)
        members->source->release(members->source, &members->self_handle);
    free(members->list);
    free(members->table);
    free(members->known);
    strbuf_done(&members->text);
    *members = (struct members){0};
}

static int
make_room(struct members *members)
{
    size_t allocated = members->allocated < 16 ? 16 : members->allocated * 2;
    struct member **list;

    if (members->count < members->allocated)
        return 0;
    list = realloc(members->list, allocated * sizeof(struct member *));
    if (list == NULL)
        return -ENOMEM;
    members->list = list;
    members->allocated = allocated;
    if (members->table_size < 2 * allocated)
        return table_rebuild(members, 2 * allocated);
    return 0;
}

static void
link_child(struct member *member, struct member *parent)
{
    member->parent = parent;
    if (parent == NULL)
        return;
    member->next_sibling = parent->first_child;
    parent->first_child = member;
    parent->is_parent = true;
}

static void
unlink_child(struct member *member)
{
    struct member **link;

    if (member->parent == NULL)
        return;
    link = &member->parent->first_child;
    while (*link != NULL && *link != member)
        link = &(*link)->next_sibling;
    if (*link == member)
        *link = member->next_sibling;
    member->next_sibling = NULL;
    member->parent = NULL;
}

void
members_move(struct members *members, struct member *member,
             struct member *parent)
{
    (void)members;
    unlink_child(member);
    link_child(member, parent);
}

/* Takes what identifies a process from its stat; false when it has ended. */
static bool
identify(struct members *members, struct member *member)
{
    char text[PROC_TEXT_SIZE];
    struct proc_stat stat;
    int64_t clock_ns;
    ssize_t got = members->source->read(members->source, &member->handle,
                                        PROC_STAT, text, sizeof(text));

    if (got > 0 && proc_parse_stat(text, &stat) == 0) {
        member->start_ticks = stat.start_ticks;
        member->threads = (int32_t)stat.num_threads;
        member->is_copy = (stat.flags & PROC_FLAG_FORKNOEXEC) != 0;
        return true;
    }
    if (members->source->clock(members->source, member->handle.pid, &clock_ns) <
        0)
        return false;
    member->is_unreadable = true;
    members->skipped++;
    return true;
}

int
members_add(struct members *members, pid_t pid, struct member *parent,
            struct member **ret_member)
{
    struct member *member;

    *ret_member = NULL;
    if (make_room(members) < 0)
        return -ENOMEM;
    member = calloc(1, sizeof(*member));
    if (member == NULL)
        return -ENOMEM;
    proc_handle_init(&member->handle, pid);
    member->is_new = true;
    member->hwm_base_bytes = NUM_UNKNOWN;
    member->threads = 1;
    member->scanned_clock_ns = NUM_UNKNOWN;
    member->hwm_clock_ns = NUM_UNKNOWN;
    if (!identify(members, member)) {
        free_member(members, member);
        return 0;
    }
    member->is_foreign = parent != NULL && parent->is_foreign;
    member->is_left_out = member->is_copy;
    link_child(member, parent);
    members->list[members->count++] = member;
    table_insert(members, member);
    members->seen += member->is_foreign ? 0 : 1;
    *ret_member = member;
    return 0;
}

void
members_begin(struct members *members)
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
}

uint32_t
members_generation(struct members *members)
{
    pid_t newest;

    if (members->looked)
        return members->generation;
    members->looked = true;
    members->probes = false;
    members->vanish = false;
    if (members->source->newest(members->source, &newest) < 0) {
        members->generation++;
        members->scanned = true;
        members->vanish = true;
    } else if (newest != members->newest) {
        members->probed = members->newest;
        members->newest = newest;
        members->generation++;
        choose_way(members);
    }
    return members->generation;
}

void
members_adopt(struct members *members, struct member *member,
              struct member *parent)
{
    members_move(members, member, parent);
    if (parent != NULL)
        parent->has_adopted = true;
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
members_scan(struct members *members, struct member *member, bool force)
{
    struct proc_source *source = members->source;
    uint32_t generation;
    int threads;

    if (!members->finds_children || member->is_unreadable)
        return 0;
    if (!force && member->scanned_clock_ns == member->clock_ns)
        return 0;
    generation = members_generation(members);
    if (!force && !members->is_wide &&
        member->scanned_clock_ns != NUM_UNKNOWN &&
        (members->probes || member->scanned_generation == generation))
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
members_scan_self(struct members *members, bool force)
{
    uint32_t generation;

    if (!members->adopts)
        return 0;
    generation = members_generation(members);
    if (!force && members->self_generation == generation)
        return 0;
    strbuf_reset(&members->text);
    if (members->source->children(members->source, &members->self_handle, 1,
                                  &members->text) < 0)
        return 0;
    members->self_generation = generation;
    return add_listed(members, NULL);
}

static pid_t
parent_of(struct members *members, pid_t pid)
{
    char text[PROC_TEXT_SIZE];
    struct proc_handle handle;
    struct proc_stat stat;

    proc_handle_init(&handle, pid);
    if (members->source->read(members->source, &handle, PROC_STAT, text,
                              sizeof(text)) <= 0 ||
        proc_parse_stat(text, &stat) < 0)
        return 0;
    return stat.ppid;
}

int
members_probe(struct members *members)
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
        members->vanish |= ppid == 0;
        parent = members_find(members, ppid);
        if (parent != NULL && parent->scanned_generation != members->generation)
            rc = members_scan(members, parent, true);
        else if (ppid == members->self)
            rc = members_scan_self(members, false);
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
members_add_ids(struct members *members, const char *pids)
{
    struct member *member;
    pid_t pid;

    while (proc_parse_next_pid(&pids, &pid) == 0) {
        if (pid == members->self || members_find(members, pid) != NULL)
            continue;
        if (members_add(members, pid,
                        members_find(members, parent_of(members, pid)),
                        &member) < 0)
            return -ENOMEM;
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
members_scan_all(struct members *members)
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

void
members_sweep(struct members *members)
{
    size_t kept = 0;

    for (size_t i = 0; i < members->count; i++) {
        struct member *member = members->list[i];

        if (!member->is_gone) {
            members->list[kept++] = member;
            continue;
        }
        while (member->first_child != NULL)
            members_move(members, member->first_child, NULL);
        unlink_child(member);
        members->ended += member->is_zombie ? 0 : 1;
        free_member(members, member);
    }
    if (kept == members->count)
        return;
    members->count = kept;
    memset(members->table, 0, members->table_size * sizeof(struct member *));
    for (size_t i = 0; i < kept; i++)
        table_insert(members, members->list[i]);
}
