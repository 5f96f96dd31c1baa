/* SPDX-License-Identifier: MIT */
/* Command line → struct options; reads argv and nothing else. */
#include "commands/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/num.h"
#include "views/picture.h"

struct option_row {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* NULL: takes none */
    const char *help;
    int (*take)(struct options *options, const char *name, const char *value,
                struct error *error);
    size_t flag; /* where take is NULL: a bool of struct options, */
    bool sets;   /* and what it becomes */
};

static int
take_file(const char **where, const char *name, const char *value,
          struct error *error)
{
    if (strcmp(value, "-") == 0)
        return error_set(error, -EINVAL,
                         "--%s -: write to /dev/stdout by that name", name);
    if (*value == '\0' || strcmp(value, "--") == 0)
        return error_set(error, -EINVAL, "--%s needs the name of a file", name);
    *where = value;
    return 0;
}

static int
take_log(struct options *options, const char *name, const char *value,
         struct error *error)
{
    return take_file(&options->log, name, value, error);
}

static int
take_append_peak(struct options *options, const char *name, const char *value,
                 struct error *error)
{
    return take_file(&options->append_peak, name, value, error);
}

static int
take_summary(struct options *options, const char *name, const char *value,
             struct error *error)
{
    return take_file(&options->summary, name, value, error);
}

static int
take_plot(struct options *options, const char *name, const char *value,
          struct error *error)
{
    enum picture_format format;

    if (picture_format_of(value, &format) < 0)
        return error_set(error, -EINVAL,
                         "--%s %s: the name has to end in .svg, .png or .pdf",
                         name, value);
    return take_file(&options->plot, name, value, error);
}

static int
take_regions(struct options *options, const char *name, const char *value,
             struct error *error)
{
    return take_file(&options->regions, name, value, error);
}

static int
take_results(struct options *options, const char *name, const char *value,
             struct error *error)
{
    return take_file(&options->results, name, value, error);
}

static int
take_step(struct options *options, const char *name, const char *value,
          struct error *error)
{
    if (*value == '\0')
        return error_set(error, -EINVAL, "--%s needs a name", name);
    options->step = value;
    return 0;
}

static int
take_log_format(struct options *options, const char *name, const char *value,
                struct error *error)
{
    if (strcmp(value, "plain") == 0)
        options->log_format = LOG_PLAIN;
    else if (strcmp(value, "csv") == 0)
        options->log_format = LOG_CSV;
    else if (strcmp(value, "jsonl") == 0)
        options->log_format = LOG_JSONL;
    else
        return error_set(error, -EINVAL, "--%s %.64s: plain, csv or jsonl",
                         name, value);
    return 0;
}

static int
take_time(int64_t *where, int64_t least_ns, const char *name, const char *value,
          const char *allowed, struct error *error)
{
    int64_t ns;

    if (num_parse_time(value, &ns) < 0 || ns < least_ns ||
        ns > 86400 * NUM_NS_PER_S * (least_ns > 0 ? 1 : 36500))
        return error_set(error, -EINVAL, "--%s %.64s: %s", name, value,
                         allowed);
    *where = ns;
    return 0;
}

static int
take_interval(struct options *options, const char *name, const char *value,
              struct error *error)
{
    if (strcmp(value, "auto") == 0) {
        options->interval_ns = NUM_UNKNOWN;
        return 0;
    }
    return take_time(&options->interval_ns, NUM_NS_PER_MS, name, value,
                     "1 ms to 1 day (as 0.1, 100ms, 5s, 1min), or auto", error);
}

static int
take_duration(struct options *options, const char *name, const char *value,
              struct error *error)
{
    int rc = take_time(&options->duration_ns, 0, name, value,
                       "a time above 0, as 10, 500ms, 5min or 2h", error);

    if (rc == 0 && options->duration_ns == 0)
        return error_set(error, -EINVAL, "--%s %.64s: a time above 0", name,
                         value);
    return rc;
}

static int
take_pid(struct options *options, const char *name, const char *value,
         struct error *error)
{
    if (num_parse_pid(value, &options->attach_pid) < 0)
        return error_set(error, -EINVAL,
                         "--%s %.64s: a process id, 1 to 4194304", name, value);
    return 0;
}

static int
take_survivors(struct options *options, const char *name, const char *value,
               struct error *error)
{
    if (strcmp(value, "leave") == 0)
        options->survivors = SURVIVORS_LEAVE;
    else if (strcmp(value, "wait") == 0)
        options->survivors = SURVIVORS_WAIT;
    else if (strcmp(value, "kill") == 0)
        options->survivors = SURVIVORS_KILL;
    else
        return error_set(error, -EINVAL, "--%s %.64s: leave, wait or kill",
                         name, value);
    return 0;
}

static int
take_kill_after(struct options *options, const char *name, const char *value,
                struct error *error)
{
    return take_time(&options->kill_after_ns, 0, name, value,
                     "a time, as 10, 500ms or 1min", error);
}

/* LIMIT[:fail|stop] */
static int
take_budget(struct budget *budget, enum budget_action otherwise, bool is_size,
            const char *name, const char *value, struct error *error)
{
    const char *colon = strrchr(value, ':');
    char limit[64];
    int rc = -EINVAL;

    snprintf(limit, sizeof(limit), "%.*s",
             colon != NULL ? (int)(colon - value) : 63, value);
    budget->action = otherwise;
    if (colon != NULL && strcmp(colon, ":stop") == 0)
        budget->action = BUDGET_STOP;
    else if (colon != NULL && strcmp(colon, ":fail") == 0)
        budget->action = BUDGET_FAIL;
    else if (colon != NULL)
        limit[0] = '\0';
    rc = is_size ? num_parse_size(limit, &budget->limit)
                 : num_parse_time(limit, &budget->limit);
    if (rc == 0 && budget->limit > 0)
        return 0;
    return error_set(error, -EINVAL, "--%s %.64s: %s, with :fail or :stop",
                     name, value,
                     is_size ? "a size above 0, as 500M, 2G or 2GB"
                             : "a time above 0, as 90, 500ms or 10min");
}

static int
take_max_rss(struct options *options, const char *name, const char *value,
             struct error *error)
{
    return take_budget(&options->budgets.list[BUDGET_RSS], BUDGET_FAIL, true,
                       name, value, error);
}

static int
take_max_time(struct options *options, const char *name, const char *value,
              struct error *error)
{
    return take_budget(&options->budgets.list[BUDGET_TIME], BUDGET_STOP, false,
                       name, value, error);
}

static int
take_max_cpu_time(struct options *options, const char *name, const char *value,
                  struct error *error)
{
    return take_budget(&options->budgets.list[BUDGET_CPU_TIME], BUDGET_FAIL,
                       false, name, value, error);
}

#define FLAG(member) NULL, offsetof(struct options, member), true

static const struct option_row rows[] = {
    {"log", 'l', "FILE", "write a row each interval to FILE", take_log, 0, 0},
    {"log-format", 0, "plain|csv|jsonl",
     "psrecord's plain log (default), its csv, or JSON", take_log_format, 0, 0},
    {"interval", 'i', "TIME|auto",
     "time between rows, 1ms to 1 day (default 0.1)", take_interval, 0, 0},
    {"duration", 'd', "TIME", "end the rows after TIME; the step goes on",
     take_duration, 0, 0},
    {"include-children", 0, NULL, "count the whole process tree (default)",
     NULL, offsetof(struct options, root_only), false},
    {"no-children", 0, NULL, "count the first process alone", FLAG(root_only)},
    {"include-io", 0, NULL, "four more columns: I/O calls and bytes",
     FLAG(include_io)},
    {"pss", 0, NULL, "memory with shared pages counted once, too", FLAG(pss)},
    {"exact", 0, NULL, "use a control group of the step's own, if allowed",
     FLAG(exact)},
    {"append-peak", 0, "CSV", "append the peak to the step's profile CSV",
     take_append_peak, 0, 0},
    {"step", 0, "NAME", "log, profile and summary named by NAME, in DIR",
     take_step, 0, 0},
    {"results", 0, "DIR", "the folder for --step (default .)", take_results, 0,
     0},
    {"summary", 0, "FILE", "write all figures as JSON to FILE", take_summary, 0,
     0},
    {"plot", 0, "FILE", "draw the run at its end: .svg, .png or .pdf",
     take_plot, 0, 0},
    {"regions", 0, "DIR", "collect the regions that the step marks, in DIR",
     take_regions, 0, 0},
    {"survivors", 0, "WHAT", "when the step ends: leave (default), wait, kill",
     take_survivors, 0, 0},
    {"kill-after", 0, "TIME", "from TERM to KILL (default 10)", take_kill_after,
     0, 0},
    {"max-rss", 0, "SIZE[:fail|stop]",
     "budget: fail (default) or stop when exceeded", take_max_rss, 0, 0},
    {"max-time", 0, "TIME[:fail|stop]", "budget: fail or stop (default)",
     take_max_time, 0, 0},
    {"max-cpu-time", 0, "TIME[:fail|stop]", "budget: fail (default) or stop",
     take_max_cpu_time, 0, 0},
    {"full-commands", 0, NULL, "whole command lines in the summary",
     FLAG(full_commands)},
    {"live", 0, NULL, "one line of status on a terminal meanwhile", FLAG(live)},
    {"pid", 'p', "PID", "record a process that runs already", take_pid, 0, 0},
    {"quiet", 'q', NULL, "print errors only", FLAG(is_quiet)},
    {"verbose", 'v', NULL, "say how good the figures are, too",
     FLAG(is_verbose)},
    {"version", 'V', NULL, "print the version", FLAG(wants_version)},
    {"help", 'h', NULL, "print this help", FLAG(wants_help)},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static void
fill_getopt(struct option *long_options, char *letters)
{
    *letters++ = '+'; /* stop at the first that is no option */
    *letters++ = ':'; /* tell a missing argument from an unknown option */
    for (int i = 0; i < ROWS; i++) {
        long_options[i] = (struct option){
            .name = rows[i].name,
            .has_arg = rows[i].argument ? required_argument : no_argument,
            .val = 256 + i};
        if (rows[i].letter == 0)
            continue;
        *letters++ = rows[i].letter;
        if (rows[i].argument != NULL)
            *letters++ = ':';
    }
    *letters = '\0';
    long_options[ROWS] = (struct option){0};
}

static const struct option_row *
find_row(int code)
{
    for (int i = 0; i < ROWS; i++)
        if (code == 256 + i || (code != 0 && code == rows[i].letter))
            return &rows[i];
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
    struct option long_options[ROWS + 1];
    char letters[2 * ROWS + 3];
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
    for (int i = 0; i < ROWS; i++) {
        char left[64];

        snprintf(left, sizeof(left), "%c%c%s --%s%s%s",
                 rows[i].letter != 0 ? '-' : ' ',
                 rows[i].letter != 0 ? rows[i].letter : ' ',
                 rows[i].letter != 0 ? "," : " ", rows[i].name,
                 rows[i].argument != NULL ? " " : "",
                 rows[i].argument != NULL ? rows[i].argument : "");
        strbuf_printf(out, "  %-33s %s\n", left, rows[i].help);
    }
}
