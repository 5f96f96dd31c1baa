/* SPDX-License-Identifier: MIT */
/*
 * The measured tree: its members, their parents, and how new ones are found.
 * Contains only the figures that this needs.
 *
 * Order: a member stands in the list behind its parent at the time when it
 * was found, so that a walk from 0 visits parents before their children.
 */
#ifndef PMON_ENGINE_TREE_H
#define PMON_ENGINE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "engine/discovery.h"
#include "proc/parse.h"
#include "proc/source.h"

/*
 * The parts of a member's io: its own, as last read, and that of ended
 * children which it does not hold yet.
 */
enum { MEMBER_IO_OWN, MEMBER_IO_ENDED, MEMBER_IO_PARTS };

/* What tracks.h keeps of members that have gone. */
struct track;
struct track_list {
    struct track **list;
    size_t count;
    size_t allocated;
};

/* An address space of several members, see engine/spaces.h. */
struct space {
    uint32_t sharers;
    uint32_t stamp; /* the sum that it was counted in */
    int64_t rss_bytes;
    int64_t vms_bytes;
    int64_t shared_bytes;
};

/*
 * A live process of the tree, under 300 bytes.  The tree links are the
 * members module's; the figures belong to the sampler.
 */
struct member {
    /* Fields used in each pass come first: a tick begins with a cold cache. */
    struct proc_handle handle;
    int64_t clock_ns;         /* own CPU time, at the last read */
    int64_t reaped_ns;        /* CPU time of ended children that counts here */
    int64_t scanned_clock_ns; /* clock_ns before children were last read */
    int32_t threads;

    bool is_new : 1;        /* not yet sampled */
    bool is_foreign : 1;    /* was pmon's child before the step: not counted */
    bool is_zombie : 1;     /* ended, not yet reaped */
    bool is_gone : 1;       /* reaped; taken out at the end of the pass */
    bool is_copy : 1;       /* forked and not yet exec'ed */
    bool is_left_out : 1;   /* such a copy that does not count yet */
    bool is_unreadable : 1; /* only its clock is known */
    bool has_hidden_io : 1; /* its io may not be read */
    bool is_parent : 1;     /* has had a child */
    bool has_adopted : 1;   /* an orphan was given to it */
    bool knows_threads : 1; /* threads is of this pass */
    bool has_stat : 1;      /* ticks_waited is of this pass */
    bool lost_child : 1;    /* one below it was found gone in this pass, */
    bool lost_own : 1;      /* a child of its own */
    unsigned launcher : 4;  /* which of launchers.h */
    bool in_group : 1;      /* in the step's own when that was listed */
    bool ignores_sigchld : 1; /* when its status was last read */
    bool knows_space : 1;     /* was asked whom it shares memory with */
    bool is_shadow : 1;       /* another has its memory in the sums */
    bool needs_name : 1;      /* its command is not known yet */
    bool is_named_copy : 1;   /* it was a copy when that was asked */
    bool is_changed : 1;      /* or new, since tracks.h took it */
    unsigned command : 8;     /* its group, see engine/by_command.h */

    int64_t rss_bytes;
    int64_t vms_bytes;
    int64_t shared_bytes; /* of files and of shared memory, within RSS */
    struct space *space;  /* NULL: its own alone */
    struct proc_io *io;   /* NULL unless I/O is recorded */
    struct track *track;  /* NULL unless --processes has a row of it */
    int64_t stat_at_ns;
    int64_t stat_wait_ns; /* longer while it shows nothing new */
    uint32_t stat_generation;
    uint32_t scanned_generation;
    uint32_t text_pages;  /* of its program, see engine/by_command.h */
    int64_t ticks_waited; /* cutime + cstime of the last stat */
    int64_t folded_ns;    /* of clock_ns: in a group already */
    int64_t unproven_ns;  /* of reaped_ns: perhaps a subreaper has it */
    int64_t hwm_at_ns;
    int64_t hwm_clock_ns;

    uint64_t start_ticks;   /* with the pid the identity of the process */
    int64_t hwm_base_bytes; /* at attach; -1: all of it counts */
    struct member *parent;  /* NULL: the root, or adopted by pmon */
    struct member *first_child;
    struct member *next_sibling;
};

/* Prefetches the members that a pass uses. */
static inline void
member_prefetch(const struct member *member)
{
    enum { LINE = 64 };

    __builtin_prefetch(member);
    __builtin_prefetch((const char *)member + LINE);
    __builtin_prefetch((const char *)member + 2 * LINE);
}

/* How the tree is found, and what was seen of it. */
struct tree {
    struct proc_source *source;
    struct member **list;
    size_t count;
    size_t allocated;
    struct member **table; /* open addressing by pid */
    size_t table_size;     /* a power of two */
    struct strbuf text;    /* scratch for lists of ids */
    struct track_list ended_tracks;

    pid_t self; /* pmon: adopts orphans; never a member */
    struct discovery discovery;

    int64_t seen;    /* members ever */
    int64_t ended;   /* members that were found gone, or zombies */
    int64_t skipped; /* processes that could not be read */
};

int tree_init(struct tree *tree, struct proc_source *source, pid_t self);
void tree_done(struct tree *tree);

struct member *tree_find(const struct tree *tree, pid_t pid);

/*
 * Adds pid as a child of parent (NULL: of pmon).  Its stat is read for the
 * start time; *ret_member is NULL when it has ended already.
 * 0 or -ENOMEM.
 */
int tree_add(struct tree *tree, pid_t pid, struct member *parent,
             struct member **ret_member);

/* Puts member below parent (NULL: adopted by pmon). */
void tree_move(struct member *member, struct member *parent);

/* The same for an orphan, which the kernel gave to parent. */
void tree_adopt(struct member *member, struct member *parent);

/* Has its memory for itself from now on. */
void members_leave_space(struct member *member);

/* Takes out and frees all members that are marked gone. */
void tree_sweep(struct tree *tree);

#endif
