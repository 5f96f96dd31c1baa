/* SPDX-License-Identifier: MIT */
/* Picks the command, prints the one error, returns the status. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands/commands.h"
#include "commands/say.h"

static const char *
environment(const char *name)
{
    return getenv(name);
}

int
main(int argc, char **argv)
{
    struct context context = {.clock = &clock_system,
                              .environment = environment};
    const struct command *command = argc > 1 ? commands_find(argv[1]) : NULL;
    struct error error = {0};
    int status;

    if (argc < 2) {
        commands_say_usage();
        return STATUS_TROUBLE;
    }
    if (command != NULL)
        status = command->run(argc - 1, argv + 1, &context, &error);
    else
        status =
            (command = &commands_main_job)->run(argc, argv, &context, &error);
    if (status >= 0 && fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (status >= 0)
        say("standard output: cannot be written: %s", error_name(errno));
    else
        say("%s", error.text);
    return command->failure_status;
}
