/* SPDX-License-Identifier: MIT */
/* Files without a name (O_TMPFILE) where they exist, else with a random one. */
#include "base/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

/* The first is of files that were locked before they got their names. */
static const char locked_prefix[] = ".pmon-new-";
static const char prefix[] = ".pmon-tmp-";

enum {
    RANDOM_DIGITS = 16,
    TRIES = 100, /* names that somebody else has taken */
    STALE_S = 3600,
    ENTRIES_MOST = 4096, /* looked at in a folder, for stale ones */
};

/* The new file, and the file that it replaces. */
struct replacement {
    int folder_fd;
    const char *path;
    const char *text;
    size_t size;
    bool keeps;
    struct stat old; /* where it keeps */
};

/* The folder of path with its slash; nothing for a plain name. */
static size_t
folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

static void
append_name(struct strbuf *out, const char *path, const char *before)
{
    struct timespec now;
    uint64_t number;

    if (getrandom(&number, sizeof(number), GRND_NONBLOCK) !=
        (ssize_t)sizeof(number)) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        number = (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15 ^
                 (uint64_t)(uintptr_t)&now ^ (uint64_t)getpid() << 32;
    }
    strbuf_append(out, path, folder_size(path));
    strbuf_printf(out, "%s%016llx", before, (unsigned long long)number);
}

void
replace_temporary_name(struct strbuf *out, const char *path)
{
    append_name(out, path, prefix);
}

static bool
has_name(const char *name, const char *before)
{
    size_t size = strlen(before);

    return strncmp(name, before, size) == 0 &&
           strlen(name) == size + RANDOM_DIGITS &&
           strspn(name + size, "0123456789abcdef") == RANDOM_DIGITS;
}

/* Whether the creator of a temporary file has exited: then it is not locked. */
static bool
is_stale(int folder_fd, const char *name)
{
    FD_AUTO fd = -1;
    struct stat st;

    if (!has_name(name, locked_prefix) && !has_name(name, prefix))
        return false;
    fd = openat(folder_fd, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
        st.st_uid != geteuid() || file_lock(fd) < 0)
        return false;
    return has_name(name, locked_prefix) || time(NULL) - st.st_mtime > STALE_S;
}

void
replace_remove_stale(int folder_fd, const char *path)
{
    STRBUF_AUTO folder = {0};
    const struct dirent *entry;
    DIR *dir;
    int fd;

    strbuf_append(&folder, path, folder_size(path));
    strbuf_puts(&folder, ".");
    if (folder.failed)
        return;
    fd = openat(folder_fd, folder.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL) {
        cleanup_close(&fd);
        return;
    }
    for (int i = 0; i < ENTRIES_MOST && (entry = readdir(dir)) != NULL; i++)
        if (is_stale(fd, entry->d_name))
            unlinkat(fd, entry->d_name, 0);
    closedir(dir);
}

/* The text, and what the new file has of the old one. */
static int
fill(const struct replacement *new, int fd)
{
    struct stat st;
    int rc = file_write_all(fd, new->text, new->size);

    if (rc < 0 || !new->keeps)
        return rc;
    if (fstat(fd, &st) < 0)
        return -errno;
    if ((st.st_uid != new->old.st_uid || st.st_gid != new->old.st_gid) &&
        fchown(fd, new->old.st_uid, new->old.st_gid) < 0)
        return -EPERM;
    return fchmod(fd, new->old.st_mode & 0777) < 0 ? -errno : 0;
}

static mode_t
mode_of(const struct replacement *new)
{
    /* Private until it has the mode of the old one. */
    return new->keeps ? 0600 : 0666;
}

/* Renames a complete file to its place. */
static int
put(const struct replacement *new, const char *temporary)
{
    int rc;

    if (renameat(new->folder_fd, temporary, new->folder_fd, new->path) == 0)
        return 0;
    rc = -errno;
    unlinkat(new->folder_fd, temporary, 0);
    return rc;
}

/* A file that has no name until it is complete: 1 where there are none. */
static int
replace_by_unnamed(const struct replacement *new)
{
    STRBUF_AUTO name = {0};
    FD_AUTO fd = -1;
    char source[64];
    int rc;

    strbuf_append(&name, new->path, folder_size(new->path));
    strbuf_puts(&name, ".");
    if (name.failed)
        return -ENOMEM;
    fd = openat(new->folder_fd, name.text, O_WRONLY | O_TMPFILE | O_CLOEXEC,
                mode_of(new));
    if (fd < 0)
        return errno == EACCES || errno == ENOSPC ? -errno : 1;
    rc = fill(new, fd);
    if (rc < 0)
        return rc;
    if (file_lock(fd) < 0)
        return 1;
    snprintf(source, sizeof(source), "/proc/self/fd/%d", fd);
    for (int i = 0; i < TRIES; i++) {
        strbuf_reset(&name);
        append_name(&name, new->path, locked_prefix);
        if (name.failed)
            return -ENOMEM;
        if (linkat(AT_FDCWD, source, new->folder_fd, name.text,
                   AT_SYMLINK_FOLLOW) == 0)
            return put(new, name.text);
        if (errno != EEXIST)
            return 1;
    }
    return -EEXIST;
}

static int
replace_by_named(const struct replacement *new)
{
    STRBUF_AUTO name = {0};
    FD_AUTO fd = -1;
    int rc;

    for (int i = 0; i < TRIES && fd < 0; i++) {
        strbuf_reset(&name);
        replace_temporary_name(&name, new->path);
        if (name.failed)
            return -ENOMEM;
        fd = openat(new->folder_fd, name.text,
                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_of(new));
        if (fd < 0 && errno != EEXIST)
            return -errno;
    }
    if (fd < 0)
        return -EEXIST;
    rc = fill(new, fd);
    if (rc == 0)
        return put(new, name.text);
    unlinkat(new->folder_fd, name.text, 0);
    return rc;
}

int
replace_file(int folder_fd, const char *path, enum replace_mode mode,
             const char *text, size_t size)
{
    struct replacement new = {
        .folder_fd = folder_fd, .path = path, .text = text, .size = size};
    int rc;

    new.keeps = mode ==
                    REPLACE_KEEPING &&fstatat(folder_fd, path, &new.old,
                                              AT_SYMLINK_NOFOLLOW) == 0 &&
                S_ISREG(new.old.st_mode);
    rc = replace_by_unnamed(&new);
    return rc == 1 ? replace_by_named(&new) : rc;
}
