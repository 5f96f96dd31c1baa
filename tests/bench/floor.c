/* SPDX-License-Identifier: MIT */
/*
 * The floor: waits for the tick, makes the cheapest reads that could give one
 * row for the tree, writes the row.  It is told the root, finds the others
 * once, and keeps no account of who ends, forks, execs or peaks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "loop.h"

/* Up to here statm of all is read, above of those alone that have run. */
enum { READ_ALL_UP_TO = 20 };

struct process {
    clockid_t clock;
    int statm_fd;
    int64_t cpu_ns;
    int64_t size_pages;
    int64_t resident_pages;
};

/* MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED), linux/posix-timers.h */
static clockid_t
clock_of(pid_t pid)
{
    return (clockid_t)((~(unsigned)pid << 3) | 2U);
}

static void
raise_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Opens statm of each; *count becomes the number of those that still live. */
static struct process *
hold_all(const pid_t *pids, size_t *count)
{
    struct process *processes = calloc(*count, sizeof(*processes));
    size_t held = 0;
    char path[64];

    if (processes == NULL)
        loop_die("memory");
    for (size_t i = 0; i < *count; i++) {
        int fd;

        snprintf(path, sizeof(path), "/proc/%d/statm", (int)pids[i]);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0 && (errno != ENOENT || i == 0))
            loop_die(path);
        if (fd >= 0)
            processes[held++] =
                (struct process){.clock = clock_of(pids[i]), .statm_fd = fd};
    }
    *count = held;
    return processes;
}

static const char *
take_number(const char *at, int64_t *ret_value)
{
    int64_t value = 0;

    while (*at >= '0' && *at <= '9')
        value = value * 10 + (*at++ - '0');
    *ret_value = value;
    return at + 1;
}

/* 3283 363 333 4 0 84 0 */
static void
read_statm(struct process *process)
{
    char text[64];
    ssize_t got = pread(process->statm_fd, text, sizeof(text) - 1, 0);

    if (got <= 0)
        return;
    text[got] = '\0';
    take_number(take_number(text, &process->size_pages),
                &process->resident_pages);
}

static struct figures
read_all(struct process *processes, size_t count, int64_t page_bytes)
{
    struct figures sum = {0};

    for (size_t i = 0; i < count; i++) {
        struct process *process = &processes[i];
        int64_t cpu_ns = loop_clock_ns(process->clock);

        if (cpu_ns != process->cpu_ns || count <= READ_ALL_UP_TO)
            read_statm(process);
        if (cpu_ns > 0)
            process->cpu_ns = cpu_ns;
        sum.cpu_ns += process->cpu_ns;
        sum.rss_bytes += process->resident_pages;
        sum.vms_bytes += process->size_pages;
    }
    sum.rss_bytes *= page_bytes;
    sum.vms_bytes *= page_bytes;
    return sum;
}

int
main(int argc, char **argv)
{
    int64_t page_bytes = sysconf(_SC_PAGESIZE);
    struct process *processes;
    struct figures figures;
    struct loop loop;
    size_t count;
    pid_t *pids;

    loop_init(&loop, argc, argv);
    pids = loop_find_tree(loop.root, &count);
    raise_descriptors();
    processes = hold_all(pids, &count);
    while (loop_wait(&loop)) {
        figures = read_all(processes, count, page_bytes);
        loop_row(&loop, &figures);
        if (loop_clock_ns(processes[0].clock) < 0)
            break;
    }
    loop_report(&loop, count);
    free(processes);
    free(pids);
    return 0;
}
