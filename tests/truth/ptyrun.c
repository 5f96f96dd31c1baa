/* SPDX-License-Identifier: MIT */
/*
 * Runs a command on a terminal of its own, as session leader, and plays a
 * script against it: wait for text, send text or signals, pause.  A small
 * expect for tests of job control; what is left of the session is killed.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pty.h"

#define EXIT_TIMEOUT 124
#define STEPS_MAX 128
#define POLL_MS 10
/* Output that comes after the command has ended is waited for so long. */
#define DRAIN_MS 50

struct step {
    char kind;
    const char *given; /* as on the command line */
    char *text;
    size_t length;
};

struct ptyrun {
    struct pty pty;
    struct step steps[STEPS_MAX];
    int count;
    bool leave;
    bool verbose;
    size_t matched; /* output up to here has been waited for */
    int64_t start_ms;
    int64_t end_ms;
};

static int64_t
now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static bool
is_late(const struct ptyrun *run)
{
    return now_ms() > run->end_ms;
}

static int
digits(const char **text, int base, int max)
{
    char copy[4] = {0};
    int count = 0;

    while (count < max && isxdigit((unsigned char)**text) &&
           (base == 16 || (**text >= '0' && **text <= '7')))
        copy[count++] = *(*text)++;
    return (int)strtol(copy, NULL, base);
}

/* \n \r \t \e \\ \xHH \OOO; the text may hold NULs, hence the length. */
static void
unescape(struct step *step)
{
    static const char plain[] = "nrte\\";
    static const char meant[] = "\n\r\t\033\\";
    const char *from = step->text;
    char *to = strdup(step->text);

    if (!to)
        pty_fail("strdup");
    step->text = to;
    while (*from) {
        if (*from != '\\' || !from[1]) {
            *to++ = *from++;
            continue;
        }
        from++;
        if (*from >= '0' && *from <= '7') {
            *to++ = (char)digits(&from, 8, 3);
        } else if (*from == 'x') {
            from++;
            *to++ = (char)digits(&from, 16, 2);
        } else {
            const char *at = strchr(plain, *from);

            *to++ = at ? meant[at - plain] : *from;
            from++;
        }
    }
    step->length = (size_t)(to - step->text);
}

static bool
wait_text(struct ptyrun *run, const struct step *step)
{
    for (;;) {
        char *found =
            memmem(run->pty.output + run->matched,
                   run->pty.length - run->matched, step->text, step->length);

        if (found) {
            run->matched = (size_t)(found - run->pty.output) + step->length;
            return true;
        }
        if (is_late(run))
            return false;
        if (!pty_take(&run->pty, POLL_MS) && run->pty.ended &&
            !pty_take(&run->pty, DRAIN_MS))
            return false;
    }
}

static bool
wait_file(struct ptyrun *run, const char *path)
{
    struct stat status;

    while (stat(path, &status) < 0 || status.st_size == 0) {
        if (is_late(run))
            return false;
        pty_take(&run->pty, POLL_MS);
    }
    return true;
}

static bool
wait_end(struct ptyrun *run)
{
    while (!run->pty.ended && !is_late(run))
        pty_take(&run->pty, POLL_MS);
    while (run->pty.ended && !is_late(run) && pty_take(&run->pty, DRAIN_MS))
        continue;
    return run->pty.ended;
}

static void
pause_for(struct ptyrun *run, const char *ms)
{
    int64_t until = now_ms() + strtol(ms, NULL, 10);

    while (now_ms() < until && !is_late(run))
        pty_take(&run->pty, POLL_MS);
}

static int
signal_number(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = {
        {"HUP", SIGHUP},   {"INT", SIGINT},   {"QUIT", SIGQUIT},
        {"KILL", SIGKILL}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2},
        {"TERM", SIGTERM}, {"CONT", SIGCONT}, {"STOP", SIGSTOP},
        {"TSTP", SIGTSTP},
    };

    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (strcmp(name, signals[i].name) == 0)
            return signals[i].number;
    return (int)strtol(name, NULL, 10);
}

static bool
play(struct ptyrun *run, const struct step *step)
{
    struct pty *pty = &run->pty;

    if (run->verbose)
        fprintf(stderr, "ptyrun: %lld ms -%c %s\n",
                (long long)(now_ms() - run->start_ms), step->kind,
                step->given ? step->given : "");
    switch (step->kind) {
    case 'w':
        return wait_text(run, step);
    case 'f':
        return wait_file(run, step->text);
    case 's':
        return write(pty->master, step->text, step->length) ==
               (ssize_t)step->length;
    case 'p':
        pause_for(run, step->text);
        return true;
    case 'k':
        return kill(pty->pid, signal_number(step->text)) == 0;
    case 'g':
        return kill(-tcgetpgrp(pty->master), signal_number(step->text)) == 0;
    case 'z':
        pty_resize(pty, step->text);
        return true;
    case 'H':
        pty_hang_up(pty);
        return true;
    default:
        return wait_end(run);
    }
}

static int
finish(struct ptyrun *run, const struct step *failed)
{
    bool late = failed && is_late(run);
    int status;

    if (failed)
        fprintf(stderr, "ptyrun: %s at -%c %s\n",
                late ? "no more time" : "failed", failed->kind,
                failed->given ? failed->given : "");
    if (!run->leave || failed)
        pty_kill_session(&run->pty);
    status = pty_reap(&run->pty);
    free(run->pty.output);
    if (late)
        return EXIT_TIMEOUT;
    return failed ? EXIT_HARNESS : status;
}

static _Noreturn void
usage(void)
{
    fputs("usage: ptyrun [OPTIONS] [STEPS] -- COMMAND...\n"
          "  -t SECONDS  for all (10)      -o FILE  the output, not stdout\n"
          "  -n  no echo     -l  leave what is left     -v  say what is done\n"
          "steps, in their order; the command's end is waited for at last:\n"
          "  -w TEXT  wait for TEXT after what was matched before\n"
          "  -f FILE  wait until FILE is not empty\n"
          "  -s TEXT  send TEXT; \\003 is Ctrl-C, \\032 Ctrl-Z, \\n Enter\n"
          "  -p MS  pause     -x  wait for the command's end\n"
          "  -k SIGNAL  to the command     -g SIGNAL  to the foreground group\n"
          "  -z COLSxROWS  resize (before any other step: the size)\n"
          "  -H  hang up\n"
          "status: the command's, 128 + n for a signal, 124 too late, 99 "
          "else\n",
          stderr);
    exit(EXIT_HARNESS);
}

static void
add_step(struct ptyrun *run, int kind, char *text)
{
    struct step *step;

    if (run->count == STEPS_MAX) {
        errno = E2BIG;
        pty_fail("steps");
    }
    step = &run->steps[run->count++];
    step->kind = (char)kind;
    step->given = text;
    step->text = text;
    if (kind == 'w' || kind == 's')
        unescape(step);
}

static void
parse(struct ptyrun *run, int argc, char **argv)
{
    const char *options = "+t:o:nlvw:f:s:p:xk:g:z:H";
    int option;

    while ((option = getopt(argc, argv, options)) != -1) {
        switch (option) {
        case 't':
            run->end_ms =
                run->start_ms + (int64_t)(strtod(optarg, NULL) * 1000);
            break;
        case 'o':
            run->pty.copy =
                open(optarg, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
            if (run->pty.copy < 0)
                pty_fail(optarg);
            break;
        case 'n':
            run->pty.no_echo = true;
            break;
        case 'l':
            run->leave = true;
            break;
        case 'v':
            run->verbose = true;
            break;
        case '?':
            usage();
        default:
            if (option == 'z' && run->count == 0)
                pty_resize(&run->pty, optarg);
            else
                add_step(run, option, optarg);
        }
    }
    if (optind >= argc)
        usage();
}

int
main(int argc, char **argv)
{
    static struct ptyrun run = {
        .pty = {.master = -1,
                .copy = STDOUT_FILENO,
                .size = {.ws_col = 80, .ws_row = 24}},
    };
    static const struct step end = {.kind = 'x'};
    const struct step *failed = NULL;

    run.start_ms = now_ms();
    run.end_ms = run.start_ms + 10000;
    parse(&run, argc, argv);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    pty_start(&run.pty, argv + optind);
    for (int i = 0; i < run.count && !failed; i++)
        if (!play(&run, &run.steps[i]))
            failed = &run.steps[i];
    if (!failed && !play(&run, &end))
        failed = &end;
    return finish(&run, failed);
}
