/* SPDX-License-Identifier: MIT */
/*
 * T21: all that a program inherits, to be compared with and without a monitor
 * above it.  Keys that begin with run. differ from run to run.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <termios.h>
#include <unistd.h>

#include "workload.h"

#define FDS_MAX 65536
#define FNV_START UINT64_C(14695981039346656037)
#define FNV_PRIME UINT64_C(1099511628211)

extern char **environ;

/* Goes to stdout where TRUTH_OUT is not set. */
static void
tell(const char *key, const char *value)
{
    const char *path = getenv("TRUTH_OUT");

    if (path && *path)
        truth_text(key, value);
    else
        dprintf(STDOUT_FILENO, "%s=%s\n", key, value);
}

static void
tell_int(const char *key, int64_t value)
{
    char text[32];

    snprintf(text, sizeof(text), "%lld", (long long)value);
    tell(key, text);
}

static uint64_t
hash(uint64_t sum, const void *data, size_t size)
{
    const unsigned char *byte = data;

    while (size-- > 0)
        sum = (sum ^ *byte++) * FNV_PRIME;
    return sum;
}

static const char *
kind_of(int fd)
{
    struct stat status;

    if (fstat(fd, &status) < 0)
        return "unknown";
    if (isatty(fd))
        return "tty";
    switch (status.st_mode & S_IFMT) {
    case S_IFREG:
        return "file";
    case S_IFDIR:
        return "folder";
    case S_IFCHR:
        return "device";
    case S_IFIFO:
        return "pipe";
    case S_IFSOCK:
        return "socket";
    default:
        return "other";
    }
}

/* Kind, flags of the open file, the file's name where it has one. */
static void
tell_descriptor(int fd)
{
    char key[32];
    char link[64];
    char target[1024];
    char text[1200];
    ssize_t length;

    snprintf(key, sizeof(key), "fd.%d", fd);
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    length = readlink(link, target, sizeof(target) - 1);
    target[length > 0 ? length : 0] = '\0';
    if (target[0] != '/')
        target[0] = '\0';
    snprintf(text, sizeof(text), "%s,%s,flags=%o,%s", kind_of(fd),
             fcntl(fd, F_GETFD) & FD_CLOEXEC ? "cloexec" : "kept",
             (unsigned)fcntl(fd, F_GETFL), target);
    tell(key, text);
}

static void
tell_descriptors(void)
{
    char text[64];

    for (int fd = 0; fd < FDS_MAX; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) {
            tell_descriptor(fd);
        } else if (fd < 3) {
            snprintf(text, sizeof(text), "fd.%d", fd);
            tell(text, "closed");
        }
    }
}

static void
tell_signals(void)
{
    struct itimerval timer;
    struct sigaction action;
    sigset_t blocked;
    sigset_t pending;
    char key[32];

    sigprocmask(SIG_BLOCK, NULL, &blocked);
    sigpending(&pending);
    for (int number = 1; number <= SIGRTMAX; number++) {
        bool ignored = sigaction(number, NULL, &action) == 0 &&
                       action.sa_handler == SIG_IGN;

        snprintf(key, sizeof(key), "signal.%d", number);
        if (ignored)
            tell(key, "ignored");
        if (sigismember(&blocked, number) == 1)
            tell(key, "blocked");
        if (sigismember(&pending, number) == 1)
            tell(key, "pending");
    }
    if (getitimer(ITIMER_REAL, &timer) == 0)
        tell_int("timer.real", timer.it_value.tv_sec > 0);
    if (getitimer(ITIMER_VIRTUAL, &timer) == 0)
        tell_int("timer.virtual", timer.it_value.tv_sec > 0);
    if (getitimer(ITIMER_PROF, &timer) == 0)
        tell_int("timer.prof", timer.it_value.tv_sec > 0);
}

/* By number: the C library's type for the resource differs between two. */
static void
tell_limits(void)
{
    static const char *const names[] = {
        "cpu",      "fsize",  "data",    "stack",  "core",  "rss",
        "nproc",    "nofile", "memlock", "as",     "locks", "sigpending",
        "msgqueue", "nice",   "rtprio",  "rttime",
    };
    struct {
        uint64_t soft;
        uint64_t hard;
    } limit;
    char key[32];
    char text[64];

    for (int i = 0; i < (int)(sizeof(names) / sizeof(names[0])); i++) {
        if (syscall(SYS_prlimit64, 0, i, NULL, &limit) < 0)
            continue;
        snprintf(key, sizeof(key), "limit.%s", names[i]);
        snprintf(text, sizeof(text), "%llu:%llu",
                 (unsigned long long)limit.soft,
                 (unsigned long long)limit.hard);
        tell(key, text);
    }
}

/* As linux/sched/types.h has it, which older systems do not. */
struct sched_data {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime;
    uint64_t deadline;
    uint64_t period;
    uint32_t util_min;
    uint32_t util_max;
};

static void
tell_scheduling(void)
{
    struct sched_data data = {0};
    cpu_set_t cpus;

    if (syscall(SYS_sched_getattr, 0, &data, sizeof(data), 0) == 0) {
        tell_int("sched.policy", data.policy);
        tell_int("sched.flags", (int64_t)data.flags);
        tell_int("sched.nice", data.nice);
        tell_int("sched.priority", data.priority);
        tell_int("sched.runtime", (int64_t)data.runtime);
    }
    tell_int("sched.nice_now", getpriority(PRIO_PROCESS, 0));
    CPU_ZERO(&cpus);
    if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0)
        tell_int("sched.cpus", CPU_COUNT(&cpus));
    tell_int("sched.ioprio", syscall(SYS_ioprio_get, 1, 0));
    tell_int("timer_slack_ns", prctl(PR_GET_TIMERSLACK));
}

static void
tell_prctl(void)
{
    int death_signal = -1;
    int subreaper = -1;

    prctl(PR_GET_PDEATHSIG, &death_signal);
    prctl(PR_GET_CHILD_SUBREAPER, &subreaper);
    tell_int("death_signal", death_signal);
    tell_int("subreaper", subreaper);
    tell_int("dumpable", prctl(PR_GET_DUMPABLE));
    tell_int("no_new_privs", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    tell_int("securebits", prctl(PR_GET_SECUREBITS));
    tell_int("thp_disable", prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0));
    tell_int("personality", personality(0xffffffff));
}

/* One line of a file, or all lines that begin with one of the words. */
static void
tell_file(const char *key, const char *path, const char *const words[])
{
    char line[4096];
    FILE *file = fopen(path, "re");

    while (file && fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!words)
            tell(key, line);
        for (int i = 0; words && words[i]; i++)
            if (strncmp(line, words[i], strlen(words[i])) == 0)
                tell(key, line);
    }
    if (file)
        fclose(file);
}

static void
tell_proc(void)
{
    static const char *const words[] = {
        "Umask:",
        "Uid:",
        "Gid:",
        "Groups:",
        "SigPnd:",
        "ShdPnd:",
        "SigBlk:",
        "SigIgn:",
        "SigCgt:",
        "CapInh:",
        "CapPrm:",
        "CapEff:",
        "CapBnd:",
        "CapAmb:",
        "Seccomp",
        "Speculation",
        "Cpus_allowed_list:",
        "Mems_allowed_list:",
        NULL,
    };

    tell_file("status", "/proc/self/status", words);
    tell_file("oom_score_adj", "/proc/self/oom_score_adj", NULL);
    tell_file("coredump_filter", "/proc/self/coredump_filter", NULL);
    tell_file("autogroup", "/proc/self/autogroup", NULL);
    tell_file("cgroup", "/proc/self/cgroup", NULL);
    tell_file("timerslack", "/proc/self/timerslack_ns", NULL);
}

static void
tell_names(void)
{
    static const char *const spaces[] = {"cgroup", "ipc",  "mnt",  "net",
                                         "pid",    "time", "user", "uts"};
    char path[64];
    char target[4096];
    ssize_t length;

    for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
        snprintf(path, sizeof(path), "/proc/self/ns/%s", spaces[i]);
        length = readlink(path, target, sizeof(target) - 1);
        target[length > 0 ? length : 0] = '\0';
        tell("namespace", target);
    }
    length = readlink("/proc/self/root", target, sizeof(target) - 1);
    target[length > 0 ? length : 0] = '\0';
    tell("root", target);
    tell("cwd", getcwd(target, sizeof(target)) ? target : "");
}

static void
tell_terminal(void)
{
    struct winsize size = {0};
    struct termios modes;
    int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);

    tell_int("tty.has", fd >= 0);
    if (fd < 0)
        return;
    tell_int("tty.foreground", tcgetpgrp(fd) == getpgrp());
    tell_int("tty.session", tcgetsid(fd) == getsid(0));
    if (tcgetattr(fd, &modes) == 0) {
        tell_int("tty.iflag", modes.c_iflag);
        tell_int("tty.oflag", modes.c_oflag);
        tell_int("tty.cflag", modes.c_cflag);
        tell_int("tty.lflag", modes.c_lflag);
    }
    if (ioctl(fd, TIOCGWINSZ, &size) == 0)
        tell_int("tty.columns", size.ws_col);
    close(fd);
}

static void
tell_ids(int argc, char **argv)
{
    tell_int("run.pid", getpid());
    tell_int("run.ppid", getppid());
    tell_int("run.pgid", getpgrp());
    tell_int("run.sid", getsid(0));
    tell_int("group_is_own", getpgrp() == getpid());
    tell_int("group_is_parents", getpgrp() == getpgid(getppid()));
    tell_int("session_is_own", getsid(0) == getpid());
    tell_int("session_is_parents", getsid(0) == getsid(getppid()));
    for (int i = 0; i < argc; i++)
        tell("argument", argv[i]);
}

/* Names in order, values as one sum; without what a test itself sets. */
static void
tell_environment(void)
{
    uint64_t sum = FNV_START;
    char name[256];
    char text[32];

    for (char **at = environ; *at; at++) {
        if (strncmp(*at, "TRUTH_", 6) == 0 || strncmp(*at, "_=", 2) == 0)
            continue;
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(*at, "="), *at);
        tell("environment", name);
        sum = hash(sum, *at, strlen(*at) + 1);
    }
    snprintf(text, sizeof(text), "%016llx", (unsigned long long)sum);
    tell("environment_sum", text);
}

static void
tell_used(const struct rusage *usage)
{
    struct rusage children;
    struct tms times_used;

    tell_int("run.maxrss_bytes", usage->ru_maxrss * INT64_C(1024));
    tell_int("run.hwm_bytes", use_status_bytes("VmHWM"));
    if (getrusage(RUSAGE_CHILDREN, &children) == 0)
        tell_int("children_cpu_ns", use_rusage_ns(&children));
    if (times(&times_used) != (clock_t)-1)
        tell_int("children_ticks",
                 times_used.tms_cutime + times_used.tms_cstime);
}

static int
fingerprint(int argc, char **argv)
{
    struct rusage usage;

    if (getrusage(RUSAGE_SELF, &usage) < 0)
        arg_die("getrusage");
    tell_descriptors();
    tell_signals();
    tell_limits();
    tell_scheduling();
    tell_prctl();
    tell_proc();
    tell_names();
    tell_terminal();
    tell_ids(argc, argv);
    tell_environment();
    tell_used(&usage);
    return 0;
}

const struct workload fingerprint_workloads[] = {
    {"fingerprint", "[ANYTHING...]",
     "T21: tells all that it inherited, on stdout without TRUTH_OUT",
     fingerprint, true},
    {NULL, NULL, NULL, NULL, false},
};
