/* SPDX-License-Identifier: MIT */
/*
 * What libproc2 says of a tree: oracle PID prints key=value lines of the sums
 * over PID and all that descend from it.  A second opinion for the checks,
 * which shares no code with pmon.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <libproc2/pids.h>

#define STATUS_HARNESS 99

enum place {
    PID,
    PPID,
    RESIDENT,
    SIZE,
    THREADS,
    TICKS,
    TICKS_WAITED,
    PLACES,
};

static enum pids_item items[PLACES] = {
    [PID] = PIDS_ID_PID,
    [PPID] = PIDS_ID_PPID,
    [RESIDENT] = PIDS_MEM_RES_PGS,
    [SIZE] = PIDS_MEM_VIRT_PGS,
    [THREADS] = PIDS_NLWP,
    [TICKS] = PIDS_TICS_ALL,
    [TICKS_WAITED] = PIDS_TICS_ALL_C,
};

struct sums {
    unsigned long processes;
    unsigned long threads;
    unsigned long resident_pages;
    unsigned long size_pages;
    unsigned long long ticks;
    unsigned long long ticks_waited;
};

static int
pid_of(const struct pids_stack *stack)
{
    return stack->head[PID].result.s_int;
}

/* Marks root and, until nothing changes, whose parent is marked. */
static void
mark_tree(struct pids_stack *const *stacks, int count, int root, bool *marked)
{
    bool changed = true;

    for (int i = 0; i < count; i++)
        marked[i] = pid_of(stacks[i]) == root;
    while (changed) {
        changed = false;
        for (int i = 0; i < count; i++) {
            int parent = stacks[i]->head[PPID].result.s_int;

            for (int j = 0; j < count && !marked[i]; j++)
                if (marked[j] && pid_of(stacks[j]) == parent)
                    marked[i] = changed = true;
        }
    }
}

static void
add(struct sums *sums, const struct pids_stack *stack)
{
    sums->processes++;
    sums->threads += (unsigned long)stack->head[THREADS].result.s_int;
    sums->resident_pages += stack->head[RESIDENT].result.ul_int;
    sums->size_pages += stack->head[SIZE].result.ul_int;
    sums->ticks += stack->head[TICKS].result.ull_int;
    sums->ticks_waited += stack->head[TICKS_WAITED].result.ull_int;
}

static void
print(const struct sums *sums)
{
    unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);

    printf("processes=%lu\nthreads=%lu\n", sums->processes, sums->threads);
    printf("rss_bytes=%lu\n", sums->resident_pages * page);
    printf("vms_bytes=%lu\n", sums->size_pages * page);
    printf("ticks=%llu\n", sums->ticks);
    printf("ticks_waited=%llu\n", sums->ticks_waited);
    printf("ticks_per_s=%ld\n", sysconf(_SC_CLK_TCK));
}

int
main(int argc, char **argv)
{
    int root = argc == 2 ? atoi(argv[1]) : 0;
    struct pids_info *info = NULL;
    struct sums sums = {0};
    struct pids_fetch *fetch;
    bool *marked;

    if (root <= 0) {
        fputs("usage: oracle PID\n", stderr);
        return STATUS_HARNESS;
    }
    if (procps_pids_new(&info, items, PLACES) < 0)
        return STATUS_HARNESS;
    fetch = procps_pids_reap(info, PIDS_FETCH_TASKS_ONLY);
    if (!fetch)
        return STATUS_HARNESS;
    marked = calloc((size_t)fetch->counts->total + 1, sizeof(*marked));
    if (!marked)
        return STATUS_HARNESS;
    mark_tree(fetch->stacks, fetch->counts->total, root, marked);
    for (int i = 0; i < fetch->counts->total; i++)
        if (marked[i])
            add(&sums, fetch->stacks[i]);
    print(&sums);
    free(marked);
    procps_pids_unref(&info);
    return fflush(stdout) == 0 ? 0 : STATUS_HARNESS;
}
