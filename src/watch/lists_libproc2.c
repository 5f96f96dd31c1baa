/* SPDX-License-Identifier: MIT */
/* Lists processes with procps-ng's library, procps_pids(3). */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <libproc2/pids.h>

#include "base/num.h"
#include "watch/process_list.h"

enum place { PPID, THREADS, RESIDENT, START, USER, SYSTEM, PLACES };

struct library {
    struct process_list list;
    struct pids_info *all; /* only ids, of all processes: cheap */
    struct pids_info *one; /* figures, of one process at a time */
    const struct pids_fetch *fetch;
    int at;
    int64_t page_bytes;
};

static int
library_rewind(struct process_list *list)
{
    struct library *library = (struct library *)list;

    library->at = 0;
    errno = 0;
    library->fetch = procps_pids_reap(library->all, PIDS_FETCH_TASKS_ONLY);
    if (library->fetch == NULL)
        return errno != 0 ? -errno : -EIO;
    return 0;
}

static int
library_next(struct process_list *list, pid_t *ret_pid)
{
    struct library *library = (struct library *)list;

    if (library->fetch == NULL || library->at >= library->fetch->counts->total)
        return 1;
    *ret_pid = library->fetch->stacks[library->at++]->head[0].result.s_int;
    return 0;
}

static int
library_figures(struct process_list *list, pid_t pid,
                struct process_figures *ret_figures)
{
    const struct library *library = (const struct library *)list;
    unsigned id = (unsigned)pid;
    const struct pids_fetch *fetch =
        procps_pids_select(library->one, &id, 1, PIDS_SELECT_PID);
    const struct pids_result *head;

    if (fetch == NULL || fetch->counts->total < 1)
        return -ESRCH;
    head = fetch->stacks[0]->head;
    *ret_figures = (struct process_figures){
        .ppid = head[PPID].result.s_int,
        .threads = head[THREADS].result.s_int,
        .rss_bytes =
            num_mul((int64_t)head[RESIDENT].result.ul_int, library->page_bytes),
        .start_ticks = head[START].result.ull_int,
        .user_ticks = head[USER].result.ull_int,
        .system_ticks = head[SYSTEM].result.ull_int};
    return 0;
}

static void
library_free(struct process_list *list)
{
    struct library *library = (struct library *)list;

    if (library == NULL)
        return;
    if (library->all != NULL)
        procps_pids_unref(&library->all);
    if (library->one != NULL)
        procps_pids_unref(&library->one);
    free(library);
}

struct process_list *
lists_libproc2_new(int *ret_rc)
{
    enum pids_item ids[] = {PIDS_ID_PID};
    enum pids_item figures[PLACES] = {
        [PPID] = PIDS_ID_PPID,         [THREADS] = PIDS_NLWP,
        [RESIDENT] = PIDS_MEM_RES_PGS, [START] = PIDS_TICS_BEGAN,
        [USER] = PIDS_TICS_USER,       [SYSTEM] = PIDS_TICS_SYSTEM};
    struct library *library = calloc(1, sizeof(*library));

    *ret_rc = -ENOMEM;
    if (library == NULL)
        return NULL;
    *library = (struct library){.list = {.name = "libproc2 " WATCH_LIBPROC2,
                                         .rewind = library_rewind,
                                         .next = library_next,
                                         .figures = library_figures,
                                         .free = library_free},
                                .page_bytes = sysconf(_SC_PAGESIZE)};
    *ret_rc = procps_pids_new(&library->all, ids, 1);
    if (*ret_rc >= 0)
        *ret_rc = procps_pids_new(&library->one, figures, PLACES);
    if (*ret_rc >= 0)
        return &library->list;
    library_free(&library->list);
    return NULL;
}
