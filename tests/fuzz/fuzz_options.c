/* SPDX-License-Identifier: MIT */
/* Command lines, an argument a line: the main job, plot, watch. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "commands/options.h"
#include "commands/plot_options.h"
#include "fuzz/fuzz.h"
#include "watch/settings.h"

enum { MOST = 32 };

/* 0 for a command line that is taken. */
static int
check_result(int rc, const struct error *error)
{
    if (rc < 0)
        fuzz_check_error(error);
    else
        FUZZ_CHECK(rc == 0 || rc == OPTION_HELP || rc == OPTION_VERSION);
    return rc;
}

static void
check_main_job(int argc, char **argv)
{
    struct error error = {0};
    struct options options;

    if (check_result(options_parse(&options, argc, argv, &error), &error) != 0)
        return;
    FUZZ_CHECK((options.attach_pid != 0) == (options.argv == NULL));
    FUZZ_CHECK(options.interval_ns == NUM_UNKNOWN ||
               options.interval_ns >= NUM_NS_PER_MS);
    FUZZ_CHECK(options.kill_after_ns >= 0);
    for (int i = 0; i < BUDGET_KINDS; i++)
        FUZZ_CHECK(options.budgets.list[i].limit >= NUM_UNKNOWN);
}

static void
check_plot(int argc, char **argv)
{
    struct plot_options options;
    struct error error = {0};

    if (check_result(plot_options_parse(&options, argc, argv, &error),
                     &error) == 0)
        FUZZ_CHECK(options.count > 0 &&
                   options.load.from_ns <= options.load.to_ns);
}

static void
check_watch(int argc, char **argv)
{
    struct error error = {0};
    struct settings flags;

    if (check_result(settings_parse(&flags, argc, argv, &error), &error) == 0)
        FUZZ_CHECK(flags.filters.count > 0 || flags.env_prefix != NULL);
    settings_done(&flags);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const checks[])(int argc, char **argv) = {
        check_main_job, check_plot, check_watch};

    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
        char *text = fuzz_text(data, size);
        char *argv[MOST];
        int argc = fuzz_arguments(text, "pmon", argv, MOST);

        checks[i](argc, argv);
        free(text);
    }
    return 0;
}
