/* SPDX-License-Identifier: MIT */
/*
 * Steps of a fixed amount of work, which tell how long it took, and one that
 * tells when it ended.  Nothing but the work itself lies between the clocks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)
#define MIB (INT64_C(1) << 20)

static const size_t page_bytes = 4096;

_Noreturn static void
die(const char *what)
{
    fprintf(stderr, "steps: %s: %s\n", what,
            errno ? strerror(errno) : "bad value");
    exit(2);
}

static int64_t
clock_ns(clockid_t id)
{
    struct timespec now;

    if (clock_gettime(id, &now) < 0)
        die("clock_gettime");
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static long
number(const char *text)
{
    char *end;
    long value;

    errno = 0;
    value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < 0)
        die(text);
    return value;
}

static void
tell(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        die(path);
    close(fd);
}

static char *
map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        die("mmap");
    return memory;
}

static void
touch(char *memory, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += page_bytes)
        ((volatile char *)memory)[at] = 1;
}

static void
work_cpu(long turns)
{
    volatile uint64_t value = 1;

    for (long i = 0; i < turns; i++)
        value = value * UINT64_C(6364136223846793005) + 1;
}

/* Maps, touches and unmaps a little, over and over. */
static void
work_mmap(long turns)
{
    const size_t bytes = 16 * page_bytes;

    for (long i = 0; i < turns; i++) {
        char *memory = map(bytes);

        touch(memory, bytes);
        munmap(memory, bytes);
    }
}

static int
measure(void (*work)(long), long turns, const char *path)
{
    int64_t wall_ns = clock_ns(CLOCK_MONOTONIC);
    int64_t cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    char text[128];

    work(turns);
    cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
    wall_ns = clock_ns(CLOCK_MONOTONIC) - wall_ns;
    snprintf(text, sizeof(text), "wall_ns=%lld\ncpu_ns=%lld\n",
             (long long)wall_ns, (long long)cpu_ns);
    tell(path, text);
    return 0;
}

static int
stamp(long ms, const char *path)
{
    struct timespec rest = {.tv_sec = ms / 1000,
                            .tv_nsec = (ms % 1000) * NS_PER_MS};
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int64_t now_ns;

    if (fd < 0)
        die(path);
    nanosleep(&rest, NULL);
    now_ns = clock_ns(CLOCK_MONOTONIC);
    if (write(fd, &now_ns, sizeof(now_ns)) != sizeof(now_ns))
        die(path);
    _exit(0);
}

int
main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "cpu") == 0)
        return measure(work_cpu, number(argv[2]), argv[3]);
    if (argc == 4 && strcmp(argv[1], "stamp") == 0)
        return stamp(number(argv[2]), argv[3]);
    if (argc == 5 && strcmp(argv[1], "mmap") == 0) {
        size_t bytes = (size_t)number(argv[3]) * MIB;

        touch(map(bytes), bytes);
        return measure(work_mmap, number(argv[2]), argv[4]);
    }
    fputs("usage: steps cpu TURNS OUT\n"
          "       steps mmap TURNS RESIDENT_MIB OUT\n"
          "       steps stamp MS OUT\n",
          stderr);
    return 2;
}
