/* SPDX-License-Identifier: MIT */
/* Looks a command up in PATH, executes it, and tells why it could not. */
#include "step/executable.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/context.h"
#include "base/escape.h"
#include "base/file.h"

static const char default_path[] = "/bin:/usr/bin"; /* confstr(3), _CS_PATH */

/*
 * name in each of the folders.  An empty folder is the working folder; a path
 * that is too long for the kernel is skipped.
 */
static size_t
write_paths(struct strbuf *text, const char *name, const char *path_list)
{
    const char *end;
    size_t count = 0;

    for (const char *begin = path_list;; begin = end + 1) {
        end = strchrnul(begin, ':');
        if (end - begin < PATH_MAX) {
            strbuf_append(text, begin, (size_t)(end - begin));
            if (end > begin)
                strbuf_putc(text, '/');
            strbuf_append(text, name, strlen(name) + 1);
            count++;
        }
        if (*end == '\0')
            return count;
    }
}

static int
take_paths(struct executable *executable, size_t count)
{
    char *at = executable->text.text;

    executable->paths = calloc(count + 1, sizeof(*executable->paths));
    if (executable->paths == NULL || executable->text.failed)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        executable->paths[i] = at;
        at += strlen(at) + 1;
    }
    return 0;
}

/* /bin/sh PATH ARGUMENTS; PATH is not known yet. */
static int
take_script_argv(struct executable *executable)
{
    size_t count = 0;

    while (executable->argv[count] != NULL)
        count++;
    executable->script_argv =
        calloc(count + 2, sizeof(*executable->script_argv));
    if (executable->script_argv == NULL)
        return -ENOMEM;
    executable->script_argv[0] = executable->shell;
    for (size_t i = 1; i < count; i++)
        executable->script_argv[i + 1] = executable->argv[i];
    return 0;
}

int
executable_find(struct executable *executable, char *const *argv,
                const char *path_list)
{
    const char *name = argv[0];
    size_t count = 0;
    int rc;

    *executable = (struct executable){.argv = argv, .shell = "/bin/sh"};
    strbuf_init(&executable->text);
    if (strchr(name, '/') != NULL)
        count = write_paths(&executable->text, name, "");
    else if (*name != '\0')
        count = write_paths(&executable->text, name,
                            path_list != NULL ? path_list : default_path);
    rc = take_paths(executable, count);
    return rc == 0 ? take_script_argv(executable) : rc;
}

/* Whether the search continues after this errno. */
static bool
is_passed_over(int error)
{
    return error == EACCES || error == ENOENT || error == ENOTDIR ||
           error == ESTALE || error == ENODEV || error == ETIMEDOUT;
}

/*
 * Whether EACCES comes from a folder of PATH that may not be searched: for a
 * shell such a folder is empty, for execvp(3) every command is there.
 */
static bool
is_out_of_sight(const struct executable *executable, const char *path)
{
    return strchr(executable->argv[0], '/') == NULL && access(path, F_OK) != 0;
}

/*
 * execve(2), right behind a look at what this process holds: the kernel takes
 * that over into ru_maxrss (fs/exec.c, exec_mmap).  The same libc function
 * makes both calls, so that no page is touched between them.
 */
static __attribute__((noinline, aligned(256))) void
become(const char *path, char *const *argv, int64_t *image)
{
    enum { MAXRSS = 4, LONGS = 18, KIB = 1024 }; /* the kernel's rusage */
    long usage[LONGS] = {0};
    char **variables = environ;

    if (syscall(SYS_getrusage, RUSAGE_SELF, usage) == 0 && image != NULL)
        *image = (int64_t)usage[MAXRSS] * KIB;
    syscall(SYS_execve, path, argv, variables);
}

int
executable_become(const struct executable *executable, int64_t *image)
{
    int error = ENOENT;

    for (size_t i = 0; executable->paths[i] != NULL; i++) {
        become(executable->paths[i], executable->argv, image);
        if (errno == ENOEXEC) {
            executable->script_argv[1] = executable->paths[i];
            become(executable->shell, executable->script_argv, image);
        }
        if (!is_passed_over(errno))
            return errno;
        if (errno == EACCES &&
            is_out_of_sight(executable, executable->paths[i]))
            continue;
        if (error != EACCES)
            error = errno;
    }
    return error;
}

static bool
is_executable(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
           access(path, X_OK) == 0;
}

bool
executable_locate(char *const *argv, const char *path_list,
                  struct strbuf *ret_path)
{
    struct executable executable;
    char **path = NULL;

    if (executable_find(&executable, argv, path_list) == 0)
        for (path = executable.paths; *path != NULL; path++)
            if (is_executable(*path))
                break;
    if (path != NULL && *path != NULL)
        strbuf_puts(ret_path, *path);
    executable_done(&executable);
    return ret_path->size > 0;
}

void
executable_done(struct executable *executable)
{
    strbuf_done(&executable->text);
    free(executable->paths);
    free(executable->script_argv);
    *executable = (struct executable){0};
}

/*
 * #!/bin/sh\r
 * The first line of a script that was written on Windows ends in a carriage
 * return, and no interpreter has such a name.
 */
static void
say_interpreter(struct strbuf *why, const char *path)
{
    FD_AUTO fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char text[256];
    char *name = text + 2;

    file_read_head(fd, text, sizeof(text));
    if (strncmp(text, "#!", 2) != 0) {
        strbuf_puts(why, "exists, but its interpreter or loader does not");
        return;
    }
    name += strspn(name, " \t");
    name[strcspn(name, " \t\n")] = '\0';
    if (*name == '\0' || name[strlen(name) - 1] != '\r') {
        strbuf_printf(why, "exists, but its interpreter %s does not", name);
        return;
    }
    name[strlen(name) - 1] = '\0';
    strbuf_printf(why,
                  "exists, but its interpreter %s\\r does not: its lines end "
                  "in CR LF; sed -i 's/\\r$//'",
                  name);
    strbuf_putc(why, ' ');
    escape_shell(why, path);
    strbuf_puts(why, " fixes them");
}

int
executable_error(char *const *argv, const char *path_list, int failed,
                 const char *shell, struct error *error)
{
    const char *name = *argv[0] != '\0' ? argv[0] : "''";
    bool is_missing = failed == ENOENT || failed == ENOTDIR;
    int status = is_missing ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
    STRBUF_AUTO path = {0};
    STRBUF_AUTO why = {0};

    if (!is_missing) {
        strbuf_printf(&why, "cannot be run: %s", error_name(failed));
    } else if (executable_locate(argv, path_list, &path)) {
        say_interpreter(&why, strbuf_text(&path));
    } else {
        strbuf_puts(&why, "not found");
        if (argv[1] == NULL && strchr(name, ' ') != NULL) {
            strbuf_printf(&why, "; for a shell line: %s sh -c ", shell);
            escape_shell(&why, name);
        }
    }
    return error_set(error, status, "%s: %s", name, strbuf_text(&why));
}
