/* SPDX-License-Identifier: MIT */
/*
 * Writes a whole file: writes a new one beside it and renames that, or writes
 * through a pipe.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "base/replace.h"
#include "record/outputs.h"

/* Whether a file can be created in the folder of path. */
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
outputs_check_writable(const char *path, struct error *error)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;
    int rc = exists || errno == ENOENT ? 0 : -errno;
    size_t size = strlen(path);

    if (output_file_named_descriptor(path) >= 0)
        return 0;
    if ((exists && S_ISDIR(st.st_mode)) || (size > 0 && path[size - 1] == '/'))
        return error_set(error, -EISDIR, "%s: is a folder", path);
    if (exists && access(path, W_OK) < 0)
        rc = -errno;
    if (rc == 0 && !exists)
        rc = check_folder(path);
    if (rc < 0)
        return error_unwritable(error, rc, path);
    return 0;
}

static int
write_through(const char *path, const char *text, size_t size)
{
    struct output_file sink;
    int rc = output_file_open_waiting(&sink, path, 0, &clock_system);

    if (rc < 0)
        return rc;
    sink.failed = output_file_truncate(&sink);
    output_file_write(&sink, text, size);
    return output_file_close(&sink, OUTPUTS_CLOSE_WAIT_MS * NUM_NS_PER_MS);
}

/*
 * Pipes, devices, and /dev/stdout, which may be a file but is never replaced.
 */
static bool
is_stream(const char *path)
{
    struct stat st;

    return output_file_named_descriptor(path) >= 0 ||
           (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

static bool
is_link(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/*
 * Whether a file may be written but not replaced: its folder is not writable,
 * it is another user's in a folder such as /tmp, it is a mount point, or its
 * name leaves no room for a longer one.
 */
static bool
must_stay(int rc)
{
    return rc == -EACCES || rc == -EROFS || rc == -EPERM || rc == -EBUSY ||
           rc == -ENAMETOOLONG;
}

int
outputs_write_file(const char *path, const char *text, size_t size)
{
    FREE_AUTO char *target = NULL;
    int rc;

    if (is_stream(path))
        return write_through(path, text, size);
    /* A link stays a link: its target is replaced or created. */
    target = realpath(path, NULL);
    if (target == NULL && is_link(path))
        return write_through(path, text, size);
    rc = replace_file(AT_FDCWD, target != NULL ? target : path, REPLACE_KEEPING,
                      text, size);
    return must_stay(rc) ? write_through(path, text, size) : rc;
}

bool
outputs_replaces_summary(const struct outputs *outputs)
{
    return outputs->summary_path != NULL && !is_stream(outputs->summary_path);
}

int
outputs_write_summary(struct outputs *outputs, const char *text, size_t size,
                      struct error *error)
{
    const char *path = outputs->summary_path;
    int before = outputs->summary_failed;
    int rc;

    if (path == NULL)
        return 0;
    rc = outputs_write_file(path, text, size);
    outputs->summary_failed = rc;
    if (rc == 0 || rc == before)
        return 0;
    return error_set(error, rc, "%s: the summary cannot be written: %s", path,
                     outputs_reason(rc));
}

bool
outputs_remove_summary(const struct outputs *outputs)
{
    FREE_AUTO char *target = realpath(outputs->summary_path, NULL);

    return target != NULL && unlink(target) == 0;
}
