/* SPDX-License-Identifier: MIT */
/* Blocks, reads and classifies signals, without handlers or globals. */
#include "step/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/num.h"

static const int64_t repeat_ns = 100 * NUM_NS_PER_MS;

/*
 * All signals that another process may send and that end one by default, except
 * those raised by a fault of pmon's own; and those that stop and continue.
 * Real-time signals are added.
 */
static const int passed[] = {
    SIGINT,    SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT,
    SIGALRM,   SIGXCPU, SIGXFSZ, SIGABRT, SIGPROF, SIGPOLL, SIGPWR,  SIGVTALRM,
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
};

enum { PASSED = ARRAY_SIZE(passed) };

static bool
is_ignored(int number)
{
    struct sigaction action;

    return sigaction(number, NULL, &action) == 0 &&
           action.sa_handler == SIG_IGN;
}

static void
add_unless_ignored(sigset_t *set, int number)
{
    if (!is_ignored(number))
        sigaddset(set, number);
}

int
signals_init(struct signals *signals, bool with_resizes, struct error *error)
{
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigset_t set;

    *signals = (struct signals){.fd = -1};
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    if (with_resizes)
        sigaddset(&set, SIGWINCH);
    for (int i = 0; i < PASSED; i++)
        add_unless_ignored(&set, passed[i]);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        add_unless_ignored(&set, number);
    signals->sigchld_was_ignored = is_ignored(SIGCHLD);
    sigaction(SIGCHLD, &by_default, NULL);
    sigprocmask(SIG_BLOCK, &set, &signals->original);
    signals->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals->fd < 0)
        return error_set(error, -errno, "cannot wait for signals: %s",
                         error_name(errno));
    return 0;
}

void
signals_done(struct signals *signals)
{
    cleanup_close(&signals->fd);
}

void
signals_protect(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};

    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGTTOU, &ignore, NULL);
}

/* The terminal sends these, and a hang-up, to a whole process group. */
static bool
is_of_terminal(int number)
{
    return number == SIGINT || number == SIGQUIT || number == SIGTSTP ||
           number == SIGHUP || number == SIGCONT;
}

void
signals_next(struct signals *signals, struct signal_event *ret_event)
{
    struct signalfd_siginfo info;

    *ret_event = (struct signal_event){0};
    if (read(signals->fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
        return;
    ret_event->number = (int)info.ssi_signo;
    ret_event->from_terminal =
        info.ssi_code == SI_KERNEL && is_of_terminal(ret_event->number);
    ret_event->sender = info.ssi_code == SI_KERNEL ? 0 : (pid_t)info.ssi_pid;
    ret_event->is_own_limit =
        (ret_event->number == SIGXCPU || ret_event->number == SIGXFSZ) &&
        (info.ssi_code == SI_KERNEL || ret_event->sender == getpid());
    ret_event->is_queued = info.ssi_code == SI_QUEUE;
    ret_event->value = info.ssi_ptr;
}

/*
 * The terminal sends signals to the whole foreground group, but a hang-up only
 * to the leader of the session (drivers/tty/tty_jobctrl.c).
 */
static bool
reached_the_step(const struct signal_event *event, pid_t step)
{
    return event->from_terminal && getpgid(step) == getpgrp() &&
           (event->number != SIGHUP || getsid(0) != getpid());
}

/* A terminal and a shell's fg mean all processes of a job. */
static bool
means_a_job(const struct signal_event *event)
{
    return event->from_terminal || event->number == SIGTSTP ||
           event->number == SIGCONT;
}

int
signals_pass(struct signals *signals, const struct signal_event *event,
             pid_t step, int64_t now_ns)
{
    int64_t *at_ns = &signals->passed_at_ns[event->number];
    bool is_for_group;

    if (event->number == SIGCHLD || event->is_own_limit ||
        reached_the_step(event, step))
        return 0;
    /* Each of the queued ones counts. */
    if (event->number < SIGRTMIN && *at_ns != 0 && now_ns - *at_ns < repeat_ns)
        return 0;
    *at_ns = now_ns;
    if (event->is_queued)
        return sigqueue(step, event->number,
                        (union sigval){.sival_ptr =
                                           (void *)(uintptr_t)event->value}) < 0
                   ? -errno
                   : 0;
    is_for_group = means_a_job(event) && getpgid(step) == step;
    return kill(is_for_group ? -step : step, event->number) < 0 ? -errno : 0;
}

void
signals_stop(int number)
{
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    struct sigaction before;
    sigset_t mask;
    sigset_t set;

    if (sigaction(number, &by_default, &before) < 0) {
        raise(number); /* STOP */
        return;
    }
    sigemptyset(&set);
    sigaddset(&set, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, &mask);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigaction(number, &before, NULL);
}

bool
signals_asks_to_end(int number)
{
    return number == SIGINT || number == SIGTERM || number == SIGHUP ||
           number == SIGQUIT;
}

bool
signals_ends(int number)
{
    return number != SIGCHLD && number != SIGWINCH && number != SIGUSR1 &&
           number != SIGUSR2 && number != SIGTSTP && number != SIGCONT &&
           number != SIGXFSZ;
}

bool
signals_may_be_for_group(const struct signal_event *event, pid_t step)
{
    return signals_asks_to_end(event->number) && event->sender > 0 &&
           getpgid(event->sender) == getpgrp() && getpgid(step) == getpgrp();
}

void
signals_die_by(struct signals *signals, int number)
{
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    struct rlimit no_core = {0, 0};
    sigset_t set;

    if (!signals_asks_to_end(number) || getpid() == 1)
        return;
    setrlimit(RLIMIT_CORE, &no_core);
    prctl(PR_SET_DUMPABLE, 0);
    sigaction(number, &by_default, NULL);
    sigemptyset(&set);
    sigaddset(&set, number);
    /* Signals received meanwhile must not end pmon instead of this one. */
    signals_done(signals);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

bool
signals_holds_terminal(int number)
{
    FD_AUTO tty = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);

    if (tty < 0)
        return false;
    return number == SIGTTIN || number == SIGTTOU ||
           tcgetpgrp(tty) == getpgrp();
}
