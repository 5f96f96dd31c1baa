/* SPDX-License-Identifier: MIT */
/*
 * Executes pmon-watch, a separate program: libproc2, which it may be linked to,
 * would make each start of pmon slower.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "commands/commands.h"

#define NAME "pmon-watch"

/*
 * The path of /proc/self/exe with the base name replaced; false if it does not
 * fit.
 */
static bool
find_beside(char *path, size_t size)
{
    ssize_t got = readlink("/proc/self/exe", path, size - sizeof(NAME));
    char *slash;

    if (got <= 0)
        return false;
    path[got] = '\0';
    slash = strrchr(path, '/');
    if (slash == NULL)
        return false;
    strcpy(slash + 1, NAME);
    return true;
}

int
watch_command(int argc, char **argv, const struct context *context,
              struct error *error)
{
    char path[PATH_MAX];
    char name[] = NAME;
    int rc = ENOENT;

    (void)argc;
    (void)context;
    argv[0] = name;
    if (find_beside(path, sizeof(path))) {
        execv(path, argv);
        rc = errno;
    }
    execvp(name, argv);
    if (rc == ENOENT || rc == ENOTDIR)
        rc = errno;
    if (rc != ENOENT && rc != ENOTDIR)
        return error_set(error, -rc, "watch: pmon-watch cannot be run: %s",
                         error_name(rc));
    message_print("watch: pmon-watch was not found beside pmon or on PATH: "
                  "install it with make install, or as a package");
    return STATUS_NOT_FOUND;
}
