/* SPDX-License-Identifier: MIT */
/* Opens and reads below /proc, and counts the descriptors that are held. */
#include "proc/live_files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"

int
live_open(const struct proc_live *live, const char *path, int flags)
{
    int fd;

    if (live->proc_fd < 0)
        return -ENOENT;
    fd = openat(live->proc_fd, path, O_RDONLY | O_CLOEXEC | flags);
    return fd < 0 ? -errno : fd;
}

/* Reads path whole by open, read, close. */
ssize_t
live_read_path(const struct proc_live *live, const char *path, char *text,
               size_t size)
{
    FD_AUTO fd = live_open(live, path, 0);

    if (fd < 0)
        return fd == -ENOENT && live->proc_fd >= 0 ? -ESRCH : fd;
    return file_read_head(fd, text, size);
}

/* Opens path into *fd when one more descriptor may be held. */
int
live_hold(struct proc_live *live, int *fd, const char *path)
{
    int opened;

    if (*fd >= 0)
        return 0;
    if (live->held >= live->held_limit)
        return -EMFILE;
    opened = live_open(live, path, 0);
    if (opened < 0)
        return opened;
    *fd = opened;
    live->held++;
    return 0;
}

void
live_let_go(struct proc_live *live, int *fd)
{
    if (*fd < 0)
        return;
    cleanup_close(fd);
    live->held--;
}

DIR *
live_open_folder(const struct proc_live *live, const char *path)
{
    int fd = live_open(live, path, O_DIRECTORY);
    DIR *dir;

    if (fd < 0)
        return NULL;
    dir = fdopendir(fd);
    if (dir == NULL)
        close(fd);
    return dir;
}

/* The next entry of dir that is a number; 0 at the end. */
pid_t
live_next_id(DIR *dir)
{
    const struct dirent *entry;
    int id;

    while ((entry = readdir(dir)) != NULL)
        if (num_parse_pid(entry->d_name, &id) == 0)
            return id;
    return 0;
}
