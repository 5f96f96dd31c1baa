/* SPDX-License-Identifier: MIT */
/* A list in order of discovery, a table by id, and parent links. */
#include "engine/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "engine/launchers.h"
#include "engine/tracks.h"

static size_t
slot_of(const struct tree *tree, pid_t pid)
{
    return ((uint32_t)pid * 2654435761U) & (tree->table_size - 1);
}

static void
table_insert(struct tree *tree, struct member *member)
{
    size_t slot = slot_of(tree, member->handle.pid);

    while (tree->table[slot] != NULL)
        slot = (slot + 1) & (tree->table_size - 1);
    tree->table[slot] = member;
}

/* Fills the table anew from the list, with at least twice its room. */
static int
table_rebuild(struct tree *tree, size_t size)
{
    struct member **table = calloc(size, sizeof(struct member *));

    if (table == NULL)
        return -ENOMEM;
    free(tree->table);
    tree->table = table;
    tree->table_size = size;
    for (size_t i = 0; i < tree->count; i++)
        if (!tree->list[i]->is_gone)
            table_insert(tree, tree->list[i]);
    return 0;
}

struct member *
tree_find(const struct tree *tree, pid_t pid)
{
    size_t slot = slot_of(tree, pid);

    for (; tree->table[slot] != NULL;
         slot = (slot + 1) & (tree->table_size - 1))
        if (tree->table[slot]->handle.pid == pid && !tree->table[slot]->is_gone)
            return tree->table[slot];
    return NULL;
}

int
tree_init(struct tree *tree, struct proc_source *source, pid_t self)
{
    *tree = (struct tree){.source = source, .self = self};
    discovery_init(&tree->discovery, self);
    return table_rebuild(tree, 16);
}

void
members_leave_space(struct member *member)
{
    if (member->space != NULL && --member->space->sharers == 0)
        free(member->space);
    member->is_changed |= member->space != NULL;
    member->space = NULL;
    member->is_shadow = false;
}

static void
free_member(struct tree *tree, struct member *member)
{
    tree->source->release(tree->source, &member->handle);
    members_leave_space(member);
    tracks_keep(&tree->ended_tracks, member->track, member->clock_ns);
    free(member->io);
    free(member);
}

void
tree_done(struct tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        free_member(tree, tree->list[i]);
    tracks_forget(&tree->ended_tracks);
    discovery_done(&tree->discovery, tree->source);
    free(tree->list);
    free(tree->table);
    strbuf_done(&tree->text);
    *tree = (struct tree){0};
}

static int
make_room(struct tree *tree)
{
    if (array_grow(&tree->list, tree->count, &tree->allocated,
                   sizeof(struct member *)) < 0)
        return -ENOMEM;
    if (tree->table_size < 2 * tree->allocated)
        return table_rebuild(tree, 2 * tree->allocated);
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
tree_move(struct member *member, struct member *parent)
{
    unlink_child(member);
    link_child(member, parent);
}

/* Takes what identifies a process from its stat; false when it has ended. */
static bool
identify(struct tree *tree, struct member *member)
{
    char text[PROC_TEXT_SIZE];
    struct proc_stat stat;
    int64_t clock_ns;
    ssize_t got = tree->source->read(tree->source, &member->handle, PROC_STAT,
                                     text, sizeof(text));

    if (got > 0 && proc_parse_stat(text, &stat) == 0) {
        member->start_ticks = stat.start_ticks;
        member->threads = (int32_t)stat.num_threads;
        member->is_copy = (stat.flags & PROC_FLAG_FORKNOEXEC) != 0;
        if (!member->is_copy)
            member->launcher = launchers_find(stat.name) & 0xFU;
        return true;
    }
    if (tree->source->clock(tree->source, member->handle.pid, &clock_ns) < 0)
        return false;
    member->is_unreadable = true;
    tree->skipped++;
    return true;
}

int
tree_add(struct tree *tree, pid_t pid, struct member *parent,
         struct member **ret_member)
{
    struct member *member;

    *ret_member = NULL;
    if (make_room(tree) < 0)
        return -ENOMEM;
    member = calloc(1, sizeof(*member));
    if (member == NULL)
        return -ENOMEM;
    proc_handle_init(&member->handle, pid);
    member->is_new = true;
    member->needs_name = true;
    member->hwm_base_bytes = NUM_UNKNOWN;
    member->threads = 1;
    member->scanned_clock_ns = NUM_UNKNOWN;
    member->hwm_clock_ns = NUM_UNKNOWN;
    if (!identify(tree, member)) {
        free_member(tree, member);
        return 0;
    }
    member->is_foreign = parent != NULL && parent->is_foreign;
    member->is_left_out = member->is_copy;
    link_child(member, parent);
    tree->list[tree->count++] = member;
    table_insert(tree, member);
    tree->seen += member->is_foreign ? 0 : 1;
    *ret_member = member;
    return 0;
}

void
tree_adopt(struct member *member, struct member *parent)
{
    tree_move(member, parent);
    if (parent != NULL)
        parent->has_adopted = true;
}

void
tree_sweep(struct tree *tree)
{
    size_t kept = 0;

    for (size_t i = 0; i < tree->count; i++) {
        struct member *member = tree->list[i];

        if (!member->is_gone) {
            tree->list[kept++] = member;
            continue;
        }
        while (member->first_child != NULL)
            tree_move(member->first_child, NULL);
        unlink_child(member);
        tree->ended += member->is_zombie ? 0 : 1;
        free_member(tree, member);
    }
    if (kept == tree->count)
        return;
    tree->count = kept;
    memset(tree->table, 0, tree->table_size * sizeof(struct member *));
    for (size_t i = 0; i < kept; i++)
        table_insert(tree, tree->list[i]);
}
