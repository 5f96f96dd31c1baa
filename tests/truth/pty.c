/* SPDX-License-Identifier: MIT */
/*
 * The terminal's side of ptyrun: makes it, starts the command on it, keeps
 * its output, ends its session.  Knows nothing of steps.
 */
#include "pty.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define OUTPUT_MAX ((size_t)4 << 20)

_Noreturn void
pty_fail(const char *what)
{
    fprintf(stderr, "ptyrun: %s: %s\n", what, strerror(errno));
    exit(EXIT_HARNESS);
}

static void
open_master(struct pty *pty)
{
    int fd = posix_openpt(O_RDWR | O_NOCTTY);

    if (fd < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || grantpt(fd) < 0 ||
        unlockpt(fd) < 0)
        pty_fail("posix_openpt");
    if (ioctl(fd, TIOCSWINSZ, &pty->size) < 0)
        pty_fail("TIOCSWINSZ");
    pty->master = fd;
}

static _Noreturn void
become(const struct pty *pty, char **command)
{
    const char *name = ptsname(pty->master);
    struct termios modes;
    sigset_t none;
    int fd;

    for (int number = 1; number <= SIGRTMAX; number++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    fd = name ? open(name, O_RDWR) : -1;
    if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) < 0)
        _exit(EXIT_HARNESS);
    if (pty->no_echo && tcgetattr(fd, &modes) == 0) {
        modes.c_lflag &= ~(tcflag_t)ECHO;
        tcsetattr(fd, TCSANOW, &modes);
    }
    for (int stream = 0; stream < 3; stream++)
        dup2(fd, stream);
    if (fd > 2)
        close(fd);
    execvp(command[0], command);
    dprintf(2, "ptyrun: %s: %s\n", command[0], strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
}

void
pty_start(struct pty *pty, char **command)
{
    pty->output = malloc(OUTPUT_MAX);
    if (!pty->output)
        pty_fail("malloc");
    open_master(pty);
    pty->pid = fork();
    if (pty->pid < 0)
        pty_fail("fork");
    if (pty->pid == 0)
        become(pty, command);
}

void
pty_resize(struct pty *pty, const char *text)
{
    char *end;

    pty->size.ws_col = (unsigned short)strtoul(text, &end, 10);
    pty->size.ws_row =
        *end == 'x' ? (unsigned short)strtoul(end + 1, NULL, 10) : 24;
    if (pty->master >= 0 && ioctl(pty->master, TIOCSWINSZ, &pty->size) < 0)
        pty_fail("TIOCSWINSZ");
}

static void
keep(struct pty *pty, const char *bytes, size_t count)
{
    if (write(pty->copy, bytes, count) < 0)
        pty_fail("output");
    if (count > OUTPUT_MAX - pty->length)
        count = OUTPUT_MAX - pty->length;
    memcpy(pty->output + pty->length, bytes, count);
    pty->length += count;
}

bool
pty_take(struct pty *pty, int wait_ms)
{
    struct pollfd poll_fd = {.fd = pty->master, .events = POLLIN};
    siginfo_t info = {0};
    char bytes[4096];
    ssize_t count;

    if (waitid(P_PID, (id_t)pty->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
        pty->ended = info.si_pid == pty->pid;
    if (pty->hung_up) {
        poll(NULL, 0, wait_ms);
        return false;
    }
    if (poll(&poll_fd, 1, wait_ms) <= 0)
        return false;
    count = read(pty->master, bytes, sizeof(bytes));
    if (count <= 0) { /* EIO: nobody has the terminal open, for now */
        poll(NULL, 0, wait_ms);
        return false;
    }
    keep(pty, bytes, (size_t)count);
    return true;
}

void
pty_hang_up(struct pty *pty)
{
    close(pty->master);
    pty->hung_up = true;
}

void
pty_kill_session(const struct pty *pty)
{
    DIR *folder = opendir("/proc");
    struct dirent *entry;

    while (folder && (entry = readdir(folder)) != NULL) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

        if (pid > 0 && getsid(pid) == pty->pid)
            kill(pid, SIGKILL);
    }
    if (folder)
        closedir(folder);
}

int
pty_reap(struct pty *pty)
{
    int status;

    if (!pty->ended)
        kill(pty->pid, SIGKILL);
    if (waitpid(pty->pid, &status, 0) < 0)
        pty_fail("waitpid");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
