/* SPDX-License-Identifier: MIT */
/* The options of the main job: their table, and the parsing of values. */
#include "commands/options.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "commands/advice.h"
#include "model/run.h"
#include "views/picture.h"

#define DAY_NS (86400 * NUM_NS_PER_S)
#define CENTURY_NS (36500 * DAY_NS)

static const char *const log_formats[] = {
    [LOG_PLAIN] = "plain", [LOG_CSV] = "csv", [LOG_JSONL] = "jsonl", NULL};

static const char *const survivors[] = {[SURVIVORS_LEAVE] = "leave",
                                        [SURVIVORS_WAIT] = "wait",
                                        [SURVIVORS_KILL] = "kill",
                                        NULL};

int
options_take_picture(const struct option_row *row, void *settings,
                     const char *value, struct error *error)
{
    enum picture_format format;

    (void)error;
    if (picture_format_of(value, &format) < 0)
        return -EINVAL;
    *(const char **)((char *)settings + row->where) = value;
    return 0;
}

static int
take_interval(const struct option_row *row, void *settings, const char *value,
              struct error *error)
{
    struct options *options = settings;
    int64_t ns = NUM_UNKNOWN;

    (void)error;
    if (strcmp(value, "auto") != 0 &&
        (num_parse_time(value, &ns) < 0 || ns < row->least || ns > row->most))
        return -EINVAL;
    options->interval_ns = ns;
    return 0;
}

static int
take_pid(const struct option_row *row, void *settings, const char *value,
         struct error *error)
{
    struct options *options = settings;
    int pid;

    (void)row;
    if (num_parse_pid(value, &pid) < 0)
        return error_set(error, -EINVAL,
                         "--pid %.64s: must be a process id, 1 to 4194304",
                         value);
    if (options->attach_pid != 0 && options->attach_pid != pid)
        return error_set(error, -EINVAL,
                         "--pid %d: --pid %d was already given; start one "
                         "pmon for each process",
                         pid, options->attach_pid);
    options->attach_pid = pid;
    return 0;
}

/* 1% to 99%: converted to bytes when the run begins. */
static int
take_percent(struct budget *budget, char *text)
{
    uint64_t percent;
    char *sign = strchr(text, '%');

    if (sign[1] != '\0')
        return -EINVAL;
    *sign = '\0';
    if (num_parse_u64(text, &percent) < 0 || percent < 1 || percent > 99)
        return -EINVAL;
    budget->percent = (int64_t)percent;
    budget->limit = 0;
    return 0;
}

/* LIMIT[:fail|stop] */
static int
take_budget(const struct option_row *row, void *settings, const char *value,
            struct error *error)
{
    struct options *options = settings;
    struct budget *budget = (void *)((char *)settings + row->where);
    enum budget_kind kind = (enum budget_kind)(budget - options->budgets.list);
    const char *colon = strrchr(value, ':');
    size_t size = colon != NULL ? (size_t)(colon - value) : strlen(value);
    char limit[64] = "";
    int rc;

    (void)error;
    if (size >= sizeof(limit))
        return -EINVAL;
    memcpy(limit, value, size);
    budget->action =
        kind == BUDGET_TIME || kind == BUDGET_FREE ? BUDGET_STOP : BUDGET_FAIL;
    if (colon != NULL && strcmp(colon, ":stop") == 0)
        budget->action = BUDGET_STOP;
    else if (colon != NULL && strcmp(colon, ":fail") == 0)
        budget->action = BUDGET_FAIL;
    else if (colon != NULL)
        return -EINVAL;
    budget->percent = 0;
    if (kind == BUDGET_FREE && strchr(limit, '%') != NULL)
        return take_percent(budget, limit);
    rc = budgets_is_size(kind) ? num_parse_size(limit, &budget->limit)
                               : num_parse_time(limit, &budget->limit);
    return rc == 0 && budget->limit > 0 && budget->limit <= row->most ? 0
                                                                      : -EINVAL;
}

/* NAME=VALUE; a NAME that is given again takes the place of the first. */
static int
take_tag(const struct option_row *row, void *settings, const char *value,
         struct error *error)
{
    struct options *options = settings;
    size_t size = run_tag_name_size(value);
    int i = 0;

    (void)row;
    if (size == 0 || value[size] != '=')
        return error_set(
            error, -EINVAL,
            "--tag %.64s: must be NAME=VALUE, with a NAME of letters, "
            "digits, _, - and . that begins with a letter",
            value);
    while (options->tags[i] != NULL &&
           strncmp(options->tags[i], value, size + 1) != 0)
        i++;
    if (i == RUN_TAGS)
        return error_set(error, -EINVAL,
                         "--tag %.64s: a run has at most %d tags", value,
                         RUN_TAGS);
    options->tags[i] = value;
    return 0;
}

#define AT(member) .where = offsetof(struct options, member)
#define BUDGET(at) \
    .kind = OPTION_CALL, AT(budgets.list[at]), .take = take_budget
#define TIME_BUDGET                                                         \
    .most = CENTURY_NS, .allowed =                                          \
                            "a time above 0, up to 100 years, such as 90, " \
                            "500ms or 10min, with :fail or :stop"
#define SIZE_BUDGET                                                         \
    .most = INT64_MAX, .allowed =                                           \
                           "a size above 0, up to 8171P, such as 500M, 2G " \
                           "or 2GB, with :fail or :stop"

static const struct option_row rows[] = {
    {"log", 'l', "FILE", "write a row each interval to FILE",
     .kind = OPTION_OUTPUT, AT(log)},
    {"log-format", 0, "plain|csv|jsonl",
     "psrecord's plain (default), csv, or JSON", .kind = OPTION_CHOICE,
     AT(log_format), .choices = log_formats},
    {"interval", 'i', "TIME|auto",
     "time between rows, 1ms to 1 day (default 0.1)", .kind = OPTION_CALL,
     .take = take_interval, .least = NUM_NS_PER_MS, .most = DAY_NS,
     .allowed = "1 ms to 1 day (such as 0.1, 100ms, 5s, 1min), or auto"},
    {"duration", 'd', "TIME", "stop recording after TIME; the step goes on",
     .kind = OPTION_TIME, AT(duration_ns), .least = 1, .most = CENTURY_NS,
     .allowed =
         "a time above 0, up to 100 years, such as 10, 500ms, 5min or 2h"},
    {"include-children", 0, NULL, "count the whole process tree (default)",
     .kind = OPTION_FLAG_OFF, AT(root_only)},
    {"no-children", 0, NULL, "count only the first process",
     .kind = OPTION_FLAG, AT(root_only)},
    {"include-io", 0, NULL, "add four columns: I/O calls and bytes",
     .kind = OPTION_FLAG, AT(include_io)},
    {"pss", 0, NULL, "also report PSS: shared pages count once",
     .kind = OPTION_FLAG, AT(pss)},
    {"exact", 0, NULL, "run the step in its own control group, if allowed",
     .kind = OPTION_FLAG, AT(exact)},
    {"processes", 0, "FILE", "write rows of each process to FILE",
     .kind = OPTION_OUTPUT, AT(processes)},
    {"append-peak", 0, "CSV", "append the peak to the step's profile CSV",
     .kind = OPTION_OUTPUT, AT(append_peak)},
    {"step", 0, "NAME", "write log, profile and summary, named after NAME",
     .kind = OPTION_NAME, AT(step)},
    {"results", 0, "DIR", "folder for the files of --step (default .)",
     .kind = OPTION_OUTPUT, AT(results)},
    {"tag", 0, "NAME=VALUE", "note NAME and VALUE in the summary",
     .kind = OPTION_CALL, .take = take_tag},
    {"summary", 0, "FILE", "write all figures as JSON to FILE",
     .kind = OPTION_OUTPUT, AT(summary)},
    {"plot", 0, "FILE", "at the end, draw the run: .svg, .png or .pdf",
     .kind = OPTION_CALL, AT(plot), OPTIONS_PICTURE},
    {"regions", 0, "DIR", "collect the regions of the step in DIR",
     .kind = OPTION_OUTPUT, AT(regions)},
    {"survivors", 0, "WHAT", "survivors: leave (default), wait, kill",
     .kind = OPTION_CHOICE, AT(survivors), .choices = survivors},
    {"kill-after", 0, "TIME", "time from SIGTERM to SIGKILL (default 10)",
     .kind = OPTION_TIME, AT(kill_after_ns), .most = CENTURY_NS,
     .allowed = "a time up to 100 years, such as 10, 500ms or 1min"},
    {"max-rss", 0, "SIZE[:fail|stop]", "memory budget: fail (default) or stop",
     BUDGET(BUDGET_RSS), SIZE_BUDGET},
    {"max-time", 0, "TIME[:fail|stop]", "time budget: fail or stop (default)",
     BUDGET(BUDGET_TIME), TIME_BUDGET},
    {"max-cpu-time", 0, "TIME[:fail|stop]",
     "CPU time budget: fail (default) or stop", BUDGET(BUDGET_CPU_TIME),
     TIME_BUDGET},
    {"min-free", 0, "SIZE|N%[:fail|stop]",
     "memory left: fail or stop (default)", BUDGET(BUDGET_FREE),
     .most = INT64_MAX,
     .allowed =
         "a size above 0, such as 500M or 2G, or 1% to 99%, with :fail or "
         ":stop"},
    {"full-commands", 0, NULL, "show whole command lines in the summary",
     .kind = OPTION_FLAG, AT(full_commands)},
    {"no-host", 0, NULL, "leave host name and working directory out",
     .kind = OPTION_FLAG, AT(no_host)},
    {"live", 0, NULL, "show a status line on the terminal", .kind = OPTION_FLAG,
     AT(live)},
    {"pid", 'p', "PID", "record a process that is already running",
     .kind = OPTION_CALL, .take = take_pid},
    {"quiet", 'q', NULL, "print errors only", .kind = OPTION_FLAG,
     AT(is_quiet)},
    {"verbose", 'v', NULL, "also report how good the figures are",
     .kind = OPTION_FLAG, AT(is_verbose)},
    {"version", 'V', NULL, "print the version", .kind = OPTION_VERSION},
    {"help", 'h', NULL, "print this help", .kind = OPTION_HELP},
};

static const struct option_pair excludes[] = {
    {"exact", "pid"},    {"regions", "pid"},           {"survivors", "pid"},
    {"max-rss", "pid"},  {"max-time", "pid"},          {"max-cpu-time", "pid"},
    {"min-free", "pid"}, {"survivors", "no-children"}, {"quiet", "verbose"},
    {NULL, NULL},
};

static const struct option_pair needs[] = {{"results", "step"}, {NULL, NULL}};

const struct option_table options_table = {
    .usage = "usage: pmon [OPTIONS] -- COMMAND [ARG...]\n"
             "       pmon [OPTIONS] --pid PID\n"
             "       pmon peak LOG...\n\n"
             "Runs a workflow step, samples CPU and memory of its whole "
             "process tree, and\n"
             "exits with the step's status.\n",
    .notes = "Times: seconds, or ms, s, min, h.\n"
             "Sizes: bytes, or K, M, G, T of 1024, kB, MB, GB, TB of 1000.\n"
             "In names of files, %h becomes the host, %p the pid, %s the step, "
             "%r the rank,\n"
             "%j the job, %a the array index, %{NAME} the variable NAME, %% a "
             "percent "
             "sign.\n",
    .command = "pmon",
    .rows = rows,
    .count = ARRAY_SIZE(rows),
    .excludes = excludes,
    .needs = needs,
};

static int
take_operands(struct options *options, const struct option_line *line, int argc,
              char **argv, struct error *error)
{
    if (line->count > 0 && options->attach_pid != 0)
        return error_set(error, -EINVAL,
                         "--pid cannot be combined with a command: %.64s",
                         line->operands[0]);
    if (line->count > 0 && !line->is_dashed)
        return advice_word(argc, argv, argc - line->count, error);
    if (line->count > 0)
        options->argv = line->operands;
    else if (options->attach_pid == 0)
        return error_set(error, -EINVAL,
                         "a command is missing: pmon [OPTIONS] -- COMMAND");
    return 0;
}

int
options_parse(struct options *options, int argc, char **argv,
              struct error *error)
{
    struct option_line line;
    int rc;

    *options = (struct options){.interval_ns = 100 * NUM_NS_PER_MS,
                                .duration_ns = NUM_UNKNOWN,
                                .kill_after_ns = 10 * NUM_NS_PER_S};
    budgets_init(&options->budgets);
    rc = option_table_parse(&options_table, options, argc, argv, &line, error);
    if (rc != 0)
        return rc;
    options->has_log_format =
        option_table_has(&options_table, &line, "log-format");
    options->has_kill_after =
        option_table_has(&options_table, &line, "kill-after");
    return take_operands(options, &line, argc, argv, error);
}
