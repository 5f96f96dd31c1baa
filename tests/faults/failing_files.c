/* SPDX-License-Identifier: MIT */
/*
 * LD_PRELOAD library: a call that changes a file fails.  Only its process: the
 * constructor takes LD_PRELOAD out of the environment of what that starts.
 *
 *   FAIL_AT=N        the call number N, from 1
 *   FAIL_HOW=once    that one (the default)
 *   FAIL_HOW=from    that one and all after it, as on a full disk
 *   FAIL_HOW=short   the same; the first write takes half of its bytes
 *   FAIL_HOW=kill    before that one the process kills itself
 *   FAIL_ERRNO=N     by which error
 *   FAIL_LOCKS=1     instead: no lock is supported; FAIL_LOCKS=flock: not that
 *   FAIL_COUNT=FILE  at the end, how many calls there were
 *
 * Counted are calls on regular files, and on names outside /proc, /sys and
 * /dev.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
    pid_t pid;
    long at;
    long calls;
    int error;
    char how; /* the first letter */
    char locks;
    const char *count_file;
} fail;

static const char *
text_of(const char *name)
{
    const char *text = getenv(name);

    return text != NULL ? text : "";
}

__attribute__((constructor)) static void
begin(void)
{
    unsetenv("LD_PRELOAD");
    fail.pid = getpid();
    fail.at = atol(text_of("FAIL_AT"));
    fail.error = atoi(text_of("FAIL_ERRNO"));
    fail.how = text_of("FAIL_HOW")[0];
    fail.locks = text_of("FAIL_LOCKS")[0];
    fail.count_file = getenv("FAIL_COUNT");
}

__attribute__((destructor)) static void
end(void)
{
    FILE *file = NULL;

    if (fail.count_file != NULL && getpid() == fail.pid)
        file = fopen(fail.count_file, "w");
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", fail.calls);
    fclose(file);
}

/* Counts a call; whether it fails, with errno set. */
static int
fails(void)
{
    if (fail.at == 0 || getpid() != fail.pid)
        return 0;
    fail.calls++;
    if (fail.calls == fail.at && fail.how == 'k')
        kill(getpid(), SIGKILL);
    if (fail.calls < fail.at ||
        (fail.calls > fail.at && fail.how != 'f' && fail.how != 's'))
        return 0;
    errno = fail.error;
    return 1;
}

/* The same of a call that gives room back, as a full disk allows. */
static int
fails_freeing(void)
{
    return fail.error != ENOSPC && fail.error != EDQUOT && fails();
}

static int
is_counted(const char *path)
{
    return strncmp(path, "/proc/", 6) != 0 && strncmp(path, "/sys/", 5) != 0 &&
           strncmp(path, "/dev/", 5) != 0;
}

static int
is_regular(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

int
openat(int folder, const char *path, int flags, ...)
{
    int changes = (flags & (O_ACCMODE | O_CREAT | O_TRUNC)) != O_RDONLY;
    va_list args;
    unsigned mode;

    va_start(args, flags);
    mode = va_arg(args, unsigned);
    va_end(args);
    if (changes && is_counted(path) && fails())
        return -1;
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int
open(const char *path, int flags, ...)
{
    va_list args;
    unsigned mode;

    va_start(args, flags);
    mode = va_arg(args, unsigned);
    va_end(args);
    return openat(AT_FDCWD, path, flags, mode);
}

ssize_t
write(int fd, const void *data, size_t size)
{
    if (is_regular(fd) && fails()) {
        if (fail.how != 's' || fail.calls != fail.at || size < 2)
            return -1;
        size /= 2;
    }
    return syscall(SYS_write, fd, data, size);
}

ssize_t
pwrite(int fd, const void *data, size_t size, off_t offset)
{
    if (is_regular(fd) && fails())
        return -1;
    return syscall(SYS_pwrite64, fd, data, size, offset);
}

int
ftruncate(int fd, off_t size)
{
    if (fails_freeing())
        return -1;
    return (int)syscall(SYS_ftruncate, fd, size);
}

int
renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    return fails()
               ? -1
               : (int)syscall(SYS_renameat, from_folder, from, to_folder, to);
}

int
linkat(int from_folder, const char *from, int to_folder, const char *to,
       int flags)
{
    return fails() ? -1
                   : (int)syscall(SYS_linkat, from_folder, from, to_folder, to,
                                  flags);
}

int
mkdir(const char *path, mode_t mode)
{
    if (is_counted(path) && fails())
        return -1;
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int
unlink(const char *path)
{
    return fails_freeing() ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int
flock(int fd, int operation)
{
    if (fail.locks != '\0') {
        errno = ENOSYS;
        return -1;
    }
    return (int)syscall(SYS_flock, fd, operation);
}

int
fcntl(int fd, int command, ...)
{
    va_list args;
    long value;

    va_start(args, command);
    value = va_arg(args, long);
    va_end(args);
    if (fail.locks == '1' && command == F_OFD_SETLK) {
        errno = ENOSYS;
        return -1;
    }
    return (int)syscall(SYS_fcntl, fd, command, value);
}
