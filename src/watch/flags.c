/* SPDX-License-Identifier: MIT */
/* Command line → struct flags; reads argv and nothing else. */
#include "watch/flags.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "watch/row_files.h"

const char *const flags_levels[] = {
    [WATCH_DEBUG] = "DEBUG",       [WATCH_INFO] = "INFO",
    [WATCH_WARNING] = "WARNING",   [WATCH_ERROR] = "ERROR",
    [WATCH_CRITICAL] = "CRITICAL", NULL};

static int
take_filter(const struct option_row *row, void *settings, const char *value,
            struct error *error)
{
    struct flags *flags = settings;

    (void)row;
    (void)error;
    return *value != '\0' ? filters_add(&flags->filters, value) : -EINVAL;
}

static int
take_env_prefix(const struct option_row *row, void *settings, const char *value,
                struct error *error)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789_";
    struct flags *flags = settings;

    (void)row;
    (void)error;
    if (*value == '\0' || value[strspn(value, allowed)] != '\0' ||
        strlen(value) > 128)
        return -EINVAL;
    flags->env_prefix = value;
    return 0;
}

#define AT(member) .where = offsetof(struct flags, member)

static const struct option_row rows[] = {
    {"filter", 'f', "GLOB", "record processes that match; may be repeated",
     .kind = OPTION_CALL, .take = take_filter,
     .allowed = "a pattern for whole command lines, as 'python3*'"},
    {"interval", 'i', "TIME", "time between samples (default 10)",
     .kind = OPTION_TIME, AT(interval_ns), .least = 10 * NUM_NS_PER_MS,
     .most = FLAGS_LONGEST_NS,
     .allowed = "10 ms to 365 days, such as 10, 500ms or 1min"},
    {"dir", 'd', "DIR", "folder for the files ($STATE_DIRECTORY, or .)",
     .kind = OPTION_NAME, AT(dir)},
    {"extended", 0, NULL, "add seven columns: pid, memory, CPU, and more",
     .kind = OPTION_FLAG, AT(is_extended)},
    {"include-self", 0, NULL, "also record pmon-watch itself",
     .kind = OPTION_FLAG, AT(include_self)},
    {"max-size", 0, "SIZE", "begin a new file before one exceeds SIZE",
     .kind = OPTION_SIZE, AT(max_size), .least = 1024,
     .allowed = "1 KiB to 8171P, such as 500K, 10M or 1G"},
    {"keep", 0, "N", "keep N older files (default 5)", .kind = OPTION_COUNT,
     AT(keep), .least = 1, .most = 1000, .allowed = "1 to 1000"},
    {"count", 'n', "N", "end after N samples", .kind = OPTION_COUNT,
     AT(samples), .least = 1, .most = 1000000000, .allowed = "1 to 1000000000"},
    {"env-prefix", 0, "PREFIX", "take settings from variables with that prefix",
     .kind = OPTION_CALL, .take = take_env_prefix,
     .allowed = "letters, digits and _, up to 128, as "
                "OT_SYSTEM_RESOURCE_TRACKER_"},
    {"env-file", 0, "FILE", "read variables from FILE, again at each SIGHUP",
     .kind = OPTION_NAME, AT(env_file)},
    {"log-level", 0, "LEVEL", "DEBUG, INFO (default), WARNING, ERROR, CRITICAL",
     .kind = OPTION_WORD, AT(level), .choices = flags_levels},
    {"version", 'V', NULL, "print the version", .kind = OPTION_VERSION},
    {"help", 'h', NULL, "print this help", .kind = OPTION_HELP},
};

static const struct option_pair needs[] = {
    {"env-file", "env-prefix"}, {"keep", "max-size"}, {NULL, NULL}};

const struct option_table flags_table = {
    .usage = "usage: pmon watch --filter GLOB... [OPTIONS]\n"
             "       pmon watch --env-prefix PREFIX [OPTIONS]\n\n"
             "Records a row at each interval for each process whose whole "
             "command line\n"
             "matches a filter.  The rows go to " ROW_FILES_NAME " in a "
             "folder.\n"
             "SIGTERM or SIGINT ends it.\n",
    .notes = "Times: seconds, or ms, s, min, h.  Sizes: bytes, or K, M, G, T.\n"
             "See pmon-watch(8).\n",
    .command = "pmon watch",
    .rows = rows,
    .count = ARRAY_SIZE(rows),
    .needs = needs,
};

int
flags_parse(struct flags *flags, int argc, char **argv, struct error *error)
{
    struct option_line line;
    int rc;

    *flags = (struct flags){.interval_ns = NUM_UNKNOWN,
                            .level = NUM_UNKNOWN,
                            .max_size = NUM_UNKNOWN,
                            .keep = NUM_UNKNOWN,
                            .samples = NUM_UNKNOWN};
    rc = option_table_parse(&flags_table, flags, argc, argv, &line, error);
    if (rc != 0)
        return rc;
    if (line.count > 0)
        return error_set(error, -EINVAL,
                         "%s: unexpected argument; give patterns with --filter",
                         line.operands[0]);
    if (flags->filters.count == 0 && flags->env_prefix == NULL)
        return error_set(error, -EINVAL,
                         "--filter GLOB is missing, as in pmon watch --filter "
                         "'python3*'");
    return 0;
}

void
flags_done(struct flags *flags)
{
    filters_done(&flags->filters);
}
