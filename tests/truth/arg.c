/* SPDX-License-Identifier: MIT */
/*
 * The arguments of the workloads: numbers, words, signals, commands.  A bad
 * one is the harness's mistake and ends the program.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workload.h"

static const struct {
    const char *name;
    int number;
} signals[] = {
    {"HUP", SIGHUP},   {"INT", SIGINT},     {"QUIT", SIGQUIT},
    {"ILL", SIGILL},   {"ABRT", SIGABRT},   {"BUS", SIGBUS},
    {"FPE", SIGFPE},   {"KILL", SIGKILL},   {"USR1", SIGUSR1},
    {"SEGV", SIGSEGV}, {"USR2", SIGUSR2},   {"PIPE", SIGPIPE},
    {"ALRM", SIGALRM}, {"TERM", SIGTERM},   {"CHLD", SIGCHLD},
    {"CONT", SIGCONT}, {"STOP", SIGSTOP},   {"TSTP", SIGTSTP},
    {"TTIN", SIGTTIN}, {"TTOU", SIGTTOU},   {"XCPU", SIGXCPU},
    {"XFSZ", SIGXFSZ}, {"WINCH", SIGWINCH},
};

_Noreturn void
arg_die(const char *what)
{
    if (errno)
        dprintf(STDERR_FILENO, "workload: %s: %s\n", what, strerror(errno));
    else
        dprintf(STDERR_FILENO, "workload: %s\n", what);
    _exit(EXIT_HARNESS);
}

long
arg_number(int argc, char **argv, int i, long fallback, long max)
{
    char *end;
    long number;

    if (i >= argc || strcmp(argv[i], "--") == 0)
        return fallback;
    errno = 0;
    number = strtol(argv[i], &end, 10);
    if (errno || end == argv[i] || *end != '\0' || number < 0 || number > max) {
        dprintf(STDERR_FILENO, "workload: %s: %s: not between 0 and %ld\n",
                argv[0], argv[i], max);
        _exit(EXIT_HARNESS);
    }
    return number;
}

int
arg_choice(int argc, char **argv, int i, const char *const words[])
{
    if (i >= argc || strcmp(argv[i], "--") == 0)
        return 0;
    for (int word = 0; words[word]; word++)
        if (strcmp(argv[i], words[word]) == 0)
            return word;
    errno = 0;
    arg_die(argv[i]);
}

char **
arg_command(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            return argv + i + 1;
    errno = 0;
    arg_die("put -- and a command at the end");
}

int
arg_signal(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);

    if (end != text && *end == '\0' && number > 0 && number <= SIGRTMAX)
        return (int)number;
    if (strncmp(text, "SIG", 3) == 0)
        text += 3;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (strcmp(text, signals[i].name) == 0)
            return signals[i].number;
    return 0;
}

const char *
arg_signal_name(int number)
{
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (signals[i].number == number)
            return signals[i].name;
    return NULL;
}
