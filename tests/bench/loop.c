/* SPDX-License-Identifier: MIT */
/*
 * The frame of the benchmark's loops.  Does what a row needs and nothing
 * besides: it is the measure of what pmon's accounting costs.
 */
#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

_Noreturn void
loop_die(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, errno ? strerror(errno) : "bad value");
    exit(2);
}

int64_t
loop_clock_ns(clockid_t id)
{
    struct timespec now;

    if (clock_gettime(id, &now) < 0)
        return -1;
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static int64_t
number(const char *text, int64_t least)
{
    char *end;
    int64_t value;

    errno = 0;
    value = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < least)
        loop_die(text);
    return value;
}

void
loop_init(struct loop *loop, int argc, char **argv)
{
    static const char header[] =
        "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)\n";

    if (argc != 5) {
        fprintf(stderr, "usage: %s PID INTERVAL_MS TICKS LOG\n", argv[0]);
        exit(2);
    }
    *loop = (struct loop){.root = (pid_t)number(argv[1], 1),
                          .interval_ns = number(argv[2], 1) * NS_PER_MS,
                          .ticks_max = number(argv[3], 0)};
    loop->fd = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (loop->fd < 0 ||
        write(loop->fd, header, sizeof(header) - 1) != sizeof(header) - 1)
        loop_die(argv[4]);
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

/* ---- The tree ---- */

struct pids {
    pid_t *list;
    size_t count;
    size_t room;
};

static void
add_pid(struct pids *pids, pid_t pid)
{
    if (pids->count == pids->room) {
        pids->room = pids->room < 64 ? 64 : pids->room * 2;
        pids->list = realloc(pids->list, pids->room * sizeof(pid_t));
        if (pids->list == NULL)
            loop_die("memory");
    }
    pids->list[pids->count++] = pid;
}

/* The children of the main thread: the workloads fork from no other. */
static void
add_children(struct pids *pids, pid_t parent)
{
    char path[64];
    FILE *file;
    int pid;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)parent,
             (int)parent);
    file = fopen(path, "re");
    if (file == NULL)
        return;
    while (fscanf(file, "%d", &pid) == 1)
        add_pid(pids, pid);
    fclose(file);
}

pid_t *
loop_find_tree(pid_t root, size_t *ret_count)
{
    struct pids pids = {0};

    add_pid(&pids, root);
    for (size_t i = 0; i < pids.count; i++)
        add_children(&pids, pids.list[i]);
    *ret_count = pids.count;
    return pids.list;
}

/* ---- Ticks ---- */

int
loop_wait(struct loop *loop)
{
    struct timespec until;
    int64_t now_ns;

    if (loop->start_ns == 0) {
        loop->start_ns = loop_clock_ns(CLOCK_MONOTONIC);
        loop->next_ns = loop->start_ns + loop->interval_ns;
        loop->last_ns = loop->start_ns;
        loop->begin_cpu_ns = loop_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    }
    if (loop->ticks_max > 0 && loop->ticks >= loop->ticks_max)
        return 0;
    until.tv_sec = loop->next_ns / NS_PER_S;
    until.tv_nsec = loop->next_ns % NS_PER_S;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) ==
           EINTR)
        continue;
    now_ns = loop_clock_ns(CLOCK_MONOTONIC);
    if (now_ns - loop->next_ns > loop->latest_ns)
        loop->latest_ns = now_ns - loop->next_ns;
    loop->late += (now_ns - loop->next_ns) / loop->interval_ns;
    loop->next_ns +=
        ((now_ns - loop->next_ns) / loop->interval_ns + 1) * loop->interval_ns;
    loop->ticks++;
    return 1;
}

/* ---- Rows ---- */

/* Puts thousandths as %12.3f would; returns what follows. */
static char *
put_fixed(char *at, int64_t thousandths, char before)
{
    enum { WIDTH = 12 };
    char *first = at + WIDTH;
    int digits = 0;

    do {
        if (digits == 3)
            *--first = '.';
        *--first = (char)('0' + thousandths % 10);
        thousandths /= 10;
        digits++;
    } while (first > at && (thousandths > 0 || digits < 4));
    while (first > at)
        *--first = ' ';
    at[WIDTH] = before;
    return at + WIDTH + 1;
}

void
loop_row(struct loop *loop, const struct figures *figures)
{
    enum { PERCENT = 100, THOUSAND = 1000, MIB = 1048576 };
    int64_t now_ns = loop_clock_ns(CLOCK_MONOTONIC);
    int64_t gap_us = (now_ns - loop->last_ns) / THOUSAND;
    int64_t used_us = (figures->cpu_ns - loop->last_cpu_ns) / THOUSAND;
    char text[64];
    char *at = text;

    if (loop->last_cpu_ns == 0 || gap_us == 0)
        used_us = 0;
    at = put_fixed(at, (now_ns - loop->start_ns) / NS_PER_MS, ' ');
    at = put_fixed(at, gap_us ? used_us * PERCENT * THOUSAND / gap_us : 0, ' ');
    at = put_fixed(at, figures->rss_bytes * THOUSAND / MIB, ' ');
    at = put_fixed(at, figures->vms_bytes * THOUSAND / MIB, '\n');
    if (write(loop->fd, text, (size_t)(at - text)) != at - text)
        loop_die("log");
    loop->last_ns = now_ns;
    loop->last_cpu_ns = figures->cpu_ns;
}

void
loop_report(const struct loop *loop, size_t processes)
{
    int64_t cpu_ns = loop_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    printf("processes=%zu\n", processes);
    printf("ticks=%lld\n", (long long)loop->ticks);
    printf("late_ticks=%lld\n", (long long)loop->late);
    printf("latest_ns=%lld\n", (long long)loop->latest_ns);
    printf("cpu_ns=%lld\n", (long long)(cpu_ns - loop->begin_cpu_ns));
    printf("start_cpu_ns=%lld\n", (long long)loop->begin_cpu_ns);
    printf(
        "rusage_ns=%lld\n",
        (long long)((usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * NS_PER_S +
                    (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000));
}
