/* SPDX-License-Identifier: MIT */
/*
 * Workloads whose peak is known and easily missed: short, in a grandchild,
 * before an exec, shared with forked children, before one came to look.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "workload.h"

#define MIB_MAX 65536
#define MS_MAX 3600000
#define BLOCK 65536

/* Touches, holds, writes what is known; what the caller frees. */
static void *
hold(long mib, long hold_ms, enum use_pages pages)
{
    size_t bytes = (size_t)mib * MIB;
    void *memory = use_memory(bytes, pages);
    int64_t begin_ns = use_elapsed_ns();
    int64_t rss_bytes = use_status_bytes("VmRSS");
    int64_t hwm_bytes = use_status_bytes("VmHWM");

    use_sleep_ms(hold_ms);
    truth_int("touched_bytes", (int64_t)bytes);
    if (rss_bytes >= 0)
        truth_int("rss_bytes", rss_bytes);
    if (hwm_bytes >= 0)
        truth_int("hwm_bytes", hwm_bytes);
    truth_int("peak_begin_ns", begin_ns);
    truth_int("peak_end_ns", use_elapsed_ns());
    return memory;
}

static int
spike(int argc, char **argv)
{
    static const char *const ways[] = {"munmap", "dontneed", "huge", NULL};
    long mib = arg_number(argc, argv, 1, 500, MIB_MAX);
    long hold_ms = arg_number(argc, argv, 2, 5, MS_MAX);
    long rest_ms = arg_number(argc, argv, 3, 1500, MS_MAX);
    int way = arg_choice(argc, argv, 4, ways);
    void *memory =
        hold(mib, hold_ms, way == 2 ? USE_HUGE_PAGES : USE_SMALL_PAGES);

    if (way == 1)
        madvise(memory, (size_t)mib * MIB, MADV_DONTNEED);
    else
        use_free(memory, (size_t)mib * MIB);
    truth_ready();
    use_sleep_ms(rest_ms);
    truth_cpu("");
    return 0;
}

static int
spike_grandchild(int argc, char **argv)
{
    long mib = arg_number(argc, argv, 1, 500, MIB_MAX);
    long hold_ms = arg_number(argc, argv, 2, 5, MS_MAX);
    long rest_ms = arg_number(argc, argv, 3, 1500, MS_MAX);
    pid_t child = child_fork(true);
    int status;

    if (child == 0) {
        pid_t grandchild = child_fork(true);

        if (grandchild == 0) {
            hold(mib, hold_ms, USE_SMALL_PAGES);
            truth_int("grandchild_pid", getpid());
            _exit(0);
        }
        _exit(child_exit_status(child_wait(grandchild, NULL)));
    }
    status = child_wait(child, NULL);
    truth_ready();
    use_sleep_ms(rest_ms);
    truth_cpu("");
    return child_exit_status(status);
}

static int
spike_exec(int argc, char **argv)
{
    static char name[] = "tiny";
    char *tiny[] = {name, NULL};
    char words[64];
    long mib = arg_number(argc, argv, 1, 500, MIB_MAX);
    long hold_ms = arg_number(argc, argv, 2, 5, MS_MAX);
    long rest_ms = arg_number(argc, argv, 3, 1500, MS_MAX);

    hold(mib, hold_ms, USE_SMALL_PAGES);
    snprintf(words, sizeof(words), "work 0 0 %ld", rest_ms);
    child_become(child_self(), tiny, words);
}

/* Each exec has less to do: the sizes that are left. */
static int
exec_chain(int argc, char **argv)
{
    static char name[] = "link";
    char *again[] = {name, NULL};
    char words[256] = "exec-chain";

    if (argc < 2) {
        truth_ready();
        use_sleep_ms(300);
        truth_cpu("");
        return 0;
    }
    hold(arg_number(argc, argv, 1, 0, MIB_MAX), 5, USE_SMALL_PAGES);
    for (int i = 2; i < argc; i++) {
        strncat(words, " ", sizeof(words) - strlen(words) - 1);
        strncat(words, argv[i], sizeof(words) - strlen(words) - 1);
    }
    child_become(child_self(), again, words);
}

/* T4, and fork-only workers where the children burn CPU as well. */
static int
forked(int argc, char **argv)
{
    long mib = arg_number(argc, argv, 1, 501, MIB_MAX);
    long children = arg_number(argc, argv, 2, 10, 10000);
    long ms = arg_number(argc, argv, 3, 2000, MS_MAX);
    long burn_ms = arg_number(argc, argv, 4, 0, MS_MAX);
    void *memory = hold(mib, 0, USE_SMALL_PAGES);
    int gate[2];
    int failed = 0;

    child_pipe(gate);
    for (long i = 0; i < children; i++) {
        if (child_fork(true) == 0) {
            close(gate[1]);
            use_burn_ms(burn_ms);
            child_hear(gate[0]);
            _exit(0);
        }
    }
    truth_int("children", children);
    truth_int("all_begin_ns", use_elapsed_ns());
    truth_ready();
    use_sleep_ms(ms);
    truth_int("all_end_ns", use_elapsed_ns());
    close(gate[1]);
    for (long i = 0; i < children; i++)
        failed |= child_wait(-1, NULL);
    use_free(memory, (size_t)mib * MIB);
    truth_cpu("");
    return failed ? EXIT_HARNESS : 0;
}

/* A parent apart, so that vfork shares no variable that changes. */
static pid_t
start_true(bool by_vfork, long linger_ms)
{
    pid_t pid = by_vfork ? vfork() : fork();

    if (pid == 0) {
        if (!by_vfork)
            use_sleep_ms(linger_ms);
        execlp("true", "true", (char *)NULL);
        _exit(127);
    }
    if (pid < 0)
        arg_die("fork");
    return pid;
}

static int
fork_true(int argc, char **argv)
{
    static const char *const ways[] = {"fork", "vfork", NULL};
    long mib = arg_number(argc, argv, 1, 500, MIB_MAX);
    long times = arg_number(argc, argv, 2, 50, 100000);
    bool by_vfork = arg_choice(argc, argv, 3, ways) == 1;
    long linger_ms = arg_number(argc, argv, 4, 0, MS_MAX);
    void *memory = hold(mib, 0, USE_SMALL_PAGES);
    int failed = 0;

    truth_ready();
    for (long i = 0; i < times; i++)
        failed |= child_wait(start_true(by_vfork, linger_ms), NULL);
    truth_int("children", times);
    use_free(memory, (size_t)mib * MIB);
    truth_cpu("");
    return failed ? EXIT_HARNESS : 0;
}

/* A peak and CPU of before; what is held and used once one looks. */
static int
old_peak(int argc, char **argv)
{
    long mib = arg_number(argc, argv, 1, 500, MIB_MAX);
    long now_mib = arg_number(argc, argv, 2, 10, MIB_MAX);
    long live_ms = arg_number(argc, argv, 3, 2000, MS_MAX);
    long old_burn_ms = arg_number(argc, argv, 4, 300, MS_MAX);
    long burn_ms = arg_number(argc, argv, 5, 200, MS_MAX);
    void *memory;

    use_free(hold(mib, 0, USE_SMALL_PAGES), (size_t)mib * MIB);
    use_burn_ms(old_burn_ms);
    truth_int("cpu_at_ready_ns", use_cpu_ns());
    truth_ready();
    truth_go();
    memory = use_memory((size_t)now_mib * MIB, USE_SMALL_PAGES);
    use_burn_ms(burn_ms);
    truth_int("now_bytes", (int64_t)now_mib * (int64_t)MIB);
    truth_int("now_rss_bytes", use_status_bytes("VmRSS"));
    use_sleep_ms(live_ms);
    use_free(memory, (size_t)now_mib * MIB);
    truth_cpu("");
    return 0;
}

static int
work(int argc, char **argv)
{
    long mib = arg_number(argc, argv, 1, 0, MIB_MAX);
    long burn_ms = arg_number(argc, argv, 2, 0, MS_MAX);
    long rest_ms = arg_number(argc, argv, 3, 0, MS_MAX);

    use_work("", mib, burn_ms, rest_ms, -1);
    return 0;
}

/* Writes a file without a name, and reads it back. */
static void
write_and_read(long blocks)
{
    static char block[BLOCK];
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int fd;

    snprintf(path, sizeof(path), "%s/workload.XXXXXX",
             folder && *folder ? folder : "/tmp");
    fd = mkstemp(path);
    if (fd < 0 || unlink(path) < 0)
        arg_die(path);
    memset(block, 'x', sizeof(block));
    for (long i = 0; i < blocks; i++)
        if (write(fd, block, sizeof(block)) != sizeof(block))
            arg_die("write");
    if (fdatasync(fd) < 0 || lseek(fd, 0, SEEK_SET) < 0)
        arg_die("fdatasync");
    for (long i = 0; i < blocks; i++)
        if (read(fd, block, sizeof(block)) != sizeof(block))
            arg_die("read");
    close(fd);
}

/* In a child that is waited for. */
static int
io(int argc, char **argv)
{
    long blocks = arg_number(argc, argv, 1, 8, 65536) * 16;
    long rest_ms = arg_number(argc, argv, 2, 0, MS_MAX);
    pid_t child = child_fork(true);
    int status;

    if (child == 0) {
        write_and_read(blocks);
        _exit(0);
    }
    status = child_wait(child, NULL);
    truth_int("io_bytes", blocks * (int64_t)BLOCK);
    truth_int("io_calls", blocks);
    truth_ready();
    use_sleep_ms(rest_ms);
    return child_exit_status(status);
}

const struct workload memory_workloads[] = {
    {"work", "[MIB [BURN_MS [REST_MS]]]",
     "holds MIB while it burns BURN_MS of CPU and rests (0 0 0)", work, false},
    {"spike", "[MIB [HOLD_MS [REST_MS [munmap|dontneed|huge]]]]",
     "T1: holds MIB for HOLD_MS, frees, rests (500 5 1500)", spike, false},
    {"spike-grandchild", "[MIB [HOLD_MS [REST_MS]]]",
     "T2: the same in a grandchild which ends at once", spike_grandchild,
     false},
    {"spike-exec", "[MIB [HOLD_MS [REST_MS]]]",
     "T3: the same, then exec of a tiny program that rests", spike_exec, false},
    {"exec-chain", "MIB...",
     "T3: holds one size after the other, an exec between", exec_chain, false},
    {"forked", "[MIB [CHILDREN [MS [BURN_MS]]]]",
     "T4: holds MIB, CHILDREN forked from it sleep for MS (501 10 2000 0)",
     forked, false},
    {"fork-true", "[MIB [TIMES [fork|vfork [LINGER_MS]]]]",
     "T12: holds MIB, runs true TIMES; LINGER_MS from fork to exec (500 50)",
     fork_true, false},
    {"old-peak", "[MIB [NOW_MIB [LIVE_MS [OLD_BURN_MS [BURN_MS]]]]]",
     "T25: MIB and CPU, ready, go, then NOW_MIB and CPU (500 10 2000 300 200)",
     old_peak, false},
    {"io", "[MIB [REST_MS]]",
     "writes and reads MIB in blocks of 64 KiB in a waited child (8 0)", io,
     false},
    {NULL, NULL, NULL, NULL, false},
};
