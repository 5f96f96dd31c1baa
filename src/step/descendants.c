/* SPDX-License-Identifier: MIT */
/* Reads the stat of every process and follows the parents' ids. */
#include "step/descendants.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/strbuf.h"

static int
compare(const void *a, const void *b)
{
    pid_t one = ((const struct descendant *)a)->pid;
    pid_t two = ((const struct descendant *)b)->pid;

    return (one > two) - (one < two);
}

/* Those of one look, by pid. */
struct look {
    struct descendant *list;
    size_t count;
};

static struct descendant *
find(struct descendant *list, size_t count, pid_t pid)
{
    struct descendant key = {.pid = pid};

    if (count == 0)
        return NULL;
    return bsearch(&key, list, count, sizeof(key), compare);
}

static bool
read_one(struct proc_source *source, pid_t pid, struct descendant *ret_one)
{
    struct proc_stat stat;

    if (!proc_look(source, pid, &stat))
        return false;
    *ret_one = (struct descendant){.pid = pid,
                                   .ppid = stat.ppid,
                                   .start_ticks = stat.start_ticks,
                                   .state = stat.state};
    return true;
}

/* All processes that can be read, by pid. */
static int
read_all(struct look *all, struct proc_source *source)
{
    STRBUF_AUTO pids = {0};
    const char *text;
    size_t room = 1;
    int rc = source->pids(source, &pids);

    if (rc < 0)
        return rc;
    text = strbuf_text(&pids);
    for (size_t i = 0; i < pids.size; i++)
        room += text[i] == ' ' || text[i] == '\n';
    all->list = calloc(room, sizeof(*all->list));
    if (all->list == NULL || pids.failed)
        return -ENOMEM;
    while (all->count < room) {
        char *end;
        long pid = strtol(text, &end, 10);

        if (end == text)
            break;
        all->count +=
            read_one(source, (pid_t)pid, &all->list[all->count]) ? 1 : 0;
        text = end;
    }
    if (all->count > 1)
        qsort(all->list, all->count, sizeof(*all->list), compare);
    return 0;
}

/* Known as a member of the tree, or an orphan that the adopter received. */
static bool
is_known(const struct descendants *descendants, const struct descendant *one)
{
    const struct descendant *known =
        find(descendants->list, descendants->count, one->pid);

    if (known != NULL && known->start_ticks == one->start_ticks)
        return true;
    if (descendants->adopter == 0 || one->ppid != descendants->adopter)
        return false;
    for (size_t i = 0; i < descendants->others_count; i++)
        if (descendants->others[i] == one->pid)
            return false;
    return true;
}

/* Marks the processes of the tree, in any order of ids. */
static void
mark(const struct look *all, bool *belongs,
     const struct descendants *descendants, pid_t root)
{
    bool has_grown = true;

    for (size_t i = 0; i < all->count; i++)
        belongs[i] =
            all->list[i].pid == root || is_known(descendants, &all->list[i]);
    while (has_grown) {
        has_grown = false;
        for (size_t i = 0; i < all->count; i++) {
            const struct descendant *parent =
                belongs[i] ? NULL
                           : find(all->list, all->count, all->list[i].ppid);

            if (parent == NULL || !belongs[parent - all->list])
                continue;
            belongs[i] = true;
            has_grown = true;
        }
    }
}

int
descendants_init(struct descendants *descendants, struct proc_source *source,
                 pid_t adopter)
{
    struct look all = {0};
    int rc = read_all(&all, source);

    *descendants = (struct descendants){.adopter = adopter};
    if (rc == 0)
        descendants->others = calloc(all.count + 1, sizeof(pid_t));
    for (size_t i = 0; descendants->others != NULL && i < all.count; i++)
        if (all.list[i].ppid == adopter)
            descendants->others[descendants->others_count++] = all.list[i].pid;
    free(all.list);
    if (rc == 0 && descendants->others == NULL)
        rc = -ENOMEM;
    return rc;
}

int
descendants_find(struct descendants *descendants, struct proc_source *source,
                 pid_t root)
{
    struct look all = {0};
    bool *belongs = NULL;
    size_t kept = 0;
    int rc = read_all(&all, source);

    if (rc == 0) {
        belongs = calloc(all.count + 1, sizeof(*belongs));
        rc = belongs != NULL ? 0 : -ENOMEM;
    }
    if (rc < 0) {
        free(all.list);
        return rc;
    }
    mark(&all, belongs, descendants, root);
    for (size_t i = 0; i < all.count; i++)
        if (belongs[i] && all.list[i].state != 'Z' && all.list[i].state != 'X')
            all.list[kept++] = all.list[i];
    free(belongs);
    free(descendants->list);
    descendants->list = all.list;
    descendants->count = kept;
    return 0;
}

void
descendants_done(struct descendants *descendants)
{
    free(descendants->list);
    free(descendants->others);
    *descendants = (struct descendants){0};
}

bool
descendants_include(struct proc_source *source, pid_t pid, pid_t ancestor)
{
    enum { DEEPEST = 64 };

    for (int i = 0; i < DEEPEST && pid > 1; i++) {
        struct proc_stat stat;

        if (pid == ancestor)
            return true;
        if (!proc_look(source, pid, &stat))
            return false;
        pid = stat.ppid;
    }
    return false;
}
