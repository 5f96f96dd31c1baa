/* SPDX-License-Identifier: MIT */
/* Command line → struct options; reads argv and nothing else. */
#include "commands/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/num.h"
#include "commands/options_table.h"
#include "views/picture.h"

static void
fill_getopt(struct option *long_options, char *letters)
{
    *letters++ = '+'; /* stop at the first that is no option */
    *letters++ = ':'; /* tell a missing argument from an unknown option */
    for (int i = 0; i < OPTIONS_ROWS; i++) {
        long_options[i] = (struct option){.name = options_table[i].name,
                                          .has_arg = options_table[i].argument
                                                         ? required_argument
                                                         : no_argument,
                                          .val = 256 + i};
        if (options_table[i].letter == 0)
            continue;
        *letters++ = options_table[i].letter;
        if (options_table[i].argument != NULL)
            *letters++ = ':';
    }
    *letters = '\0';
    long_options[OPTIONS_ROWS] = (struct option){0};
}

static const struct option_row *
find_row(int code)
{
    for (int i = 0; i < OPTIONS_ROWS; i++)
        if (code == 256 + i || (code != 0 && code == options_table[i].letter))
            return &options_table[i];
    return NULL;
}

static int
say_unknown(int code, char **argv, struct error *error)
{
    const struct option_row *row = find_row(optopt);

    if (code == ':' && row != NULL)
        return error_set(error, -EINVAL, "--%s needs %s", row->name,
                         row->argument);
    if (row != NULL)
        return error_set(error, -EINVAL, "--%s takes no value", row->name);
    if (optopt != 0)
        return error_set(error, -EINVAL, "-%c: no such option (pmon --help)",
                         optopt);
    return error_set(error, -EINVAL, "%s: no such option (pmon --help)",
                     argv[optind - 1]);
}

static int
take(struct options *options, const struct option_row *row, struct error *error)
{
    bool *flag = (bool *)((char *)options + row->flag);

    if (row->take != NULL)
        return row->take(options, row->name, optarg, error);
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

    fill_getopt(long_options, letters);
    opterr = 0;
    optind = 0;
    while ((code = getopt_long(argc, argv, letters, long_options, NULL)) !=
           -1) {
        const struct option_row *row =
            code != '?' && code != ':' ? find_row(code) : NULL;
        int rc;

        if (row == NULL)
            return say_unknown(code, argv, error);
        rc = take(options, row, error);
        if (rc < 0)
            return rc;
        if (options->wants_help || options->wants_version)
            return 0;
    }
    return 0;
}

/* `pmon sleep 5`: the whole line, as it should have been typed. */
static int
say_dashes(int argc, char **argv, struct error *error)
{
    STRBUF_AUTO line = {0};
    int pid;

    if (optind + 1 == argc && num_parse_pid(argv[optind], &pid) == 0)
        return error_set(error, -EINVAL, "did you mean --pid %d?", pid);
    for (int i = 1; i < argc; i++) {
        strbuf_puts(&line, i == optind ? " -- " : " ");
        escape_shell(&line, argv[i]);
    }
    return error_set(error, -EINVAL, "put -- before the command: pmon%s",
                     strbuf_text(&line));
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
        return say_dashes(argc, argv, error);
    if (optind < argc)
        options->argv = argv + optind;
    return check(options, error);
}

void
options_help(struct strbuf *out)
{
    for (int i = 0; i < OPTIONS_ROWS; i++) {
        char left[64];

        snprintf(
            left, sizeof(left), "%c%c%s --%s%s%s",
            options_table[i].letter != 0 ? '-' : ' ',
            options_table[i].letter != 0 ? options_table[i].letter : ' ',
            options_table[i].letter != 0 ? "," : " ", options_table[i].name,
            options_table[i].argument != NULL ? " " : "",
            options_table[i].argument != NULL ? options_table[i].argument : "");
        strbuf_printf(out, "  %-33s %s\n", left, options_table[i].help);
    }
}
