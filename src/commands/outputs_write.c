/* SPDX-License-Identifier: MIT */
/* Writes a whole file: beside it and renamed, or through a pipe. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "commands/outputs.h"

/* Whether a file can be made in the folder of path. */
static int
check_folder(const char *path)
{
    FREE_AUTO char *copy = strdup(path);
    const char *folder;
    struct stat st;

    if (copy == NULL)
        return -ENOMEM;
    folder = dirname(copy);
    if (stat(folder, &st) < 0)
        return -errno;
    if (!S_ISDIR(st.st_mode))
        return -ENOTDIR;
    return access(folder, W_OK | X_OK) < 0 ? -errno : 0;
}

int
outputs_check_writable(const char *path, bool in_place, struct error *error)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;
    int rc = 0;

    if (sink_named_descriptor(path) >= 0)
        return 0;
    if (exists && S_ISDIR(st.st_mode))
        return error_set(error, -EISDIR, "%s: is a folder", path);
    if (exists && access(path, W_OK) < 0)
        rc = -errno;
    if (rc == 0 && (!exists || (S_ISREG(st.st_mode) && !in_place)))
        rc = check_folder(path);
    if (rc < 0)
        return error_set(error, rc, "%s: cannot be written: %s", path,
                         error_name(rc));
    return 0;
}

static int
write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t done = write(fd, text, size);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? -errno : -ENOSPC;
        text += done;
        size -= (size_t)done;
    }
    return 0;
}

/* A new file beside path, to be renamed to it. */
static int
write_beside(const char *path, const char *text, size_t size)
{
    STRBUF_AUTO temporary = {0};
    FD_AUTO fd = -1;
    int rc;

    strbuf_printf(&temporary, "%s.%d.tmp", path, (int)getpid());
    fd = open(strbuf_text(&temporary),
              O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return -errno;
    rc = write_all(fd, text, size);
    if (rc == 0 && rename(strbuf_text(&temporary), path) < 0)
        rc = -errno;
    if (rc < 0)
        unlink(strbuf_text(&temporary));
    return rc;
}

static int
write_through(const char *path, const char *text, size_t size)
{
    struct sink sink;
    int rc = sink_open(&sink, path, 0);

    if (rc < 0)
        return rc;
    sink_write(&sink, text, size);
    return sink_close(&sink, OUTPUTS_CLOSE_WAIT_MS * NUM_NS_PER_MS);
}

int
outputs_write_file(const char *path, const char *text, size_t size)
{
    FREE_AUTO char *target = NULL;
    struct stat st;

    /* /dev/stdout may be a file, which others write as well: it stays. */
    if (sink_named_descriptor(path) >= 0 ||
        (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
        return write_through(path, text, size);
    /* A link stays one: what it leads to is replaced. */
    target = realpath(path, NULL);
    return write_beside(target != NULL ? target : path, text, size);
}

int
outputs_write_summary(struct outputs *outputs, const char *text, size_t size,
                      struct error *error)
{
    const char *path = outputs->summary_path;
    int rc;

    if (path == NULL)
        return 0;
    rc = outputs_write_file(path, text, size);
    if (rc == 0)
        return 0;
    return error_set(error, rc, "%s: the summary cannot be written: %s", path,
                     error_name(rc));
}
