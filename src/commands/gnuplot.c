/* SPDX-License-Identifier: MIT */
/* gnuplot as a child: script, picture and messages in files without a name. */
#include "commands/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "step/executable.h"

enum { LIMIT_MS = 10000, STEP_MS = 5 };

int
gnuplot_find(const char *search, struct strbuf *ret_path)
{
    char name[] = "gnuplot";
    char *const argv[] = {name, NULL};

    return executable_locate(argv, search, ret_path) ? 0 : -ENOENT;
}

/*
 * An empty file that is gone when it is closed, memfd_create(2) since Linux
 * 3.17; a descriptor above the standard ones, or -errno.
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

static int
write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t done = write(fd, text, size);

        if (done < 0 && errno != EINTR)
            return -errno;
        text += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return lseek(fd, 0, SEEK_SET) < 0 ? -errno : 0;
}

static int
read_all(int fd, struct strbuf *out)
{
    off_t size = lseek(fd, 0, SEEK_END);
    char *where = size < 0 ? NULL : strbuf_reserve(out, (size_t)size + 1);
    ssize_t got;

    if (where == NULL)
        return size < 0 ? -errno : -ENOMEM;
    got = pread(fd, where, (size_t)size, 0);
    if (got < 0)
        return -errno;
    strbuf_commit(out, (size_t)got);
    return 0;
}

/* The child: a plain signal state, nobody's settings, and gnuplot. */
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

/* The last line of what gnuplot said that is not its caret or blank. */
static int
say_failed(int fd, int status, struct error *error)
{
    STRBUF_AUTO said = {0};
    const char *line = "";
    char *next;

    if (read_all(fd, &said) == 0 && said.text != NULL)
        for (char *at = said.text; at != NULL; at = next) {
            next = strchr(at, '\n');
            if (next != NULL)
                *next++ = '\0';
            at += strspn(at, " \t^");
            if (*at != '\0')
                line = at;
        }
    if (WIFSIGNALED(status))
        return error_set(error, -EIO, "gnuplot was ended by signal %d%s%s",
                         WTERMSIG(status), *line != '\0' ? ": " : "", line);
    return error_set(error, -EIO, "gnuplot failed: %s",
                     *line != '\0' ? line : "it says nothing");
}

int
gnuplot_run(const char *gnuplot, const struct strbuf *script,
            struct strbuf *ret_picture, struct error *error)
{
    FD_AUTO in = open_nameless();
    FD_AUTO out = open_nameless();
    FD_AUTO err = open_nameless();
    int fds[] = {in, out, err};
    int rc = in < 0 ? in : out < 0 ? out : err < 0 ? err : 0;
    pid_t parent = getpid();
    int status = 0;
    pid_t pid;

    if (rc == 0)
        rc = write_all(in, strbuf_text(script), script->size);
    if (rc < 0)
        return error_set(error, rc, "gnuplot cannot be given its script: %s",
                         error_name(rc));
    signal(SIGCHLD, SIG_DFL);
    pid = fork();
    if (pid == 0)
        become_gnuplot(gnuplot, fds, parent);
    if (pid < 0)
        return error_set(error, -errno, "gnuplot cannot be started: %s",
                         error_name(errno));
    rc = wait_for(pid, &status);
    if (rc == -ETIMEDOUT)
        return error_set(error, rc,
                         "gnuplot took more than 10 s and was "
                         "ended");
    if (rc < 0)
        return error_set(error, rc, "gnuplot was lost: %s", error_name(rc));
    if (status != 0)
        return say_failed(err, status, error);
    rc = read_all(out, ret_picture);
    if (rc == 0 && ret_picture->size == 0)
        return say_failed(err, status, error);
    return rc < 0 ? error_set(error, rc, "the picture cannot be read: %s",
                              error_name(rc))
                  : 0;
}
