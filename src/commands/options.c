/* SPDX-License-Identifier: MIT */
/* Command line → struct options. */
#include "commands/options.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "base/num.h"
#include "commands/advice.h"
#include "commands/options_table.h"

static const struct option_texts texts = {
    options_table, sizeof(options_table[0]), OPTIONS_ROWS, "pmon --help", 33};

static int
take(struct options *options, const struct option_row *row, struct error *error)
{
    bool *flag = (bool *)((char *)options + row->flag);

    if (row->take != NULL)
        return row->take(options, row->text.name, optarg, error);
    *flag = row->sets;
    return 0;
}

static int
parse_options(struct options *options, int argc, char **argv,
              struct error *error)
{
    struct option long_options[OPTIONS_ROWS + 1];
    char letters[2 * OPTIONS_ROWS + 3];
    int code;

    option_texts_getopt(&texts, long_options, letters);
    opterr = 0;
    optind = 0;
    while ((code = getopt_long(argc, argv, letters, long_options, NULL)) !=
           -1) {
        int at = option_texts_find(&texts, code);
        int rc;

        if (at < 0)
            return option_texts_refuse(&texts, code, argv, error);
        rc = take(options, &options_table[at], error);
        if (rc < 0)
            return rc;
        if (options->wants_help || options->wants_version)
            return 0;
    }
    return 0;
}

static bool
sets_budget(const struct budgets *budgets)
{
    for (int i = 0; i < BUDGET_KINDS; i++)
        if (budgets_is_set(&budgets->list[i]))
            return true;
    return false;
}

static int
check(const struct options *options, struct error *error)
{
    if (options->attach_pid != 0 && options->argv != NULL)
        return error_set(error, -EINVAL,
                         "--pid and a command: one or the other");
    if (options->attach_pid == 0 && options->argv == NULL)
        return error_set(error, -EINVAL,
                         "a command is missing: pmon [OPTIONS] -- COMMAND");
    if (options->results != NULL && options->step == NULL)
        return error_set(error, -EINVAL, "--results %s goes with --step NAME",
                         options->results);
    if (options->exact && options->attach_pid != 0)
        return error_set(error, -EINVAL,
                         "--exact goes with a command, not with --pid");
    if (options->regions != NULL && options->attach_pid != 0)
        return error_set(error, -EINVAL,
                         "--regions goes with a command, not with --pid");
    if (options->survivors != SURVIVORS_LEAVE && options->attach_pid != 0)
        return error_set(error, -EINVAL,
                         "--survivors goes with a command, not with --pid");
    if (options->survivors != SURVIVORS_LEAVE && options->root_only)
        return error_set(error, -EINVAL,
                         "--survivors wait and kill do not go with "
                         "--no-children, which does not look for them");
    if (options->attach_pid != 0 && sets_budget(&options->budgets))
        return error_set(error, -EINVAL,
                         "--max-rss, --max-time and --max-cpu-time go with a "
                         "command, not with --pid");
    if (options->is_quiet && options->is_verbose)
        return error_set(error, -EINVAL,
                         "--quiet and --verbose: one or the other");
    return 0;
}

int
options_parse(struct options *options, int argc, char **argv,
              struct error *error)
{
    bool dashed;
    int rc;

    *options = (struct options){.interval_ns = 100 * NUM_NS_PER_MS,
                                .duration_ns = NUM_UNKNOWN,
                                .kill_after_ns = 10 * NUM_NS_PER_S};
    budgets_init(&options->budgets);
    rc = parse_options(options, argc, argv, error);
    if (rc < 0 || options->wants_help || options->wants_version)
        return rc;
    dashed = optind > 1 && strcmp(argv[optind - 1], "--") == 0;
    if (optind < argc && !dashed)
        return options->attach_pid != 0
                   ? error_set(error, -EINVAL,
                               "--pid %d takes no command: %.64s",
                               options->attach_pid, argv[optind])
                   : advice_word(argc, argv, optind, error);
    if (optind < argc)
        options->argv = argv + optind;
    return check(options, error);
}

void
options_help(struct strbuf *out)
{
    option_texts_help(&texts, out);
}
