/* SPDX-License-Identifier: MIT */
/*
 * T16: steps that count what arrives, ignore it, signal their own group, or
 * stop themselves.  Signals are taken by sigtimedwait, so that each arrival
 * is told with its sender.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workload.h"

#define MS_MAX 3600000

/* Those that end a trap, then those that are only counted. */
static const int counted[] = {
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT, SIGWINCH,
};

#define COUNTED (sizeof(counted) / sizeof(counted[0]))
#define ENDING 3

struct arrivals {
    sigset_t set;
    int count[COUNTED];
    int first_ending;
};

static const char *
code_name(int code)
{
    switch (code) {
    case SI_USER:
        return "user";
    case SI_KERNEL:
        return "kernel";
    case SI_QUEUE:
        return "queue";
    case SI_TKILL:
        return "tkill";
    default:
        return "other";
    }
}

static void
arrivals_init(struct arrivals *arrivals)
{
    struct sigaction now;

    memset(arrivals, 0, sizeof(*arrivals));
    sigemptyset(&arrivals->set);
    for (size_t i = 0; i < COUNTED; i++) {
        if (sigaction(counted[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN)
            truth_text("ignored_at_entry", arg_signal_name(counted[i]));
        sigaddset(&arrivals->set, counted[i]);
    }
    if (sigprocmask(SIG_BLOCK, &arrivals->set, NULL) < 0)
        arg_die("sigprocmask");
    for (size_t i = 0; i < COUNTED; i++)
        signal(counted[i], SIG_DFL);
    truth_int("ppid", getppid());
}

static void
arrivals_add(struct arrivals *arrivals, const siginfo_t *info)
{
    char text[96];

    snprintf(text, sizeof(text), "%s,%s,%ld,%lld",
             arg_signal_name(info->si_signo), code_name(info->si_code),
             info->si_code == SI_KERNEL ? 0L : (long)info->si_pid,
             (long long)(use_elapsed_ns() / NS_PER_MS));
    truth_text("arrival", text);
    for (size_t i = 0; i < COUNTED; i++) {
        if (counted[i] != info->si_signo)
            continue;
        arrivals->count[i]++;
        if (i < ENDING && arrivals->first_ending == 0)
            arrivals->first_ending = info->si_signo;
    }
}

/* Counts for that time; with first, only until one came that ends. */
static void
arrivals_take(struct arrivals *arrivals, long ms, bool first)
{
    int64_t until_ns = use_elapsed_ns() + ms * NS_PER_MS;
    int64_t left_ns;
    siginfo_t info;

    while ((left_ns = until_ns - use_elapsed_ns()) > 0) {
        struct timespec left = {
            .tv_sec = (time_t)(left_ns / NS_PER_S),
            .tv_nsec = (long)(left_ns % NS_PER_S),
        };

        if (sigtimedwait(&arrivals->set, &info, &left) < 0)
            continue;
        arrivals_add(arrivals, &info);
        if (first && arrivals->first_ending)
            return;
    }
}

static void
arrivals_tell(const struct arrivals *arrivals)
{
    const char *first = arg_signal_name(arrivals->first_ending);

    for (size_t i = 0; i < COUNTED; i++)
        truth_int_of("arrivals", arg_signal_name(counted[i]),
                     arrivals->count[i]);
    truth_text("ended_by", first ? first : "none");
    truth_int("end_ns", use_elapsed_ns());
    truth_cpu("");
}

static void
die_by(int number)
{
    struct rlimit none = {0, 0};
    sigset_t set;

    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    kill(getpid(), number);
    use_sleep_ms(1000);
}

static int
trap(int argc, char **argv)
{
    long end_ms = arg_number(argc, argv, 1, 1000, MS_MAX);
    bool die = argc > 2 && strcmp(argv[2], "die") == 0;
    long status = die ? 0 : arg_number(argc, argv, 2, 0, 255);
    long live_ms = arg_number(argc, argv, 3, 10000, MS_MAX);
    struct arrivals arrivals;

    arrivals_init(&arrivals);
    truth_ready();
    arrivals_take(&arrivals, live_ms, true);
    if (arrivals.first_ending)
        arrivals_take(&arrivals, end_ms, false);
    arrivals_tell(&arrivals);
    if (!arrivals.first_ending)
        return EXIT_NO_SIGNAL;
    if (die)
        die_by(arrivals.first_ending);
    return (int)status;
}

static int
ignore(int argc, char **argv)
{
    long live_ms = arg_number(argc, argv, 1, 3000, MS_MAX);

    for (size_t i = 0; i <= ENDING; i++)
        signal(counted[i], SIG_IGN);
    truth_ready();
    use_sleep_ms(live_ms);
    truth_int("end_ns", use_elapsed_ns());
    truth_cpu("");
    return 0;
}

/* A signal to the group of a test's runner would end the runner. */
static void
need_own_group(void)
{
    if (getpgrp() == getpid() || getenv("TRUTH_GROUP"))
        return;
    errno = 0;
    arg_die("kill-group: needs a group of its own (setsid), or TRUTH_GROUP=1");
}

static int
kill_group(int argc, char **argv)
{
    int number = argc > 1 ? arg_signal(argv[1]) : SIGTERM;
    long rest_ms = arg_number(argc, argv, 2, 500, MS_MAX);
    long status = arg_number(argc, argv, 3, 0, 255);
    struct arrivals arrivals;

    need_own_group();
    if (number == 0)
        arg_die("no such signal");
    arrivals_init(&arrivals);
    truth_ready();
    if (kill(0, number) < 0)
        arg_die("kill");
    arrivals_take(&arrivals, rest_ms, false);
    arrivals_tell(&arrivals);
    return (int)status;
}

static int
stop(int argc, char **argv)
{
    int number = argc > 1 ? arg_signal(argv[1]) : SIGSTOP;
    long rest_ms = arg_number(argc, argv, 2, 200, MS_MAX);
    long status = arg_number(argc, argv, 3, 0, 255);
    int64_t begin_ns;

    if (number == 0)
        arg_die("no such signal");
    truth_ready();
    begin_ns = use_elapsed_ns();
    raise(number);
    truth_int("stopped_ns", use_elapsed_ns() - begin_ns);
    use_sleep_ms(rest_ms);
    truth_cpu("");
    return (int)status;
}

/* Stops others, and lets them go on. */
static int
freeze(int argc, char **argv)
{
    long ms = arg_number(argc, argv, 1, 10000, MS_MAX);

    if (argc < 3)
        arg_die("freeze: which processes?");
    for (int i = 2; i < argc; i++)
        kill((pid_t)arg_number(argc, argv, i, 0, INT_MAX), SIGSTOP);
    truth_ready();
    use_sleep_ms(ms);
    for (int i = 2; i < argc; i++)
        kill((pid_t)arg_number(argc, argv, i, 0, INT_MAX), SIGCONT);
    truth_int("frozen_ns", use_elapsed_ns());
    return 0;
}

static int
leave(int argc, char **argv)
{
    return (int)arg_number(argc, argv, 1, 0, 255);
}

static int
die(int argc, char **argv)
{
    int number = argc > 1 ? arg_signal(argv[1]) : SIGSEGV;

    if (number == 0)
        arg_die("no such signal");
    die_by(number);
    return EXIT_HARNESS;
}

const struct workload signals_workloads[] = {
    {"trap", "[END_MS [STATUS|die [LIVE_MS]]]",
     "T16: counts signals, ends END_MS after the first of INT, TERM, HUP", trap,
     false},
    {"ignore", "[LIVE_MS]", "T16: ignores INT, TERM, HUP, QUIT (3000)", ignore,
     false},
    {"kill-group", "[SIGNAL [REST_MS [STATUS]]]",
     "T16: kill(0, SIGNAL), then counts what arrives (TERM 500 0)", kill_group,
     false},
    {"stop", "[SIGNAL [REST_MS [STATUS]]]",
     "T16: stops itself, rests when it goes on (STOP 200 0)", stop, false},
    {"freeze", "MS PID...", "T20: stops those processes for MS", freeze, false},
    {"exit", "[STATUS]", "T15: exits", leave, false},
    {"die", "[SIGNAL]", "T15: dies by the signal, without a core (SEGV)", die,
     false},
    {NULL, NULL, NULL, NULL, false},
};
