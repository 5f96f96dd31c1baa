/* SPDX-License-Identifier: MIT */
/* Looks a command up in PATH. */
#include "step/command.h"

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

/* The first of the folders that has it; an empty one is the working folder. */
static void
search(struct command *command, const char *name, const char *path_list)
{
    const char *end;

    command->error = ENOENT;
    for (const char *begin = path_list;; begin = end + 1) {
        int error;

        end = strchrnul(begin, ':');
        strbuf_reset(&command->path);
        strbuf_append(&command->path, begin, (size_t)(end - begin));
        if (end > begin)
            strbuf_putc(&command->path, '/');
        strbuf_puts(&command->path, name);
        error = check_file(strbuf_text(&command->path));
        if (error == 0)
            command->error = 0;
        else if (error != ENOENT && error != ENOTDIR)
            command->error = error;
        if (error == 0 || *end == '\0')
            return;
    }
}

/* /bin/sh PATH ARGUMENTS */
static int
take_script_argv(struct command *command, char *const *argv)
{
    size_t count = 0;

    while (argv[count] != NULL)
        count++;
    command->script_argv = calloc(count + 2, sizeof(*command->script_argv));
    if (command->script_argv == NULL || command->path.failed)
        return -ENOMEM;
    command->script_argv[0] = command->shell;
    command->script_argv[1] = command->path.text;
    for (size_t i = 1; i < count; i++)
        command->script_argv[i + 1] = argv[i];
    return 0;
}

int
command_find(struct command *command, char *const *argv, const char *path_list)
{
    const char *name = argv[0];

    *command = (struct command){.shell = "/bin/sh"};
    strbuf_init(&command->path);
    if (strchr(name, '/') != NULL)
        strbuf_puts(&command->path, name);
    else if (*name == '\0')
        command->error = ENOENT;
    else
        search(command, name, path_list != NULL ? path_list : default_path);
    return take_script_argv(command, argv);
}

void
command_done(struct command *command)
{
    strbuf_done(&command->path);
    free(command->script_argv);
    command->script_argv = NULL;
}
