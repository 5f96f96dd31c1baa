/* SPDX-License-Identifier: MIT */
/*
 * Programs that run another: a large launcher (T14), one that measures what a
 * command used by rusage and, where it may, by a cgroup of its own, and one
 * that takes younger system calls away.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/syscalls.h"
#include "workload.h"

#define MIB_MAX 65536

extern char **environ;

enum way {
    BY_FORK,
    BY_VFORK,
    BY_SPAWN,
    BY_EXEC,
};

_Noreturn static void
run_command(char **command)
{
    execvp(command[0], command);
    _exit(errno == ENOENT ? 127 : 126);
}

static pid_t
start(char **command, enum way way)
{
    pid_t pid;

    if (way == BY_SPAWN) {
        errno = posix_spawnp(&pid, command[0], NULL, NULL, command, environ);
        if (errno)
            arg_die(command[0]);
        return pid;
    }
    pid = way == BY_VFORK ? vfork() : fork();
    if (pid == 0)
        run_command(command);
    if (pid < 0)
        arg_die("fork");
    return pid;
}

static int
launcher(int argc, char **argv)
{
    static const char *const ways[] = {"fork", "vfork", "spawn", "exec", NULL};
    char **command = arg_command(argc, argv);
    enum way way = (enum way)arg_choice(argc, argv, 1, ways);
    long mib = arg_number(argc, argv, 2, 300, MIB_MAX);

    use_memory((size_t)mib * MIB, USE_SMALL_PAGES);
    truth_int("launcher.touched_bytes", mib * (int64_t)MIB);
    if (way == BY_EXEC)
        run_command(command);
    return child_exit_status(child_wait(start(command, way), NULL));
}

/* The place of the v2 hierarchy, with this process's own cgroup in it. */
static bool
find_cgroup(char *path, size_t size)
{
    FILE *file = fopen("/proc/self/mountinfo", "re");
    char line[PATH_MAX + 256];
    bool found = false;

    while (file && !found && fgets(line, sizeof(line), file)) {
        char *rest = line;

        if (!strstr(line, " - cgroup2 "))
            continue;
        for (int field = 0; rest && field < 4; field++)
            rest = strchr(rest + 1, ' ');
        if (!rest)
            continue;
        rest[1 + strcspn(rest + 1, " ")] = '\0';
        found = (size_t)snprintf(path, size, "%s", rest + 1) < size;
    }
    if (file)
        fclose(file);
    file = found ? fopen("/proc/self/cgroup", "re") : NULL;
    while (file && fgets(line, sizeof(line), file)) {
        size_t length = strlen(path);

        if (strncmp(line, "0::/", 4) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        if (length + strlen(line + 3) < size)
            strcpy(path + length, line + 3);
    }
    if (file)
        fclose(file);
    return found;
}

static int
open_in(const char *folder, const char *name, int flags)
{
    char path[PATH_MAX + 64];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return open(path, flags | O_CLOEXEC);
}

/* The number after key in a file of the cgroup; -1 when unknown. */
static int64_t
read_cgroup(const char *folder, const char *name, const char *key)
{
    char text[4096];
    const char *at;
    ssize_t length;
    int fd = open_in(folder, name, O_RDONLY);

    if (fd < 0)
        return -1;
    length = read(fd, text, sizeof(text) - 1);
    close(fd);
    if (length <= 0)
        return -1;
    text[length] = '\0';
    at = strstr(text, key);
    return at ? strtoll(at + strlen(key), NULL, 10) : -1;
}

/* Tells what was charged, ends what is left, removes the folder. */
static void
end_cgroup(const char *folder)
{
    int64_t cpu_us = read_cgroup(folder, "cpu.stat", "usage_usec ");
    int64_t peak = read_cgroup(folder, "memory.peak", "");
    int fd = open_in(folder, "cgroup.kill", O_WRONLY);

    if (cpu_us >= 0)
        truth_int("cgroup_cpu_ns", cpu_us * 1000);
    if (peak >= 0)
        truth_int("cgroup_peak_bytes", peak);
    if (fd >= 0) {
        if (write(fd, "1", 1) != 1)
            truth_text("cgroup_left", folder);
        close(fd);
    }
    for (int tries = 0; rmdir(folder) < 0 && tries < 100; tries++)
        use_sleep_ms(10);
}

static int
measure(int argc, char **argv)
{
    char **command = arg_command(argc, argv);
    char folder[PATH_MAX + 32];
    char parent[PATH_MAX];
    struct rusage usage;
    int procs = -1;
    int64_t begin_ns;
    pid_t pid;
    int status;

    if (find_cgroup(parent, sizeof(parent))) {
        snprintf(folder, sizeof(folder), "%s/truth.%ld", parent,
                 (long)getpid());
        if (mkdir(folder, 0755) == 0)
            procs = open_in(folder, "cgroup.procs", O_WRONLY);
    }
    begin_ns = use_elapsed_ns();
    pid = fork();
    if (pid == 0) {
        if (procs >= 0 && write(procs, "0", 1) != 1)
            _exit(EXIT_HARNESS);
        run_command(command);
    }
    if (pid < 0)
        arg_die("fork");
    status = child_wait(pid, &usage);
    truth_int("wall_ns", use_elapsed_ns() - begin_ns);
    truth_int("wait_cpu_ns", use_rusage_ns(&usage));
    truth_int("wait_maxrss_bytes", usage.ru_maxrss * INT64_C(1024));
    truth_int("wait_status", child_exit_status(status));
    if (procs >= 0)
        end_cgroup(folder);
    truth_int("measure_cpu_ns", use_cpu_ns());
    return child_exit_status(status);
}

/* What Linux 5.2 answers: neither pidfd_open(2) nor clone3(2), of 5.3. */
static int
old_kernel(int argc, char **argv)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof(filter) / sizeof(filter[0]),
                                 .filter = filter};
    char **command = arg_command(argc, argv);

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
        return EXIT_CANNOT;
    run_command(command);
}

const struct workload launch_workloads[] = {
    {"launcher", "[fork|vfork|spawn|exec [MIB]] -- COMMAND...",
     "T14: holds MIB and starts COMMAND, or becomes it (fork 300)", launcher,
     true},
    {"measure", "-- COMMAND...",
     "T11: tells what COMMAND used, by wait4 and by a cgroup v2", measure,
     true},
    {"old-kernel", "-- COMMAND...",
     "becomes COMMAND, on a kernel as if before Linux 5.3", old_kernel, true},
    {NULL, NULL, NULL, NULL, false},
};
