/* SPDX-License-Identifier: MIT */
/*
 * Plays pmon's part with the table of open regions: makes it, lets children
 * die with regions open and prints what it finds, one line each: how the
 * child died, name, whether start and pid are right.
 */
#include <fcntl.h>
#include <pmon.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "open.h"

static uint64_t
realtime_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct pmon_open_table *
make_table(uint64_t slots)
{
    size_t bytes =
        sizeof(struct pmon_open_table) + slots * sizeof(struct pmon_open_slot);
    int fd = memfd_create("open regions", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    struct pmon_open_table *table;
    char path[64];

    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
        exit(99);
    table = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (table == MAP_FAILED)
        exit(99);
    table->magic = PMON_OPEN_MAGIC;
    table->slots = slots;
    snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), fd);
    setenv("PMON_REGIONS_OPEN", path, 1);
    return table;
}

/* Takes out what the dead process left. */
static void
collect(struct pmon_open_table *table, const char *how, pid_t pid,
        uint64_t since_ns)
{
    for (uint64_t i = 0; i < table->slots; i++) {
        struct pmon_open_slot *slot = &table->slot[i];
        uint64_t owner = atomic_load(&slot->owner);

        if (!(owner & PMON_OPEN_TOLD))
            continue;
        printf("%s %.*s %s %s\n", how, (int)sizeof(slot->name), slot->name,
               slot->start_ns >= since_ns && slot->start_ns <= realtime_ns()
                   ? "started"
                   : "wrong start",
               owner == (pmon_open_owner((uint32_t)pid, slot->start_mono_ns) |
                         PMON_OPEN_TOLD)
                   ? "its own"
                   : "another's");
        atomic_store(&slot->owner, 0);
    }
}

static void
killed(void)
{
    struct pmon_region ended = pmon_region_begin("ended");

    pmon_region_begin("outer");
    pmon_region_begin("inner");
    pmon_region_end(ended);
    kill(getpid(), SIGKILL);
}

static void
left_by_exit(void)
{
    PMON_REGION_SCOPE("left by exit");

    exit(0);
}

static void
orderly(void)
{
    PMON_REGION_SCOPE("orderly");
}

static void
ended_twice(void)
{
    struct pmon_region region = pmon_region_begin("ended twice");
    struct pmon_region after;

    pmon_region_end(region);
    after = pmon_region_begin("after");
    (void)after;
    pmon_region_end(region);
}

static void
forked(void)
{
    struct pmon_region region = pmon_region_begin("ended by the child");

    if (fork() == 0) {
        pmon_region_end(region);
        _exit(0);
    }
    wait(NULL);
}

static void
forked_on(void)
{
    pmon_region_begin("the parent's");
    if (fork() == 0)
        _exit(0);
    wait(NULL);
}

static void *
many(void *name)
{
    for (int i = 0; i < 20000; i++) {
        struct pmon_region outer = pmon_region_begin(name);

        pmon_region_end(pmon_region_begin("within"));
        pmon_region_end(outer);
    }
    return NULL;
}

static void
threads(void)
{
    static char name[] = "thread";
    pthread_t ids[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&ids[i], NULL, many, name);
    for (int i = 0; i < 4; i++)
        pthread_join(ids[i], NULL);
}

static void
full(void)
{
    struct pmon_regions_counts stats;

    for (int i = 0; i < 20; i++)
        pmon_region_begin("of too many");
    pmon_regions_stats(&stats);
    _exit(stats.untold == 4 ? 0 : 1);
}

/* Each step of a recursion, each coroutine of a server. */
static void
crowd(void)
{
    struct pmon_regions_counts stats;

    for (int i = 0; i < 300; i++)
        pmon_region_begin("open at once");
    pmon_regions_stats(&stats);
    _exit(stats.untold == 0 ? 0 : 1);
}

static const struct death {
    const char *how;
    void (*run)(void);
} deaths[] = {
    {"killed", killed},     {"exit", left_by_exit}, {"orderly", orderly},
    {"twice", ended_twice}, {"forked", forked},     {"on", forked_on},
    {"threads", threads},   {"full", full},
};

/* 1 when the child has found something wrong. */
static int
die(struct pmon_open_table *table, const struct death *death)
{
    uint64_t since_ns = realtime_ns();
    int status;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        death->run();
        exit(0);
    }
    waitpid(pid, &status, 0);
    collect(table, death->how, pid, since_ns);
    return WIFEXITED(status) && WEXITSTATUS(status) != 0;
}

int
main(void)
{
    struct pmon_open_table *table = make_table(16);
    int bad = 0;

    for (size_t i = 0; i < sizeof(deaths) / sizeof(deaths[0]); i++)
        bad |= die(table, &deaths[i]);
    return bad |
           die(make_table(PMON_OPEN_SLOTS), &(struct death){"crowd", crowd});
}
