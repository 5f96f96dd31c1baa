/* SPDX-License-Identifier: MIT */
/*
 * Makes rows of the list of processes, with the CPU since the last sample;
 * writes no file.
 */
#include "watch/sampling.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/num.h"
#include "formats/resource_rows.h"
#include "host/host.h"
#include "proc/parse.h"
#include "proc/source.h"
#include "watch/proc_files.h"

int
sampling_init(struct sampling *sampling, struct process_list *list, int proc_fd,
              const struct clock_source *clock, struct error *error)
{
    char text[8192];

    *sampling = (struct sampling){.clock = clock,
                                  .list = list,
                                  .proc_fd = proc_fd,
                                  .ticks_per_s = sysconf(_SC_CLK_TCK)};
    if (proc_files_read(proc_fd, 0, "meminfo", text, sizeof(text)) <= 0)
        return error_set(error, -EIO,
                         "/proc/meminfo: cannot be read: is /proc mounted?");
    sampling->mem_total_bytes = host_parse_meminfo(text, "MemTotal");
    if (sampling->mem_total_bytes <= 0)
        return error_set(error, -EIO, "/proc/meminfo: has no MemTotal");
    return 0;
}

void
sampling_done(struct sampling *sampling)
{
    if (sampling->list != NULL)
        sampling->list->free(sampling->list);
    last_rows_done(&sampling->last_rows);
    strbuf_done(&sampling->raw);
    strbuf_done(&sampling->line);
    strbuf_done(&sampling->rows);
}

/* CPU time of all threads in ns; in ticks if the kernel has no such clock. */
static int64_t
read_cpu(const struct sampling *sampling, pid_t pid,
         const struct process_figures *figures)
{
    /* MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED), linux/posix-timers.h */
    clockid_t id = (clockid_t)((~(unsigned)pid << 3) | 2U);
    struct timespec ts;

    if (clock_gettime(id, &ts) == 0)
        return ts.tv_sec * NUM_NS_PER_S + ts.tv_nsec;
    return (int64_t)(figures->user_ticks + figures->system_ticks) *
           (NUM_NS_PER_S / sampling->ticks_per_s);
}

/*
 * Adds figures that cost more than a few µs.  PSS is not a column of usual
 * rows: reading it locks the memory map of the process for milliseconds per
 * GiB.
 */
static void
add_extended(struct sampling *sampling, pid_t pid,
             const struct process_figures *figures, struct resource_row *row)
{
    struct last_row entry = {.pid = pid, .start_ticks = figures->start_ticks};
    char text[PROC_TEXT_SIZE];
    struct proc_pss pss;
    FD_AUTO folder = -1;

    snprintf(text, sizeof(text), "%d", (int)pid);
    folder = openat(sampling->proc_fd, text, O_PATH | O_DIRECTORY | O_CLOEXEC);
    row->is_extended = true;
    row->pid = pid;
    row->ppid = figures->ppid;
    row->rss_bytes = figures->rss_bytes;
    row->threads = figures->threads;
    row->pss_bytes = NUM_UNKNOWN;
    row->descriptors = NUM_UNKNOWN;
    if (folder >= 0 &&
        proc_files_read(folder, 0, "smaps_rollup", text, sizeof(text)) > 0 &&
        proc_parse_pss(text, &pss) == 0)
        row->pss_bytes = pss.pss_bytes;
    if (folder >= 0)
        row->descriptors = proc_files_descriptors(folder);
    entry.cpu_ns = read_cpu(sampling, pid, figures);
    entry.at_ns = clock_now(sampling->clock, CLOCK_MONOTONIC);
    row->cpu_milli_percent = last_rows_add(&sampling->last_rows, &entry);
}

/* Errors of pmon-watch itself, not of the process that it reads. */
static bool
is_own_trouble(int rc)
{
    return rc == -EMFILE || rc == -ENFILE;
}

/*
 * Appends the row of one process.  Everything is read by id, so the row counts
 * only if the process whose command line is open still lives at the end.
 */
static int
add_row(struct sampling *sampling, const struct sampling_choice *choice,
        pid_t pid, int command_fd, int64_t boot_s)
{
    double ticks_per_s = (double)sampling->ticks_per_s;
    struct process_figures figures;
    struct resource_row row = {.command = strbuf_text(&sampling->line)};
    size_t known = sampling->last_rows.next.count;
    int rc = sampling->list->figures(sampling->list, pid, &figures);

    if (rc < 0)
        return is_own_trouble(rc) ? rc : 0;
    row.query_ns = clock_now(sampling->clock, CLOCK_REALTIME);
    row.running_since_s =
        (double)figures.start_ticks / ticks_per_s + (double)boot_s;
    row.user_s = (double)figures.user_ticks / ticks_per_s;
    row.system_s = (double)figures.system_ticks / ticks_per_s;
    row.memory_percent =
        (double)figures.rss_bytes / (double)sampling->mem_total_bytes * 100;
    if (choice->is_extended)
        add_extended(sampling, pid, &figures, &row);
    if (!proc_files_lives(command_fd)) {
        sampling->last_rows.next.count = known;
        return 0;
    }
    resource_row_append(&sampling->rows, &row);
    sampling->count++;
    return 0;
}

static int
take_process(struct sampling *sampling, const struct sampling_choice *choice,
             pid_t pid, int64_t boot_s)
{
    FD_AUTO command_fd = -1;

    strbuf_reset(&sampling->raw);
    strbuf_reset(&sampling->line);
    command_fd = proc_files_command(sampling->proc_fd, pid, &sampling->raw);
    if (command_fd < 0)
        return is_own_trouble(command_fd) ? command_fd : 0;
    filters_join_command(&sampling->line, sampling->raw.text,
                         sampling->raw.size);
    if (sampling->line.size == 0 ||
        !filters_match(choice->filters, strbuf_text(&sampling->line)))
        return 0;
    return add_row(sampling, choice, pid, command_fd, boot_s);
}

/* Frees memory that a huge command line has needed. */
static void
shrink(struct strbuf *buf)
{
    enum { USUAL = 1 << 16 };

    if (buf->allocated > USUAL || buf->failed)
        strbuf_done(buf);
}

int
sampling_take(struct sampling *sampling, const struct sampling_choice *choice,
              struct error *error)
{
    struct process_list *list = sampling->list;
    int64_t boot_s = proc_files_boot_s(sampling->proc_fd);
    pid_t self = getpid();
    pid_t pid;
    int rc;

    strbuf_reset(&sampling->rows);
    sampling->count = 0;
    sampling->processes = 0;
    last_rows_begin(&sampling->last_rows);
    if (boot_s <= 0)
        return error_set(error, -EIO, "/proc/stat: btime cannot be read");
    rc = list->rewind(list);
    while (rc == 0 && (rc = list->next(list, &pid)) == 0) {
        sampling->processes++;
        if (pid != self || choice->include_self)
            rc = take_process(sampling, choice, pid, boot_s);
    }
    shrink(&sampling->raw);
    shrink(&sampling->line);
    if (sampling->rows.failed) {
        strbuf_done(&sampling->rows);
        rc = -ENOMEM;
    }
    if (rc < 0)
        return error_set(error, rc, "processes cannot be %s: %s",
                         is_own_trouble(rc) ? "read" : "listed",
                         error_name(rc));
    return 0;
}

void
sampling_commit(struct sampling *sampling)
{
    last_rows_commit(&sampling->last_rows);
}

void
last_rows_begin(struct last_rows *last_rows)
{
    last_rows->next.count = 0;
}

static int
compare(const void *a, const void *b)
{
    const struct last_row *one = a;
    const struct last_row *two = b;

    return (one->pid > two->pid) - (one->pid < two->pid);
}

/* Without memory the next row of the process has no CPU. */
static void
push(struct last_rows_list *list, const struct last_row *entry)
{
    if (array_grow(&list->entries, list->count, &list->allocated,
                   sizeof(*list->entries)) == 0)
        list->entries[list->count++] = *entry;
}

int64_t
last_rows_add(struct last_rows *last_rows, const struct last_row *entry)
{
    const struct last_row *last = NULL;
    int64_t cpu_ns;
    int64_t time_ns;

    push(&last_rows->next, entry);
    if (last_rows->last.count > 0)
        last = bsearch(entry, last_rows->last.entries, last_rows->last.count,
                       sizeof(*entry), compare);
    if (last == NULL || last->start_ticks != entry->start_ticks)
        return NUM_UNKNOWN;
    cpu_ns = num_max(0, entry->cpu_ns - last->cpu_ns);
    time_ns = entry->at_ns - last->at_ns;
    if (time_ns <= 0)
        return NUM_UNKNOWN;
    return num_from_double((double)cpu_ns / (double)time_ns * 1e5);
}

void
last_rows_commit(struct last_rows *last_rows)
{
    struct last_rows_list last = last_rows->last;

    if (last_rows->next.count > 0)
        qsort(last_rows->next.entries, last_rows->next.count,
              sizeof(*last_rows->next.entries), compare);
    last_rows->last = last_rows->next;
    last_rows->next = last;
    last_rows->next.count = 0;
}

void
last_rows_done(struct last_rows *last_rows)
{
    free(last_rows->last.entries);
    free(last_rows->next.entries);
    *last_rows = (struct last_rows){0};
}
