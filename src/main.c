/* SPDX-License-Identifier: MIT */
/* Selects the command, prints its error, returns the exit status. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/message.h"
#include "commands/commands.h"

static const char *
environment(const char *name)
{
    return getenv(name);
}

/*
 * The command that argv names, with argc and argv moved to it; NULL for the
 * main job.  Scripts, make and Python do not know aliases, so they call
 * psrecord by a link of that name.
 */
static const struct command *
pick_command(int *argc, char ***argv)
{
    const char *name = *argc > 0 ? path_base((*argv)[0]) : "";
    const struct command *command;

    if (strcmp(name, "psrecord") == 0)
        return commands_find(name);
    command = *argc > 1 ? commands_find((*argv)[1]) : NULL;
    if (command != NULL) {
        --*argc;
        ++*argv;
    }
    return command;
}

int
main(int argc, char **argv)
{
    struct context context = {.clock = &clock_system,
                              .environment = environment};
    const struct command *command = pick_command(&argc, &argv);
    struct error error = {0};
    int status;

    if (command == NULL && argc < 2) {
        commands_say_usage();
        return STATUS_TROUBLE;
    }
    if (command != NULL)
        status = command->run(argc, argv, &context, &error);
    else
        status =
            (command = &commands_main_job)->run(argc, argv, &context, &error);
    if (status >= 0 && fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (status >= 0)
        error_unwritable(&error, -errno, "standard output");
    message_print("%s", error.text);
    return command->failure_status;
}
