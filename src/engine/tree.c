/* SPDX-License-Identifier: MIT */
/* A list in order of discovery, a table by id, and parent links. */
#include "engine/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "engine/launchers.h"

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

void
members_leave_space(struct member *member)
{
    if (member->space != NULL && --member->space->sharers == 0)
        free(member->space);
    member->space = NULL;
    member->is_shadow = false;
}

static void
free_member(struct members *members, struct member *member)
{
    members->source->release(members->source, &member->handle);
    members_leave_space(member);
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
        if (!member->is_copy)
            member->launcher = launchers_find(stat.name) & 0xFU;
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
members_adopt(struct members *members, struct member *member,
              struct member *parent)
{
    members_move(members, member, parent);
    if (parent != NULL)
        parent->has_adopted = true;
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
