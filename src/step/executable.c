/* SPDX-License-Identifier: MIT */
/* Looks a command up in PATH. */
#include "step/executable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char default_path[] = "/bin:/usr/bin"; /* confstr(3), _CS_PATH */

/* 0 for a file that may be executed, else why not. */
static int
check_file(const char *path)
{
    struct stat status;

    if (stat(path, &status) < 0)
        return errno;
    if (!S_ISREG(status.st_mode))
        return EACCES;
    return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? errno : 0;
}

int
executable_search(const char *name, const char *path_list,
                  struct strbuf *ret_path)
{
    int rc = -ENOENT;
    const char *end;

    if (path_list == NULL)
        path_list = default_path;
    for (const char *begin = path_list;; begin = end + 1) {
        int error;

        end = strchrnul(begin, ':');
        strbuf_reset(ret_path);
        strbuf_append(ret_path, begin, (size_t)(end - begin));
        if (end > begin)
            strbuf_putc(ret_path, '/');
        strbuf_puts(ret_path, name);
        if (ret_path->failed)
            return -ENOMEM;
        error = check_file(ret_path->text);
        if (error == 0)
            return 0;
        if (error != ENOENT && error != ENOTDIR)
            rc = -error;
        if (*end == '\0')
            return rc;
    }
}

/* /bin/sh PATH ARGUMENTS */
static int
take_script_argv(struct executable *executable, char *const *argv)
{
    size_t count = 0;

    while (argv[count] != NULL)
        count++;
    executable->script_argv =
        calloc(count + 2, sizeof(*executable->script_argv));
    if (executable->script_argv == NULL || executable->path.failed)
        return -ENOMEM;
    executable->script_argv[0] = executable->shell;
    executable->script_argv[1] = executable->path.text;
    for (size_t i = 1; i < count; i++)
        executable->script_argv[i + 1] = argv[i];
    return 0;
}

int
executable_find(struct executable *executable, char *const *argv,
                const char *path_list)
{
    const char *name = argv[0];

    *executable = (struct executable){.shell = "/bin/sh"};
    strbuf_init(&executable->path);
    if (strchr(name, '/') != NULL)
        strbuf_puts(&executable->path, name);
    else if (*name == '\0')
        executable->error = ENOENT;
    else
        executable->error =
            -executable_search(name, path_list, &executable->path);
    return take_script_argv(executable, argv);
}

void
executable_done(struct executable *executable)
{
    strbuf_done(&executable->path);
    free(executable->script_argv);
    executable->script_argv = NULL;
}
