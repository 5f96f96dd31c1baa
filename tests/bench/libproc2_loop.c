/* SPDX-License-Identifier: MIT */
/*
 * The floor's rows through libproc2: the tree is known, each tick selects its
 * ids and takes CPU time (stat) and sizes (statm) of each.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <libproc2/pids.h>

#include "loop.h"

/* One call takes no more ids than this (FILL_ID_MAX of libproc2's pids.c). */
enum { IDS_A_CALL = 255 };

enum item { CPU_TICKS, RESIDENT_PAGES, SIZE_PAGES, ITEMS };

static const enum pids_item wanted[ITEMS] = {
    [CPU_TICKS] = PIDS_TICS_ALL,
    [RESIDENT_PAGES] = PIDS_MEM_RES_PGS,
    [SIZE_PAGES] = PIDS_MEM_VIRT_PGS,
};

static void
add_stack(struct figures *sum, const struct pids_stack *stack, int64_t tick_ns)
{
    sum->cpu_ns += (int64_t)stack->head[CPU_TICKS].result.ull_int * tick_ns;
    sum->rss_bytes += (int64_t)stack->head[RESIDENT_PAGES].result.ul_int;
    sum->vms_bytes += (int64_t)stack->head[SIZE_PAGES].result.ul_int;
}

static struct figures
read_all(struct pids_info *info, unsigned *ids, size_t count)
{
    int64_t page_bytes = sysconf(_SC_PAGESIZE);
    int64_t tick_ns = NS_PER_S / sysconf(_SC_CLK_TCK);
    struct figures sum = {0};

    for (size_t first = 0; first < count; first += IDS_A_CALL) {
        size_t left = count - first;
        int now = left < IDS_A_CALL ? (int)left : IDS_A_CALL;
        struct pids_fetch *fetched =
            procps_pids_select(info, ids + first, now, PIDS_SELECT_PID);

        if (fetched == NULL)
            loop_die("procps_pids_select");
        for (int i = 0; i < fetched->counts->total; i++)
            add_stack(&sum, fetched->stacks[i], tick_ns);
    }
    sum.rss_bytes *= page_bytes;
    sum.vms_bytes *= page_bytes;
    return sum;
}

int
main(int argc, char **argv)
{
    enum pids_item items[ITEMS];
    struct pids_info *info = NULL;
    struct figures figures;
    struct loop loop;
    unsigned *ids;
    size_t count;
    pid_t *pids;

    loop_init(&loop, argc, argv);
    pids = loop_find_tree(loop.root, &count);
    ids = calloc(count, sizeof(*ids));
    if (ids == NULL)
        loop_die("memory");
    for (size_t i = 0; i < count; i++)
        ids[i] = (unsigned)pids[i];
    memcpy(items, wanted, sizeof(items));
    errno = -procps_pids_new(&info, items, ITEMS);
    if (info == NULL)
        loop_die("procps_pids_new");
    while (loop_wait(&loop)) {
        figures = read_all(info, ids, count);
        loop_row(&loop, &figures);
        if (figures.vms_bytes == 0)
            break;
    }
    loop_report(&loop, count);
    procps_pids_unref(&info);
    free(ids);
    free(pids);
    return 0;
}
