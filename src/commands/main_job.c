/* SPDX-License-Identifier: MIT */
/* Options of the main job, its help and version; record/ does the work. */
#include "commands/main_job.h"

#include <stdlib.h>

#include "commands/advice.h"
#include "commands/commands.h"
#include "commands/options.h"
#include "record/recorder.h"

int
main_job_command(int argc, char **argv, const struct context *context,
                 struct error *error)
{
    struct options options;
    struct recorder_result result;
    int rc = options_parse(&options, argc, argv, error);

    if (rc < 0)
        return rc;
    if (rc == OPTION_HELP) {
        commands_print_help();
        return EXIT_SUCCESS;
    }
    if (rc == OPTION_VERSION) {
        commands_print_version();
        return EXIT_SUCCESS;
    }
    advice_say_idle(&options);
    rc = recorder_run(&options, context, &result, error);
    return recorder_leave(&result, rc);
}
