/* SPDX-License-Identifier: MIT */
/* Reads files of /proc; parses only single numbers. */
#include "watch/proc_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"

static int
open_file(int folder_fd, pid_t pid, const char *name)
{
    char path[64];
    int fd;

    if (pid > 0)
        snprintf(path, sizeof(path), "%d/%s", (int)pid, name);
    else
        snprintf(path, sizeof(path), "%s", name);
    fd = openat(folder_fd, path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

ssize_t
proc_files_read(int folder_fd, pid_t pid, const char *name, char *text,
                size_t size)
{
    FD_AUTO fd = open_file(folder_fd, pid, name);

    return fd < 0 ? fd : file_read_head(fd, text, size);
}

int
proc_files_command(int proc_fd, pid_t pid, struct strbuf *raw)
{
    enum { CHUNK = 4096 };
    FD_AUTO fd = open_file(proc_fd, pid, "cmdline");
    size_t before = raw->size;
    ssize_t got;

    if (fd < 0)
        return fd;
    do {
        char *where = strbuf_reserve(raw, CHUNK);

        if (where == NULL)
            return -ENOMEM;
        got = read(fd, where, CHUNK);
        if (got < 0)
            return -errno;
        strbuf_commit(raw, (size_t)got);
    } while (got == CHUNK);
    return raw->size > before ? cleanup_steal_fd(&fd) : -ESRCH;
}

int
proc_files_lives(int command_fd)
{
    char c;

    return pread(command_fd, &c, 1, 0) == 1;
}

int64_t
proc_files_boot_s(int proc_fd)
{
    static const char label[] = "\nbtime ";
    STRBUF_AUTO text = {0};
    FD_AUTO fd = open_file(proc_fd, 0, "stat");
    const char *line;

    if (fd >= 0)
        file_read_fd(fd, &text, INT_MAX);
    line = strstr(strbuf_text(&text), label);
    return line != NULL ? strtoll(line + sizeof(label) - 1, NULL, 10) : 0;
}

int64_t
proc_files_descriptors(int folder_fd)
{
    FD_AUTO fd = openat(folder_fd, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int64_t count = 0;
    struct stat st;
    DIR *dir;

    if (fd < 0)
        return NUM_UNKNOWN;
    /* Since Linux 6.2 the size of the folder is their number. */
    if (fstat(fd, &st) == 0 && st.st_size > 0)
        return st.st_size;
    dir = fdopendir(fd);
    if (dir == NULL)
        return NUM_UNKNOWN;
    cleanup_steal_fd(&fd);
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count >= 2 ? count - 2 : NUM_UNKNOWN;
}
