/* SPDX-License-Identifier: MIT */
/*
 * Translates psrecord's command line into that of the main job, and prints
 * the two lines on stdout that scripts wait for.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/message.h"
#include "base/num.h"
#include "base/shell_words.h"
#include "base/strbuf.h"
#include "commands/commands.h"
#include "commands/forms.h"
#include "commands/options.h"
#include "record/recorder.h"

enum {
    /*
     * The most words of the main job's command line before those of the step.
     */
    MOST_OPTIONS = 24,
    TIME_SIZE = 32,
};

/* What the user typed; texts belong to argv. */
struct asked {
    const char *process; /* a pid or a command */
    const char *log;
    const char *log_format;
    const char *plot;
    const char *duration;
    const char *interval;
    bool include_children;
    bool include_io;
};

/* The command line of the main job, and the texts in it. */
struct line {
    char **argv;
    int argc;
    struct strbuf log;
    struct strbuf plot;
    struct strbuf pid;
    struct shell_words words;
    char duration[TIME_SIZE];
    char interval[TIME_SIZE];
    bool is_command;
    bool has_shell;
    const char *why_children; /* why children count without --include-children;
                                 or NULL */
};

#define TEXT(member) \
    .kind = OPTION_TEXT, .where = offsetof(struct asked, member)
#define FLAG(member) \
    .kind = OPTION_FLAG, .where = offsetof(struct asked, member)

/* The main job checks the values. */
static const struct option_row rows[] = {
    {"log", 0, "FILE", "write a row each interval to FILE", TEXT(log)},
    {"log-format", 0, "plain|csv", "the format of FILE", TEXT(log_format)},
    {"plot", 0, "FILE", "draw the rows to FILE", TEXT(plot)},
    {"duration", 0, "TIME", "stop recording after TIME, and end the command",
     TEXT(duration)},
    {"interval", 0, "TIME", "time between rows (default 0.01)", TEXT(interval)},
    {"include-children", 0, NULL, "count child processes",
     FLAG(include_children)},
    {"include-io", 0, NULL, "add four columns: I/O calls and bytes",
     FLAG(include_io)},
    {"help", 'h', NULL, "print this help", .kind = OPTION_HELP},
};

static const struct option_table table = {
    .usage = "usage: pmon psrecord PID|COMMAND [OPTIONS]\n\n"
             "Accepts the command line of psrecord.  COMMAND is one argument, "
             "which is split\n"
             "as a shell splits it.  If it needs more of a shell, /bin/sh runs "
             "it.  Exits with\n"
             "the command's status.\n",
    .notes = "Without --log and --plot, rows go to standard output.  See "
             "pmon(1).\n",
    .command = "pmon psrecord",
    .rows = rows,
    .count = ARRAY_SIZE(rows),
    .is_mixed = true,
};

static int
parse(struct asked *asked, int argc, char **argv, struct error *error)
{
    struct option_line line;
    int rc = option_table_parse(&table, asked, argc, argv, &line, error);

    if (rc != 0)
        return rc;
    asked->process = line.operands[0];
    if (line.count > 1)
        return error_set(error, -EINVAL,
                         "psrecord: %s: the command is one argument, put "
                         "quotes around it: pmon psrecord '%s %s'",
                         line.operands[1], line.operands[0], line.operands[1]);
    if (line.count == 0 ||
        asked->process[strspn(asked->process, " \t\n")] == '\0')
        return error_set(error, -EINVAL,
                         "psrecord: a pid or a command is missing: pmon "
                         "psrecord PID|COMMAND");
    return 0;
}

/* Writes a number of Python (`1e-2`, `5.`) as a time of pmon. */
static const char *
as_time(const char *text, char buffer[TIME_SIZE])
{
    int64_t ns;
    char *end;
    double seconds;

    if (num_parse_time(text, &ns) == 0 ||
        text[strspn(text, "0123456789.eE+-")] != '\0')
        return text;
    seconds = strtod(text, &end);
    if (*end != '\0' || !(seconds >= 0 && seconds < 1e9))
        return text;
    snprintf(buffer, TIME_SIZE, "%.9f", seconds);
    return buffer;
}

/* In psrecord, 0 means as often as possible. */
static bool
is_zero(const char *text)
{
    int64_t ns;

    return num_parse_time(text, &ns) == 0 && ns == 0;
}

/* Escapes %: psrecord's names of files are literal. */
static const char *
literal(struct strbuf *out, const char *name)
{
    for (; *name != '\0'; name++)
        strbuf_puts(out, *name == '%' ? "%%" : (char[]){*name, '\0'});
    return strbuf_text(out);
}

static void
add(struct line *line, const char *word)
{
    line->argv[line->argc++] = (char *)(uintptr_t)word;
}

static void
add_option(struct line *line, const char *name, const char *value)
{
    if (value == NULL)
        return;
    add(line, name);
    add(line, value);
}

/* The characters for which psrecord starts a shell, and counts its children. */
static bool
has_shell_characters(const char *command)
{
    return strpbrk(command, "|&;<>()$`\\\"'*?[]{}~#\n") != NULL;
}

/* Takes digits with blanks around them; false for anything else. */
static bool
take_pid(struct strbuf *out, const char *text)
{
    size_t blanks = strspn(text, " \t");
    size_t digits = strspn(text + blanks, "0123456789");

    strbuf_append(out, text + blanks, digits);
    text += blanks + digits;
    return digits > 0 && text[strspn(text, " \t")] == '\0';
}

/* Adds the words of the command, or of the shell that runs it. */
static int
add_command(struct line *line, const struct asked *asked, struct error *error)
{
    char **argv = realloc(line->argv, (MOST_OPTIONS + line->words.count + 1) *
                                          sizeof(*line->argv));

    if (argv == NULL)
        return error_no_memory(error);
    line->argv = argv;
    add(line, "--");
    if (line->has_shell) {
        add(line, "/bin/sh");
        add(line, "-c");
        add(line, asked->process);
    }
    for (size_t i = 0; i < line->words.count; i++)
        add(line, line->words.list[i]);
    return 0;
}

static int
split(struct line *line, const struct asked *asked, struct error *error)
{
    int rc = shell_words_split(asked->process, &line->words);

    line->has_shell = rc == 1;
    if (rc == -EINVAL)
        return error_set(error, rc,
                         "psrecord: %s: a quote is not closed, or the command "
                         "ends in a backslash",
                         asked->process);
    return rc < 0 ? error_no_memory(error) : 0;
}

/* If a shell runs the command, the command is a child. */
static const char *
why_children_count(const struct line *line, const struct asked *asked)
{
    if (asked->include_children || !line->is_command)
        return NULL;
    if (has_shell_characters(asked->process))
        return "the command has shell characters";
    return line->has_shell ? "a shell runs the command" : NULL;
}

static int
add_process(struct line *line, const struct asked *asked, struct error *error)
{
    bool is_pid = take_pid(&line->pid, asked->process);
    int rc = is_pid ? 0 : split(line, asked, error);

    if (rc < 0)
        return rc;
    line->is_command = !is_pid;
    line->why_children = why_children_count(line, asked);
    if (!asked->include_children && line->why_children == NULL)
        add(line, "--no-children");
    if (!is_pid)
        return add_command(line, asked, error);
    add_option(line, "--pid", strbuf_text(&line->pid));
    return 0;
}

static int
translate(struct line *line, const struct asked *asked, struct error *error)
{
    const char *interval = asked->interval;

    line->argv = calloc(MOST_OPTIONS + 1, sizeof(*line->argv));
    if (line->argv == NULL)
        return error_no_memory(error);
    add(line, "pmon");
    add(line, "--quiet");
    if (asked->log != NULL)
        add_option(line, "--log", literal(&line->log, asked->log));
    else if (asked->plot == NULL)
        add_option(line, "--log", "/dev/stdout");
    if (asked->plot != NULL)
        add_option(line, "--plot", literal(&line->plot, asked->plot));
    add_option(line, "--log-format", asked->log_format);
    if (asked->duration != NULL)
        add_option(line, "--duration",
                   as_time(asked->duration, line->duration));
    if (interval != NULL)
        interval = as_time(interval, line->interval);
    if (interval == NULL || is_zero(interval))
        interval = "0.01";
    add_option(line, "--interval", interval);
    if (asked->include_io)
        add(line, "--include-io");
    return add_process(line, asked, error);
}

static void
line_done(struct line *line)
{
    shell_words_done(&line->words);
    strbuf_done(&line->log);
    strbuf_done(&line->plot);
    strbuf_done(&line->pid);
    free(line->argv);
}

/* Not with stdio: a failure to print must not change the exit status. */
static void
print(const struct strbuf *text)
{
    file_write_all(STDOUT_FILENO, strbuf_text(text), text->size);
}

static void
print_start(const struct asked *asked, const struct line *line)
{
    STRBUF_AUTO text = {0};
    STRBUF_AUTO command = {0};

    /* A newline in the command would look like a line of pmon. */
    escape_terminal(&command, asked->process, strlen(asked->process));
    if (line->is_command)
        strbuf_printf(&text,
                      "Starting up command '%s' and attaching to process\n",
                      strbuf_text(&command));
    else
        strbuf_printf(&text, "Attaching to process %s\n",
                      strbuf_text(&line->pid));
    print(&text);
}

static int
record(const struct asked *asked, struct line *line,
       const struct context *context, struct error *error)
{
    STRBUF_AUTO last = {0};
    struct recorder_result result;
    struct options options;
    int rc = translate(line, asked, error);

    if (rc == 0)
        rc = options_parse(&options, line->argc, line->argv, error);
    if (rc < 0)
        return rc;
    options.ends_step = line->is_command;
    options.has_literal_names = true;
    print_start(asked, line);
    if (line->why_children != NULL)
        message_print("psrecord: %s, so child processes count",
                      line->why_children);
    rc = recorder_run(&options, context, &result, error);
    if (result.elapsed_ns != NUM_UNKNOWN) {
        strbuf_printf(&last, "Process finished (%.2f seconds)\n",
                      num_seconds(result.elapsed_ns));
        print(&last);
    }
    return recorder_leave(&result, rc);
}

int
psrecord_command(int argc, char **argv, const struct context *context,
                 struct error *error)
{
    struct asked asked = {0};
    struct line line = {0};
    int rc = parse(&asked, argc, argv, error);

    if (rc < 0)
        return rc;
    if (rc == OPTION_HELP)
        return forms_print_help(&table, error);
    rc = record(&asked, &line, context, error);
    line_done(&line);
    return rc;
}
