/* SPDX-License-Identifier: MIT */
/* The table of commands. */
#ifndef PMON_COMMANDS_COMMANDS_H
#define PMON_COMMANDS_COMMANDS_H

#include "base/context.h"
#include "base/error.h"

/*
 * A command returns its exit status, or a negative errno with error filled,
 * which main prints; the status is then failure_status.
 */
struct command {
    const char *name;
    int (*run)(int argc, char **argv, const struct context *context,
               struct error *error);
    int failure_status;
    const char *help;
};

/*
 * The commands, each in the file of its name.  Those that run a step or a
 * command, and watch, may not return.
 */
int compare_command(int argc, char **argv, const struct context *context,
                    struct error *error);
int peak_command(int argc, char **argv, const struct context *context,
                 struct error *error);
int plot_command(int argc, char **argv, const struct context *context,
                 struct error *error);
int psrecord_command(int argc, char **argv, const struct context *context,
                     struct error *error);
int region_command(int argc, char **argv, const struct context *context,
                   struct error *error);
int report_command(int argc, char **argv, const struct context *context,
                   struct error *error);
int watch_command(int argc, char **argv, const struct context *context,
                  struct error *error);

/* The command that argv[1] names, or NULL: the main job. */
const struct command *commands_find(const char *name);

/* The main job, which has no name. */
extern const struct command commands_main_job;

/* pmon without arguments: five lines on stderr. */
void commands_say_usage(void);

/* The name of the command in that row of the table; NULL behind the last. */
const char *commands_name(int row);

#endif
