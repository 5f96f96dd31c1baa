/* SPDX-License-Identifier: MIT */
/*
 * Uses memory and CPU time by the measure of the kernel's own clocks, so that
 * what was used is known and not only asked for.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "workload.h"

static int64_t start_ns;

int64_t
use_clock_ns(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) < 0)
        arg_die("clock_gettime");
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t
use_cpu_ns(void)
{
    return use_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t
use_rusage_ns(const struct rusage *usage)
{
    return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * NS_PER_S +
           (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000;
}

void
use_start(void)
{
    start_ns = use_clock_ns(CLOCK_MONOTONIC);
}

int64_t
use_elapsed_ns(void)
{
    return use_clock_ns(CLOCK_MONOTONIC) - start_ns;
}

int64_t
use_start_epoch_ns(void)
{
    int64_t least_ns = INT64_MAX;
    int64_t epoch_ns = 0;

    /* The processor may be taken away between two clocks: the closest pair. */
    for (int i = 0; i < 5; i++) {
        int64_t before_ns = use_clock_ns(CLOCK_MONOTONIC);
        int64_t real_ns = use_clock_ns(CLOCK_REALTIME);
        int64_t gap_ns = use_clock_ns(CLOCK_MONOTONIC) - before_ns;

        if (gap_ns < least_ns) {
            least_ns = gap_ns;
            epoch_ns = real_ns - (before_ns + gap_ns / 2 - start_ns);
        }
    }
    return epoch_ns;
}

void
use_sleep_until_ns(int64_t elapsed_ns)
{
    int64_t until_ns = start_ns + elapsed_ns;
    struct timespec until = {
        .tv_sec = (time_t)(until_ns / NS_PER_S),
        .tv_nsec = (long)(until_ns % NS_PER_S),
    };

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) ==
           EINTR)
        continue;
}

void
use_sleep_ms(long ms)
{
    if (ms > 0)
        use_sleep_until_ns(use_elapsed_ns() + ms * NS_PER_MS);
}

/* A few microseconds of user time that no compiler leaves out. */
static void
spin(void)
{
    volatile unsigned turns = 0;

    while (turns < 2000)
        turns = turns + 1;
}

void
use_burn_ms(long ms)
{
    int64_t until = use_clock_ns(CLOCK_THREAD_CPUTIME_ID) + ms * NS_PER_MS;

    while (use_clock_ns(CLOCK_THREAD_CPUTIME_ID) < until)
        spin();
}

void
use_burn_to_ns(int64_t process_cpu_ns)
{
    while (use_cpu_ns() < process_cpu_ns)
        spin();
}

void
use_burn_until_ns(int64_t elapsed_ns)
{
    while (use_elapsed_ns() < elapsed_ns)
        spin();
}

void *
use_memory(size_t bytes, enum use_pages pages)
{
    size_t step = (size_t)sysconf(_SC_PAGESIZE);
    volatile char *bytes_of;
    void *memory;

    if (bytes == 0)
        return NULL;
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        arg_die("mmap");
    /* A kernel without huge pages refuses both; the bytes are the same. */
    madvise(memory, bytes,
            pages == USE_HUGE_PAGES ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    bytes_of = memory;
    for (size_t at = 0; at < bytes; at += step)
        bytes_of[at] = (char)(at / step | 1);
    return memory;
}

void
use_free(void *memory, size_t bytes)
{
    if (memory && munmap(memory, bytes) < 0)
        arg_die("munmap");
}

void *
use_shared(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        arg_die("mmap");
    return memory;
}

int64_t
use_status_bytes(const char *key)
{
    char text[4096];
    const char *line;
    ssize_t length;
    int fd = open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return -1;
    length = read(fd, text, sizeof(text) - 1);
    close(fd);
    if (length <= 0)
        return -1;
    text[length] = '\0';
    line = strstr(text, key);
    if (!line)
        return -1;
    return strtoll(line + strlen(key) + 1, NULL, 10) * 1024;
}

void
use_work(const char *prefix, long mib, long burn_ms, long rest_ms, int ready)
{
    size_t bytes = (size_t)mib * MIB;
    void *memory = use_memory(bytes, USE_SMALL_PAGES);
    int64_t hwm_bytes = use_status_bytes("VmHWM");

    truth_int_of(prefix, "pid", getpid());
    if (ready < 0)
        truth_ready();
    else
        child_tell(ready);
    use_burn_ms(burn_ms);
    use_sleep_ms(rest_ms);
    use_free(memory, bytes);
    truth_int_of(prefix, "touched_bytes", (int64_t)bytes);
    if (hwm_bytes >= 0)
        truth_int_of(prefix, "hwm_bytes", hwm_bytes);
    truth_cpu(prefix);
}
