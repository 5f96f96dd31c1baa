/* SPDX-License-Identifier: MIT */
/* Each option: its name, its help, and how its value is taken. */
#include "commands/options_table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "views/picture.h"

static const int64_t day_ns = 86400 * NUM_NS_PER_S;
static const int64_t century_ns = 36500 * (86400 * NUM_NS_PER_S);

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
    options->has_log_format = true;
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

/* 1e9 is a number to Python and awk, but not to pmon. */
static const char *
exponent_hint(const char *value)
{
    size_t digits = strspn(value, "0123456789.");

    return digits > 0 && (value[digits] == 'e' || value[digits] == 'E')
               ? "; not with an exponent"
               : "";
}

static int
take_time(int64_t *where, int64_t least_ns, int64_t most_ns, const char *name,
          const char *value, const char *allowed, struct error *error)
{
    int64_t ns;

    if (num_parse_time(value, &ns) < 0 || ns < least_ns || ns > most_ns)
        return error_set(error, -EINVAL, "--%s %.64s: %s%s", name, value,
                         allowed, exponent_hint(value));
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
    return take_time(&options->interval_ns, NUM_NS_PER_MS, day_ns, name, value,
                     "1 ms to 1 day (as 0.1, 100ms, 5s, 1min), or auto", error);
}

static int
take_duration(struct options *options, const char *name, const char *value,
              struct error *error)
{
    return take_time(&options->duration_ns, 1, century_ns, name, value,
                     "a time above 0, up to 100 years, as 10, 500ms, 5min or "
                     "2h",
                     error);
}

static int
take_pid(struct options *options, const char *name, const char *value,
         struct error *error)
{
    int pid;

    if (num_parse_pid(value, &pid) < 0)
        return error_set(error, -EINVAL,
                         "--%s %.64s: a process id, 1 to 4194304", name, value);
    if (options->attach_pid != 0 && options->attach_pid != pid)
        return error_set(error, -EINVAL,
                         "--%s %d: --%s %d is given already; start a pmon for "
                         "each process",
                         name, pid, name, options->attach_pid);
    options->attach_pid = pid;
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
    options->has_kill_after = true;
    return take_time(&options->kill_after_ns, 0, century_ns, name, value,
                     "a time up to 100 years, as 10, 500ms or 1min", error);
}

/* LIMIT[:fail|stop] */
static int
take_budget(struct budget *budget, enum budget_action otherwise, bool is_size,
            const char *name, const char *value, struct error *error)
{
    const char *colon = strrchr(value, ':');
    size_t size = colon != NULL ? (size_t)(colon - value) : strlen(value);
    char limit[64] = "";
    int rc = -EINVAL;

    if (size < sizeof(limit))
        memcpy(limit, value, size);
    budget->action = otherwise;
    if (colon != NULL && strcmp(colon, ":stop") == 0)
        budget->action = BUDGET_STOP;
    else if (colon != NULL && strcmp(colon, ":fail") == 0)
        budget->action = BUDGET_FAIL;
    else if (colon != NULL)
        limit[0] = '\0';
    rc = is_size ? num_parse_size(limit, &budget->limit)
                 : num_parse_time(limit, &budget->limit);
    if (rc == 0 && budget->limit > 0 &&
        (is_size || budget->limit <= century_ns))
        return 0;
    return error_set(error, -EINVAL, "--%s %.64s: %s, with :fail or :stop%s",
                     name, value,
                     is_size ? "a size above 0, up to 8171P, as 500M, 2G or 2GB"
                             : "a time above 0, up to 100 years, as 90, 500ms "
                               "or 10min",
                     exponent_hint(value));
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

const struct option_row options_table[OPTIONS_ROWS] = {
    {{"log", 'l', "FILE", "write a row each interval to FILE"}, take_log, 0, 0},
    {{"log-format", 0, "plain|csv|jsonl",
      "psrecord's plain log (default), its csv, or JSON"},
     take_log_format,
     0,
     0},
    {{"interval", 'i', "TIME|auto",
      "time between rows, 1ms to 1 day (default 0.1)"},
     take_interval,
     0,
     0},
    {{"duration", 'd', "TIME", "end the rows after TIME; the step goes on"},
     take_duration,
     0,
     0},
    {{"include-children", 0, NULL, "count the whole process tree (default)"},
     NULL,
     offsetof(struct options, root_only),
     false},
    {{"no-children", 0, NULL, "count the first process alone"},
     FLAG(root_only)},
    {{"include-io", 0, NULL, "four more columns: I/O calls and bytes"},
     FLAG(include_io)},
    {{"pss", 0, NULL, "memory with shared pages counted once, too"}, FLAG(pss)},
    {{"exact", 0, NULL, "use a control group of the step's own, if allowed"},
     FLAG(exact)},
    {{"append-peak", 0, "CSV", "append the peak to the step's profile CSV"},
     take_append_peak,
     0,
     0},
    {{"step", 0, "NAME", "log, profile and summary named by NAME, in DIR"},
     take_step,
     0,
     0},
    {{"results", 0, "DIR", "the folder for --step (default .)"},
     take_results,
     0,
     0},
    {{"summary", 0, "FILE", "write all figures as JSON to FILE"},
     take_summary,
     0,
     0},
    {{"plot", 0, "FILE", "draw the run at its end: .svg, .png or .pdf"},
     take_plot,
     0,
     0},
    {{"regions", 0, "DIR", "collect the regions that the step marks, in DIR"},
     take_regions,
     0,
     0},
    {{"survivors", 0, "WHAT",
      "when the step ends: leave (default), wait, kill"},
     take_survivors,
     0,
     0},
    {{"kill-after", 0, "TIME", "from TERM to KILL (default 10)"},
     take_kill_after,
     0,
     0},
    {{"max-rss", 0, "SIZE[:fail|stop]",
      "budget: fail (default) or stop when exceeded"},
     take_max_rss,
     0,
     0},
    {{"max-time", 0, "TIME[:fail|stop]", "budget: fail or stop (default)"},
     take_max_time,
     0,
     0},
    {{"max-cpu-time", 0, "TIME[:fail|stop]", "budget: fail (default) or stop"},
     take_max_cpu_time,
     0,
     0},
    {{"full-commands", 0, NULL, "whole command lines in the summary"},
     FLAG(full_commands)},
    {{"live", 0, NULL, "one line of status on a terminal meanwhile"},
     FLAG(live)},
    {{"pid", 'p', "PID", "record a process that runs already"}, take_pid, 0, 0},
    {{"quiet", 'q', NULL, "print errors only"}, FLAG(is_quiet)},
    {{"verbose", 'v', NULL, "say how good the figures are, too"},
     FLAG(is_verbose)},
    {{"version", 'V', NULL, "print the version"}, FLAG(wants_version)},
    {{"help", 'h', NULL, "print this help"}, FLAG(wants_help)},
};
