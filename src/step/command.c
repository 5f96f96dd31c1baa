/* SPDX-License-Identifier: MIT */
/* Looks a command up in PATH. */
#include "step/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char default_path[] = "/bin:/usr/bin"; /* confstr(3), _CS_PATH */

/* name in each of the folders; an empty one is the working folder. */
static size_t
write_paths(struct strbuf *text, const char *name, const char *path_list)
{
    const char *end;
    size_t count = 0;

    for (const char *begin = path_list;; begin = end + 1) {
        end = strchrnul(begin, ':');
        strbuf_append(text, begin, (size_t)(end - begin));
        if (end > begin)
            strbuf_putc(text, '/');
        strbuf_append(text, name, strlen(name) + 1);
        count++;
        if (*end == '\0')
            return count;
    }
}

static int
take_paths(struct command *command, size_t count)
{
    char *at = command->text.text;

    command->paths = calloc(count + 1, sizeof(*command->paths));
    if (command->paths == NULL || command->text.failed)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        command->paths[i] = at;
        at += strlen(at) + 1;
    }
    return 0;
}

/* /bin/sh PATH ARGUMENTS; PATH is not known yet. */
static int
take_script_argv(struct command *command)
{
    size_t count = 0;

    while (command->argv[count] != NULL)
        count++;
    command->script_argv = calloc(count + 2, sizeof(*command->script_argv));
    if (command->script_argv == NULL)
        return -ENOMEM;
    command->script_argv[0] = command->shell;
    for (size_t i = 1; i < count; i++)
        command->script_argv[i + 1] = command->argv[i];
    return 0;
}

int
command_find(struct command *command, char *const *argv, const char *path_list)
{
    const char *name = argv[0];
    size_t count = 0;
    int rc;

    *command = (struct command){.argv = argv, .shell = "/bin/sh"};
    strbuf_init(&command->text);
    if (strchr(name, '/') != NULL)
        count = write_paths(&command->text, name, "");
    else if (*name != '\0')
        count = write_paths(&command->text, name,
                            path_list != NULL ? path_list : default_path);
    rc = take_paths(command, count);
    return rc == 0 ? take_script_argv(command) : rc;
}

/* Whether the search goes on behind a file that gave this errno. */
static bool
is_passed_over(int error)
{
    return error == EACCES || error == ENOENT || error == ENOTDIR ||
           error == ESTALE || error == ENODEV || error == ETIMEDOUT;
}

int
command_execute(const struct command *command)
{
    int error = ENOENT;

    for (size_t i = 0; command->paths[i] != NULL; i++) {
        execve(command->paths[i], command->argv, environ);
        if (errno == ENOEXEC) {
            command->script_argv[1] = command->paths[i];
            execve(command->shell, command->script_argv, environ);
        }
        if (!is_passed_over(errno))
            return errno;
        if (error != EACCES)
            error = errno;
    }
    return error;
}

void
command_done(struct command *command)
{
    strbuf_done(&command->text);
    free(command->paths);
    free(command->script_argv);
    *command = (struct command){0};
}
