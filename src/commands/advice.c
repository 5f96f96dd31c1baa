/* SPDX-License-Identifier: MIT */
/*
 * Guesses what the user meant.  A word without -- before it may be a command to
 * record, a command of pmon, or a file; if it can be two of these, names both.
 */
#include "commands/advice.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/message.h"
#include "base/near.h"
#include "base/num.h"
#include "commands/commands.h"
#include "commands/options.h"

/* Words with which other programs record a command. */
static bool
is_run_word(const char *word)
{
    return strcmp(word, "run") == 0 || strcmp(word, "record") == 0;
}

/*
 * Whether a word after the command is an option that only pmon has; not --help,
 * --version and others that every program has.
 */
static const struct option_row *
find_option(const char *word)
{
    static const char *const common[] = {"help", "version", "quiet", "verbose"};
    size_t size = strcspn(word, "=");

    if (strncmp(word, "--", 2) != 0)
        return NULL;
    for (size_t i = 0; i < ARRAY_SIZE(common); i++)
        if (strlen(common[i]) + 2 == size &&
            strncmp(word + 2, common[i], size - 2) == 0)
            return NULL;
    return option_table_find(&options_table, word + 2, size - 2);
}

static void
append_word(struct strbuf *line, const char *word)
{
    strbuf_putc(line, ' ');
    escape_shell(line, word);
}

/*
 * Makes the line with pmon's options first; false if none is after the command.
 */
static bool
gather_options(struct strbuf *line, int argc, char **argv, int at)
{
    STRBUF_AUTO rest = {0};
    bool found = false;

    for (int i = 1; i < at; i++)
        append_word(line, argv[i]);
    for (int i = at; i < argc; i++) {
        const struct option_row *option = find_option(argv[i]);

        append_word(option != NULL ? line : &rest, argv[i]);
        found |= option != NULL;
        if (option != NULL && option->argument != NULL &&
            strchr(argv[i], '=') == NULL && i + 1 < argc)
            append_word(line, argv[++i]);
    }
    strbuf_printf(line, " --%s", strbuf_text(&rest));
    return found;
}

static void
append_line(struct strbuf *line, int argc, char **argv, int at, int from)
{
    for (int i = 1; i < at; i++)
        append_word(line, argv[i]);
    strbuf_puts(line, " --");
    for (int i = from; i < argc; i++)
        append_word(line, argv[i]);
}

/* `pmon plto a.txt`, `pmon help`; a program may also have such a name. */
static int
say_command(int argc, char **argv, int at, struct error *error)
{
    STRBUF_AUTO line = {0};
    struct near near;

    near_init(&near, argv[at]);
    for (int i = 0; commands_name(i) != NULL; i++)
        near_try(&near, commands_name(i));
    append_line(&line, argc, argv, at, at);
    if (near.best == NULL)
        return 0;
    if (near.distance == 0)
        return error_set(
            error, -EINVAL,
            "%s: a command of pmon must be the first argument: pmon %s; to "
            "record a program of that name: pmon%s",
            near.best, near.best, strbuf_text(&line));
    return error_set(error, -EINVAL,
                     "%s: no such command, did you mean %s? To record a "
                     "program of that name: pmon%s",
                     argv[at], near.best, strbuf_text(&line));
}

static bool
has_data_suffix(const char *path)
{
    static const char *const suffixes[] = {".txt",   ".csv", ".json",
                                           ".jsonl", ".log", ".dat"};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot != NULL && i < ARRAY_SIZE(suffixes); i++)
        if (strcmp(dot, suffixes[i]) == 0)
            return true;
    return false;
}

/* `pmon memory_log.txt`, `pmon results` */
static int
say_file(const char *path, struct error *error)
{
    STRBUF_AUTO word = {0};
    struct stat st;

    if (stat(path, &st) < 0)
        return 0;
    append_word(&word, path);
    if (S_ISDIR(st.st_mode))
        return error_set(error, -EINVAL,
                         "%s: is a folder: pmon report%s prints a table of it; "
                         "to record a program of that name: pmon --%s",
                         path, strbuf_text(&word), strbuf_text(&word));
    if (!S_ISREG(st.st_mode) || !has_data_suffix(path))
        return 0;
    return error_set(error, -EINVAL,
                     "%s: is a file, not a command: pmon report%s prints a "
                     "table of it, pmon plot%s draws it",
                     path, strbuf_text(&word), strbuf_text(&word));
}

int
advice_word(int argc, char **argv, int at, struct error *error)
{
    STRBUF_AUTO plain = {0};
    STRBUF_AUTO gathered = {0};
    bool is_dashed = at + 1 < argc && strcmp(argv[at + 1], "--") == 0;
    int rc = 0;
    int pid;

    if (at + 1 == argc && num_parse_pid(argv[at], &pid) == 0)
        return error_set(error, -EINVAL, "did you mean --pid %d?", pid);
    if (is_dashed || (is_run_word(argv[at]) && at + 1 < argc)) {
        append_line(&plain, argc, argv, at, at + (is_dashed ? 2 : 1));
        return error_set(error, -EINVAL,
                         "%s: no such command; to record a command: pmon%s",
                         argv[at], strbuf_text(&plain));
    }
    rc = say_command(argc, argv, at, error);
    if (rc == 0 && at + 1 == argc)
        rc = say_file(argv[at], error);
    if (rc < 0)
        return rc;
    append_line(&plain, argc, argv, at, at);
    if (gather_options(&gathered, argc, argv, at))
        return error_set(error, -EINVAL,
                         "put -- before the command, and pmon's options "
                         "before --: pmon%s",
                         strbuf_text(&gathered));
    return error_set(error, -EINVAL, "put -- before the command: pmon%s",
                     strbuf_text(&plain));
}

static bool
may_kill(const struct options *options)
{
    for (int i = 0; i < BUDGET_KINDS; i++)
        if (budgets_is_set(&options->budgets.list[i]) &&
            options->budgets.list[i].action == BUDGET_STOP)
            return true;
    return options->survivors == SURVIVORS_KILL;
}

void
advice_say_idle(const struct options *options)
{
    if (options->is_quiet)
        return;
    if (options->has_kill_after && !may_kill(options))
        message_print(
            "--kill-after has no effect without --max-time, a budget with "
            ":stop, or --survivors kill");
    if (options->has_log_format && options->log == NULL &&
        options->step == NULL)
        message_print("--log-format has no effect without --log or --step");
    if (options->full_commands && options->summary == NULL &&
        options->step == NULL)
        message_print(
            "--full-commands has no effect without --summary or --step");
}
