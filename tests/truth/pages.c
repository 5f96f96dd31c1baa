/* SPDX-License-Identifier: MIT */
/*
 * Memory of every kind: what of it is RSS, and what processes share.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "workload.h"

#define MIB_MAX 65536
#define MS_MAX 3600000

enum kind {
    ANON,
    FILE_PAGES,
    SHARED,
    MEMFD,
    UNMAPPED,
    HUGE,
    LOCKED,
    HUGETLB,
    UNTOUCHED,
};

static const char *const kinds[] = {
    "anon", "file",   "shared",  "memfd",     "unmapped",
    "huge", "locked", "hugetlb", "untouched", NULL,
};

static void
touch(void *memory, size_t bytes)
{
    size_t step = (size_t)sysconf(_SC_PAGESIZE);
    volatile char *bytes_of = memory;

    for (size_t at = 0; at < bytes; at += step)
        bytes_of[at] = (char)(at / step | 1);
}

/* EXIT_CANNOT where this machine has none or too few of such pages. */
static void *
map(size_t bytes, int flags, int fd)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);

    if (memory == MAP_FAILED && (flags & (MAP_HUGETLB | MAP_LOCKED)) != 0)
        _exit(EXIT_CANNOT);
    if (memory == MAP_FAILED)
        arg_die("mmap");
    return memory;
}

/* A file without a name, below TMPDIR. */
static int
nameless_file(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int fd;

    snprintf(path, sizeof(path), "%s/workload.XXXXXX",
             folder && *folder ? folder : "/tmp");
    fd = mkstemp(path);
    if (fd < 0 || unlink(path) < 0)
        arg_die(path);
    return fd;
}

static int
sized_file(enum kind kind, size_t bytes)
{
    int fd = kind == FILE_PAGES ? nameless_file()
                                : memfd_create("pages", MFD_CLOEXEC);

    if (fd < 0 || ftruncate(fd, (off_t)bytes) < 0)
        arg_die("file");
    return fd;
}

/* Pages of memory that no process has mapped when it is over. */
static void
fill_and_unmap(size_t bytes)
{
    int fd = sized_file(MEMFD, bytes);
    size_t piece = MIB;

    for (size_t at = 0; at < bytes; at += piece) {
        void *memory = mmap(NULL, piece, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                            (off_t)at);

        if (memory == MAP_FAILED)
            arg_die("mmap");
        touch(memory, piece);
        munmap(memory, piece);
    }
}

static void
take(enum kind kind, size_t bytes)
{
    const int private = MAP_PRIVATE | MAP_ANONYMOUS;
    void *memory;

    switch (kind) {
    case ANON:
    case HUGE:
        use_memory(bytes, kind == HUGE ? USE_HUGE_PAGES : USE_SMALL_PAGES);
        return;
    case FILE_PAGES:
    case MEMFD:
        memory = map(bytes, MAP_SHARED, sized_file(kind, bytes));
        break;
    case SHARED:
        memory = map(bytes, MAP_SHARED | MAP_ANONYMOUS, -1);
        break;
    case UNMAPPED:
        fill_and_unmap(bytes);
        return;
    case LOCKED:
        map(bytes, private | MAP_LOCKED, -1);
        return;
    case HUGETLB:
        memory = map(bytes, private | MAP_HUGETLB, -1);
        break;
    case UNTOUCHED:
        map(bytes, private | MAP_NORESERVE, -1);
        return;
    default:
        return;
    }
    touch(memory, bytes);
}

static int
pages(int argc, char **argv)
{
    enum kind kind = (enum kind)arg_choice(argc, argv, 1, kinds);
    long mib = arg_number(argc, argv, 2, 100, MIB_MAX);
    long rest_ms = arg_number(argc, argv, 3, 500, MS_MAX);

    take(kind, (size_t)mib * MIB);
    truth_int("bytes", mib * (int64_t)MIB);
    truth_int("rss_bytes", use_status_bytes("VmRSS"));
    truth_int("hwm_bytes", use_status_bytes("VmHWM"));
    truth_ready();
    use_sleep_ms(rest_ms);
    truth_cpu("");
    return 0;
}

/* What shared-by becomes by exec: maps and touches what it was given. */
static int
share_held(int argc, char **argv)
{
    int fd = (int)arg_number(argc, argv, 1, 0, 1024);
    size_t bytes = (size_t)arg_number(argc, argv, 2, 0, MIB_MAX) * MIB;
    int ready = (int)arg_number(argc, argv, 3, 0, 1024);
    int gate = (int)arg_number(argc, argv, 4, 0, 1024);

    touch(map(bytes, MAP_SHARED, fd), bytes);
    child_tell(ready);
    child_hear(gate);
    return 0;
}

static void
start_sharer(int fd, long mib, const int ready[2], const int gate[2])
{
    static char name[] = "sharer";
    char *again[] = {name, NULL};
    char words[96];

    if (child_fork(true) != 0)
        return;
    close(gate[1]);
    fcntl(fd, F_SETFD, 0);
    fcntl(ready[1], F_SETFD, 0);
    fcntl(gate[0], F_SETFD, 0);
    snprintf(words, sizeof(words), "share-held %d %ld %d %d", fd, mib, ready[1],
             gate[0]);
    child_become(child_self(), again, words);
}

/* Processes of their own images with one memory in common. */
static int
shared_by(int argc, char **argv)
{
    long mib = arg_number(argc, argv, 1, 200, MIB_MAX);
    long count = arg_number(argc, argv, 2, 3, 1000);
    long ms = arg_number(argc, argv, 3, 1000, MS_MAX);
    size_t bytes = (size_t)mib * MIB;
    int fd = sized_file(MEMFD, bytes);
    int ready[2];
    int gate[2];

    touch(map(bytes, MAP_SHARED, fd), bytes);
    child_pipe(ready);
    child_pipe(gate);
    for (long i = 0; i < count; i++)
        start_sharer(fd, mib, ready, gate);
    for (long i = 0; i < count; i++)
        child_hear(ready[0]);
    truth_int("touched_bytes", (int64_t)bytes);
    truth_int("processes", count + 1);
    truth_int("all_begin_ns", use_elapsed_ns());
    truth_ready();
    use_sleep_ms(ms);
    truth_int("all_end_ns", use_elapsed_ns());
    close(gate[1]);
    for (long i = 0; i < count; i++)
        child_wait(-1, NULL);
    truth_cpu("");
    return 0;
}

/* Copies that all touch one memfd, which their parent does not. */
static int
touched_by(int argc, char **argv)
{
    size_t bytes = (size_t)arg_number(argc, argv, 1, 200, MIB_MAX) * MIB;
    long count = arg_number(argc, argv, 2, 8, 1000);
    long ms = arg_number(argc, argv, 3, 1000, MS_MAX);
    int fd = sized_file(MEMFD, bytes);
    int ready[2];
    int gate[2];

    child_pipe(ready);
    child_pipe(gate);
    for (long i = 0; i < count; i++) {
        if (child_fork(true) != 0)
            continue;
        close(gate[1]);
        touch(map(bytes, MAP_SHARED, fd), bytes);
        child_tell(ready[1]);
        child_hear(gate[0]);
        _exit(0);
    }
    for (long i = 0; i < count; i++)
        child_hear(ready[0]);
    truth_int("touched_bytes", (int64_t)bytes);
    truth_int("processes", count + 1);
    truth_ready();
    use_sleep_ms(ms);
    close(gate[1]);
    for (long i = 0; i < count; i++)
        child_wait(-1, NULL);
    truth_cpu("");
    return 0;
}

static int
sleep_and_end(void *argument)
{
    const int64_t *until_ns = argument;

    use_sleep_until_ns(*until_ns);
    return 0;
}

/* Two processes, one memory: neither a thread nor a copy on write. */
static int
common_memory(int argc, char **argv)
{
    enum { STACK = 65536 };
    long mib = arg_number(argc, argv, 1, 200, MIB_MAX);
    long ms = arg_number(argc, argv, 2, 1000, MS_MAX);
    char *stack = malloc(STACK);
    int64_t until_ns;
    pid_t pid;

    if (!stack)
        arg_die("malloc");
    use_memory((size_t)mib * MIB, USE_SMALL_PAGES);
    until_ns = use_elapsed_ns() + ms * NS_PER_MS;
    pid = clone(sleep_and_end, stack + STACK, CLONE_VM | SIGCHLD, &until_ns);
    if (pid < 0)
        arg_die("clone");
    truth_int("touched_bytes", mib * (int64_t)MIB);
    truth_ready();
    child_wait(pid, NULL);
    truth_cpu("");
    return 0;
}

const struct workload pages_workloads[] = {
    {"pages",
     "anon|file|shared|memfd|unmapped|huge|locked|hugetlb|untouched "
     "[MIB [REST_MS]]",
     "T43: holds MIB of that kind (100 500)", pages, false},
    {"shared-by", "[MIB [COUNT [MS]]]",
     "T44: COUNT programs and their parent map one memory (200 3 1000)",
     shared_by, false},
    {"touched-by", "[MIB [COUNT [MS]]]",
     "T44: COUNT copies touch one memfd, their parent does not (200 8 1000)",
     touched_by, false},
    {"share-held", "FD MIB READY GATE", "what shared-by becomes by exec",
     share_held, false},
    {"common-memory", "[MIB [MS]]",
     "T45: two processes by clone(CLONE_VM), one memory (200 1000)",
     common_memory, false},
    {NULL, NULL, NULL, NULL, false},
};
