/* SPDX-License-Identifier: MIT */
/*
 * gnuplot as a child: script, picture and messages are files without a name.
 * The picture does not go through standard output, because a wrapper script may
 * print text there.
 */
#include "record/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"
#include "step/executable.h"

enum { LIMIT_MS = 10000, STEP_MS = 5 };

/* What the script prints if gnuplot has no font. */
static const char no_font[] = "pmon: no font";

int
gnuplot_find(const char *search, struct strbuf *ret_path)
{
    char name[] = "gnuplot";
    char *const argv[] = {name, NULL};

    return executable_locate(argv, search, ret_path) ? 0 : -ENOENT;
}

/*
 * Creates an empty file in memory with memfd_create(2), since Linux 3.17.
 * Returns a descriptor above the standard ones, or -errno.
 */
static int
open_nameless(void)
{
    char path[] = "/tmp/pmon.XXXXXX";
    FD_AUTO fd = (int)syscall(SYS_memfd_create, "pmon", 1U /* CLOEXEC */);
    int above;

    if (fd < 0) {
        fd = mkostemp(path, O_CLOEXEC);
        if (fd < 0)
            return -errno;
        unlink(path);
    }
    above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return above < 0 ? -errno : above;
}

/*
 * The child: resets signals, ignores the user's settings, and executes gnuplot.
 */
static _Noreturn void
become_gnuplot(const char *gnuplot, const int fds[3], pid_t parent)
{
    sigset_t none;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    for (int i = 0; i < 3; i++)
        if (dup2(fds[i], i) < 0)
            _exit(1);
    unsetenv("GNUTERM");
    unsetenv("GNUPLOT_LIB");
    execl(gnuplot, "gnuplot", "-d", "-", (char *)NULL);
    dprintf(STDERR_FILENO, "cannot be run: %s\n", error_name(errno));
    _exit(127);
}

/* Waits for the child, and ends it after 10 s.  0 or -ETIMEDOUT. */
static int
wait_for(pid_t pid, int *ret_status)
{
    struct timespec pause = {.tv_nsec = STEP_MS * NUM_NS_PER_MS};
    struct timespec begin;
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (;;) {
        pid_t done = waitpid(pid, ret_status, WNOHANG);

        if (done == pid)
            return 0;
        if (done < 0 && errno != EINTR)
            return -errno;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((now.tv_sec - begin.tv_sec) * 1000 +
                (now.tv_nsec - begin.tv_nsec) / NUM_NS_PER_MS >=
            LIMIT_MS)
            break;
        nanosleep(&pause, NULL);
    }
    kill(pid, SIGKILL);
    while (waitpid(pid, ret_status, 0) < 0 && errno == EINTR)
        ;
    return -ETIMEDOUT;
}

/*
 * How much a line of gnuplot's output says about a failure.  gnuplot echoes
 * the command, points a caret at the word and gives the reason in the line
 * below; warnings about the consequences follow.
 */
enum { LINE_ECHO, LINE_WARNING, LINE_OTHER, LINE_TELLING, LINE_REASON };

static int
rank_line(const char *line, bool is_below_caret)
{
    static const char *const telling[] = {"error",  "cannot",    "can't",
                                          "fail",   "not found", "no such",
                                          "denied", "undefined", "unknown"};

    if (*line == '\0' || strncmp(line, "gnuplot>", 8) == 0)
        return LINE_ECHO;
    if (is_below_caret)
        return LINE_REASON;
    if (strncmp(line, "WARNING", 7) == 0 ||
        strncmp(line, "No output will be generated", 27) == 0)
        return LINE_WARNING;
    for (size_t i = 0; i < ARRAY_SIZE(telling); i++)
        if (strcasestr(line, telling[i]) != NULL)
            return LINE_TELLING;
    return LINE_OTHER;
}

/* The line that gives the reason; the last of equally good ones. */
static const char *
find_reason(char *said)
{
    const char *reason = "";
    bool is_below_caret = false;
    int best = LINE_ECHO;
    char *next;

    for (char *at = said; at != NULL; at = next) {
        size_t size = strcspn(at, "\n");
        bool is_caret;
        int rank;

        next = at[size] != '\0' ? at + size + 1 : NULL;
        at[size] = '\0';
        at += strspn(at, " \t");
        is_caret = *at == '^';
        at += strspn(at, " \t^");
        rank = rank_line(at, is_below_caret);
        if (rank > LINE_ECHO && rank >= best && best < LINE_REASON) {
            reason = at;
            best = rank;
        }
        is_below_caret = is_caret || (is_below_caret && *at == '\0');
    }
    /* `line 0: …`: the number means nothing to the user */
    return strncmp(reason, "line 0: ", 8) == 0 ? reason + 8 : reason;
}

static int
say_failed(int fd, int status, enum picture_format format, struct error *error)
{
    STRBUF_AUTO said = {0};
    const char *line = "";
    const char *advice = "";

    if (file_read_fd(fd, &said, INT_MAX) == 0 && said.text != NULL) {
        if (strstr(said.text, no_font) != NULL)
            return error_set(
                error, -EIO,
                "gnuplot found no font: install one (Debian: "
                "fonts-dejavu-core), or draw an .svg, which needs no font");
        if (format != PICTURE_SVG &&
            strstr(said.text, "unknown or ambiguous terminal") != NULL)
            advice = "; this gnuplot was built without cairo: draw an .svg, or "
                     "install gnuplot-nox (Debian)";
        line = find_reason(said.text);
    }
    if (*advice != '\0')
        line = "unknown or ambiguous terminal type";
    if (WIFSIGNALED(status))
        return error_set(error, -EIO, "gnuplot was killed by signal %d%s%s",
                         WTERMSIG(status), *line != '\0' ? ": " : "", line);
    if (*line == '\0')
        return error_set(error, -EIO,
                         "gnuplot failed without a message, exit status %d",
                         WEXITSTATUS(status));
    return error_set(error, -EIO, "gnuplot failed: %s%s", line, advice);
}

/* ---- the script ---- */

/*
 * Without an installed font, Cairo's terminals draw no letters and report
 * nothing.  Then the margin beside a wide label is as small as without a label.
 */
static void
append_font_check(struct strbuf *out, const char *terminal)
{
    strbuf_printf(out,
                  "set terminal %s\n"
                  "set output '/dev/null'\n"
                  "set ytics ('WWWWWWWWWWWWWWWW' 0.5)\n"
                  "plot [0:1] [0:1] 0.5 notitle\n"
                  "if (GPVAL_TERM_XMIN < 0.1 * GPVAL_TERM_XMAX) "
                  "print '%s'; exit\n"
                  "set output\n",
                  terminal, no_font);
}

/*
 * Writes the script, with commands before it that direct the picture to out.
 * gnuplot opens out by its name in this process's /proc/PID/fd, because a
 * wrapper may close descriptors.
 */
static int
write_script(int fd, int out, enum picture_format format,
             const struct strbuf *script)
{
    STRBUF_AUTO text = {0};
    int rc;

    if (format == PICTURE_PNG)
        append_font_check(&text, "pngcairo");
    if (format == PICTURE_PDF)
        append_font_check(&text, "pdfcairo");
    strbuf_printf(&text, "set output '/proc/%d/fd/%d'\n", (int)getpid(), out);
    strbuf_append(&text, strbuf_text(script), script->size);
    if (text.failed)
        return -ENOMEM;
    rc = file_write_all(fd, strbuf_text(&text), text.size);
    return rc == 0 && lseek(fd, 0, SEEK_SET) < 0 ? -errno : rc;
}

/* Whether the bytes begin like a file of the format. */
static bool
is_picture(const struct strbuf *picture, enum picture_format format)
{
    static const char *const begins[][2] = {
        [PICTURE_SVG] = {"<?xml", "<svg"},
        [PICTURE_PNG] = {"\x89PNG\r\n\x1A\n", NULL},
        [PICTURE_PDF] = {"%PDF-", NULL}};

    for (int i = 0; i < 2 && begins[format][i] != NULL; i++)
        if (picture->size >= strlen(begins[format][i]) &&
            memcmp(picture->text, begins[format][i],
                   strlen(begins[format][i])) == 0)
            return true;
    return false;
}

/* Starts gnuplot with these files and waits for it. */
static int
start_and_wait(const char *gnuplot, const int fds[3], int *ret_status,
               struct error *error)
{
    pid_t parent = getpid();
    pid_t pid;
    int rc;

    signal(SIGCHLD, SIG_DFL);
    pid = fork();
    if (pid == 0)
        become_gnuplot(gnuplot, fds, parent);
    if (pid < 0)
        return error_set(error, -errno, "gnuplot cannot be started: %s",
                         error_name(errno));
    rc = wait_for(pid, ret_status);
    if (rc == -ETIMEDOUT)
        return error_set(error, rc,
                         "gnuplot took more than 10 s and was killed");
    return rc < 0 ? error_set(error, rc, "cannot wait for gnuplot: %s",
                              error_name(rc))
                  : 0;
}

int
gnuplot_run(const char *gnuplot, enum picture_format format,
            const struct strbuf *script, struct strbuf *ret_picture,
            struct error *error)
{
    FD_AUTO in = open_nameless();
    FD_AUTO out = open_nameless();
    FD_AUTO err = open_nameless();
    int fds[] = {in, err, err};
    int rc = in < 0 ? in : out < 0 ? out : err < 0 ? err : 0;
    int status = 0;

    if (rc == 0)
        rc = write_script(in, out, format, script);
    if (rc < 0)
        return error_set(error, rc, "cannot write the script for gnuplot: %s",
                         error_name(rc));
    rc = start_and_wait(gnuplot, fds, &status, error);
    if (rc < 0)
        return rc;
    if (status != 0)
        return say_failed(err, status, format, error);
    rc = file_read_fd(out, ret_picture, INT_MAX);
    if (rc < 0)
        return error_set(error, rc, "the picture cannot be read: %s",
                         error_name(rc));
    if (ret_picture->size == 0)
        return say_failed(err, status, format, error);
    return is_picture(ret_picture, format)
               ? 0
               : error_set(error, -EIO,
                           "gnuplot wrote a file that is not a picture");
}
