/* SPDX-License-Identifier: MIT */
/* Command line → struct flags; reads argv and nothing else. */
#include "watch/flags.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "base/option_text.h"

struct flag_row {
    struct option_text text;
    int (*take)(struct flags *flags, const char *value, struct error *error);
    size_t flag; /* where take is NULL: a bool of struct flags */
};

int
flags_level(const char *name)
{
    static const char *const names[WATCH_LEVELS] = {
        [WATCH_DEBUG] = "DEBUG",       [WATCH_INFO] = "INFO",
        [WATCH_WARNING] = "WARNING",   [WATCH_ERROR] = "ERROR",
        [WATCH_CRITICAL] = "CRITICAL",
    };

    for (int i = 0; i < WATCH_LEVELS; i++)
        if (strcasecmp(names[i], name) == 0)
            return i;
    return NUM_UNKNOWN;
}

static int
take_filter(struct flags *flags, const char *value, struct error *error)
{
    if (*value == '\0')
        return error_set(error, -EINVAL,
                         "--filter '': a pattern for whole command lines, as "
                         "'python3*'");
    return filters_add(&flags->filters, value);
}

static int
take_interval(struct flags *flags, const char *value, struct error *error)
{
    if (num_parse_time(value, &flags->interval_ns) == 0 &&
        flags->interval_ns >= 10 * NUM_NS_PER_MS &&
        flags->interval_ns <= 365 * 86400 * NUM_NS_PER_S)
        return 0;
    return error_set(error, -EINVAL,
                     "--interval %.64s: 10 ms to 365 days, as 10, 500ms or "
                     "1min",
                     value);
}

static int
take_dir(struct flags *flags, const char *value, struct error *error)
{
    if (*value == '\0')
        return error_set(error, -EINVAL, "--dir needs the name of a folder");
    flags->dir = value;
    return 0;
}

static int
take_level(struct flags *flags, const char *value, struct error *error)
{
    flags->level = flags_level(value);
    if (flags->level >= 0)
        return 0;
    return error_set(error, -EINVAL,
                     "--log-level %.64s: DEBUG, INFO, WARNING, ERROR or "
                     "CRITICAL",
                     value);
}

static int
take_max_size(struct flags *flags, const char *value, struct error *error)
{
    if (num_parse_size(value, &flags->max_size) == 0 && flags->max_size >= 1024)
        return 0;
    return error_set(error, -EINVAL,
                     "--max-size %.64s: 1 KiB to 8171P, as 500K, 10M or 1G",
                     value);
}

static int
take_count(int64_t *where, uint64_t most, const char *name, const char *value,
           struct error *error)
{
    uint64_t count;

    if (num_parse_u64(value, &count) < 0 || count < 1 || count > most)
        return error_set(error, -EINVAL, "--%s %.64s: 1 to %llu", name, value,
                         (unsigned long long)most);
    *where = (int64_t)count;
    return 0;
}

static int
take_keep(struct flags *flags, const char *value, struct error *error)
{
    return take_count(&flags->keep, 1000, "keep", value, error);
}

static int
take_samples(struct flags *flags, const char *value, struct error *error)
{
    return take_count(&flags->samples, 1000000000, "count", value, error);
}

static int
take_env_prefix(struct flags *flags, const char *value, struct error *error)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789_";

    if (*value == '\0' || value[strspn(value, allowed)] != '\0' ||
        strlen(value) > 128)
        return error_set(error, -EINVAL,
                         "--env-prefix %.64s: letters, digits and _, up to "
                         "128, as OT_SYSTEM_RESOURCE_TRACKER_",
                         value);
    flags->env_prefix = value;
    return 0;
}

static int
take_env_file(struct flags *flags, const char *value, struct error *error)
{
    if (*value == '\0')
        return error_set(error, -EINVAL, "--env-file needs the name of a file");
    flags->env_file = value;
    return 0;
}

#define FLAG(member) NULL, offsetof(struct flags, member)

static const struct flag_row rows[] = {
    {{"filter", 'f', "GLOB", "record whose whole command line matches; again"},
     take_filter,
     0},
    {{"interval", 'i', "TIME", "time between samples (default 10)"},
     take_interval,
     0},
    {{"dir", 'd', "DIR", "folder of the files ($STATE_DIRECTORY, or .)"},
     take_dir,
     0},
    {{"extended", 0, NULL, "seven more columns: pid, memory, CPU, and more"},
     FLAG(is_extended)},
    {{"include-self", 0, NULL, "record pmon-watch itself, too"},
     FLAG(include_self)},
    {{"max-size", 0, "SIZE", "begin a new file before one is larger"},
     take_max_size,
     0},
    {{"keep", 0, "N", "keep N older files (default 5)"}, take_keep, 0},
    {{"count", 'n', "N", "end after N samples"}, take_samples, 0},
    {{"env-prefix", 0, "PREFIX", "be set up by variables of that prefix"},
     take_env_prefix,
     0},
    {{"env-file", 0, "FILE", "read variables from FILE, again at each HUP"},
     take_env_file,
     0},
    {{"log-level", 0, "LEVEL",
      "DEBUG, INFO (default), WARNING, ERROR, CRITICAL"},
     take_level,
     0},
    {{"version", 'V', NULL, "print the version"}, FLAG(wants_version)},
    {{"help", 'h', NULL, "print this help"}, FLAG(wants_help)},
};

enum { ROWS = ARRAY_SIZE(rows) };

static const struct option_texts texts = {rows, sizeof(rows[0]), ROWS,
                                          "pmon watch --help", 26};

static int
take(struct flags *flags, const struct flag_row *row, struct error *error)
{
    if (row->take != NULL)
        return row->take(flags, optarg, error);
    *(bool *)((char *)flags + row->flag) = true;
    return 0;
}

static int
check(const struct flags *flags, int argc, char **argv, struct error *error)
{
    if (optind < argc)
        return error_set(error, -EINVAL,
                         "%s: no argument is taken; patterns go with --filter",
                         argv[optind]);
    if (flags->env_file != NULL && flags->env_prefix == NULL)
        return error_set(error, -EINVAL,
                         "--env-file %s goes with --env-prefix PREFIX",
                         flags->env_file);
    if (flags->keep > 0 && flags->max_size == NUM_UNKNOWN)
        return error_set(error, -EINVAL, "--keep goes with --max-size SIZE");
    if (flags->filters.count == 0 && flags->env_prefix == NULL)
        return error_set(error, -EINVAL,
                         "--filter GLOB is missing, as in pmon watch --filter "
                         "'python3*'");
    return 0;
}

int
flags_parse(struct flags *flags, int argc, char **argv, struct error *error)
{
    struct option long_options[ROWS + 1];
    char letters[2 * ROWS + 3];
    int code;

    *flags = (struct flags){.interval_ns = NUM_UNKNOWN,
                            .level = NUM_UNKNOWN,
                            .max_size = NUM_UNKNOWN,
                            .keep = NUM_UNKNOWN,
                            .samples = NUM_UNKNOWN};
    option_texts_getopt(&texts, long_options, letters);
    opterr = 0;
    optind = 0;
    while ((code = getopt_long(argc, argv, letters, long_options, NULL)) !=
           -1) {
        int at = option_texts_find(&texts, code);
        int rc = at >= 0 ? take(flags, &rows[at], error)
                         : option_texts_refuse(&texts, code, argv, error);

        if (rc < 0)
            return rc;
        if (flags->wants_help || flags->wants_version)
            return 0;
    }
    return check(flags, argc, argv, error);
}

void
flags_done(struct flags *flags)
{
    filters_done(&flags->filters);
}

void
flags_help(struct strbuf *out)
{
    option_texts_help(&texts, out);
}
