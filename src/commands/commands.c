/* SPDX-License-Identifier: MIT */
/* The table of commands; the main job, help and version. */
#include "commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "commands/advice.h"
#include "commands/options.h"
#include "config.h"
#include "record/recorder.h"

static const struct command commands[] = {
    {"compare", compare_command, 2, "print what changed between runs"},
    {"peak", peak_command, 1, "print the peak of a log, as a block for a CSV"},
    {"plot", plot_command, 1, "draw logs or summaries, to a file or as text"},
    {"psrecord", psrecord_command, STATUS_TROUBLE,
     "accept psrecord's command line"},
    {"region", region_command, STATUS_TROUBLE, "mark a phase of a script"},
    {"report", report_command, 1, "print a table of runs, regions or profiles"},
    {"watch", watch_command, STATUS_NOT_FOUND,
     "record processes chosen by name, as a daemon"},
};

enum { COMMANDS = ARRAY_SIZE(commands) };

static void
print_version(void)
{
    printf("pmon %s\n", PACKAGE_VERSION);
}

static void
print_help(void)
{
    STRBUF_AUTO options = {0};

    option_table_help(&options_table, &options);
    printf("%s\nCommands:\n", strbuf_text(&options));
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-28s %s\n", commands[i].name, commands[i].help);
    printf(
        "\nExit status: the step's; 123 a budget was exceeded, 124 --max-time "
        "stopped it,\n125 pmon could not start it, 126 it cannot be "
        "executed, 127 it was not found,\n128 + n it was ended by signal "
        "n.  See pmon(1).\n");
}

/* pmon without the name of a command: records a step. */
static int
main_job_command(int argc, char **argv, const struct context *context,
                 struct error *error)
{
    struct options options;
    struct recorder_result result;
    int rc = options_parse(&options, argc, argv, error);

    if (rc < 0)
        return rc;
    if (rc == OPTION_HELP) {
        print_help();
        return EXIT_SUCCESS;
    }
    if (rc == OPTION_VERSION) {
        print_version();
        return EXIT_SUCCESS;
    }
    advice_say_idle(&options);
    rc = recorder_run(&options, context, &result, error);
    return recorder_leave(&result, rc);
}

const struct command commands_main_job = {"", main_job_command, STATUS_TROUBLE,
                                          ""};

/* As in git: `help`, `help COMMAND` and `version`, without dashes. */
static int
help_command(int argc, char **argv, const struct context *context,
             struct error *error)
{
    char flag[] = "--help";
    char *line[] = {argc > 1 ? argv[1] : NULL, flag, NULL};
    const struct command *command = argc > 1 ? commands_find(argv[1]) : NULL;

    if (argc > 2 || (argc > 1 && (command == NULL || command->help == NULL)))
        return error_set(error, -EINVAL,
                         "help %.64s: no such command; pmon help lists them",
                         argv[1]);
    if (command != NULL)
        return command->run(2, line, context, error);
    print_help();
    return EXIT_SUCCESS;
}

static int
version_command(int argc, char **argv, const struct context *context,
                struct error *error)
{
    (void)context;
    if (argc > 1)
        return error_set(error, -EINVAL,
                         "version takes no arguments: %.64s; to record a "
                         "program of that name: pmon -- version",
                         argv[1]);
    print_version();
    return EXIT_SUCCESS;
}

static const struct command unlisted[] = {
    {"help", help_command, STATUS_TROUBLE, NULL},
    {"version", version_command, STATUS_TROUBLE, NULL},
};

const char *
commands_name(int row)
{
    return row < COMMANDS ? commands[row].name : NULL;
}

const struct command *
commands_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(unlisted); i++)
        if (strcmp(unlisted[i].name, name) == 0)
            return &unlisted[i];
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

void
commands_say_usage(void)
{
    static const char usage[] =
        "usage: pmon [OPTIONS] -- COMMAND [ARG...]   run a step and record "
        "it\n"
        "       pmon [OPTIONS] --pid PID             record a process that "
        "runs\n"
        "       pmon peak LOG...                     the peak of a log\n"
        "as in  pmon --log memory_log.txt -- ecm_prep\n"
        "       pmon --help says more\n";

    message_write(usage, sizeof(usage) - 1);
}
