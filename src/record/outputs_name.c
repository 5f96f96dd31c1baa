/* SPDX-License-Identifier: MIT */
/* Names of the files of a run: replaces letters, and refuses equal names. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "record/outputs.h"

static int
expand(const struct names *names, const char *pattern, const char *option,
       char **ret_path, struct error *error)
{
    STRBUF_AUTO out = {0};
    int rc;

    free(*ret_path);
    *ret_path = NULL;
    if (pattern == NULL)
        return 0;
    rc = names_expand(names, pattern, option, &out, error);
    if (rc < 0)
        return rc;
    *ret_path = strbuf_steal(&out);
    return *ret_path != NULL ? 0 : error_no_memory(error);
}

/* DIR/PREFIX_NAME.SUFFIX of --step, unless an option names the file. */
static int
expand_of_step(const struct options *options, const struct names *names,
               const char *prefix, const char *suffix, char **ret_path,
               struct error *error)
{
    STRBUF_AUTO pattern = {0};

    if (options->step == NULL || *ret_path != NULL)
        return 0;
    if (options->results != NULL)
        strbuf_printf(&pattern, "%s/", options->results);
    strbuf_printf(&pattern, "%s_%%s.%s", prefix, suffix);
    return expand(names, strbuf_text(&pattern), "--results", ret_path, error);
}

static int
make_results(const struct options *options, const struct names *names,
             struct error *error)
{
    FREE_AUTO char *path = NULL;
    struct names plain = *names;
    int rc;

    /* Ranks share a folder: nothing is appended to its %s. */
    plain.step_pattern = NULL;
    rc = expand(&plain, options->results, "--results", &path, error);
    if (rc < 0 || path == NULL)
        return rc;
    rc = folder_make(path);
    if (rc < 0)
        return error_set(error, rc, "--results %s: cannot be created: %s", path,
                         error_name(rc));
    return 0;
}

/* Compares files that do not exist yet, by their folders and base names. */
static bool
is_same_new(const char *a, const char *b)
{
    FREE_AUTO char *one = strdup(a);
    FREE_AUTO char *two = strdup(b);
    struct stat one_folder;
    struct stat two_folder;

    if (one == NULL || two == NULL || strcmp(path_base(a), path_base(b)) != 0 ||
        stat(dirname(one), &one_folder) < 0 ||
        stat(dirname(two), &two_folder) < 0)
        return strcmp(a, b) == 0;
    return one_folder.st_dev == two_folder.st_dev &&
           one_folder.st_ino == two_folder.st_ino;
}

bool
outputs_is_same(const char *a, const char *b)
{
    struct stat one;
    struct stat two;
    bool one_exists;
    bool two_exists;

    if (a == NULL || b == NULL)
        return false;
    one_exists = stat(a, &one) == 0;
    two_exists = stat(b, &two) == 0;
    if (one_exists && two_exists)
        return S_ISREG(one.st_mode) && one.st_dev == two.st_dev &&
               one.st_ino == two.st_ino;
    return one_exists == two_exists && is_same_new(a, b);
}

int
outputs_check_distinct(const struct outputs *outputs, struct error *error)
{
    const char *const paths[] = {outputs->log.path, outputs->processes.path,
                                 outputs->profile_path, outputs->summary_path,
                                 outputs->plot_path};

    for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
        for (size_t k = 0; k < i; k++)
            if (outputs_is_same(paths[k], paths[i]))
                return error_set(
                    error, -EINVAL,
                    "%s: used for two outputs; give each its own file",
                    paths[k]);
    return 0;
}

/*
 * A file that the step also writes, at its own offset, would be torn, emptied
 * or replaced.  Appending to it does no harm.
 */
static int
check_streams(const char *path, struct error *error)
{
    static const char *const names[] = {[STDOUT_FILENO] = "standard output",
                                        [STDERR_FILENO] = "standard error"};
    struct stat file;
    struct stat stream;

    if (path == NULL || output_file_named_descriptor(path) >= 0 ||
        stat(path, &file) < 0 || !S_ISREG(file.st_mode))
        return 0;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &stream) == 0 && stream.st_dev == file.st_dev &&
            stream.st_ino == file.st_ino)
            return error_set(error, -EINVAL,
                             "%s: %s goes to the same file; give each its own",
                             path, names[fd]);
    return 0;
}

static const char *
way_out(const struct options *options)
{
    if (options->has_literal_names)
        return "another name for --log";
    if (options->log == NULL)
        return "%r or %a in --step, or another --results";
    return OUTPUTS_OWN_NAMES;
}

int
outputs_name(struct outputs *outputs, const struct options *options,
             const struct names *names, struct error *error)
{
    int rc = expand(names, options->log, "--log", &outputs->log.path, error);

    outputs->log_format = options->log_format;
    outputs->way_out = way_out(options);
    outputs->with_io = options->include_io;
    if (rc == 0)
        rc = expand(names, options->processes, "--processes",
                    &outputs->processes.path, error);
    if (rc == 0)
        rc = expand(names, options->append_peak, "--append-peak",
                    &outputs->profile_path, error);
    if (rc == 0)
        rc = expand(names, options->summary, "--summary",
                    &outputs->summary_path, error);
    if (rc == 0)
        rc = expand(names, options->plot, "--plot", &outputs->plot_path, error);
    if (rc == 0)
        rc = expand_of_step(options, names, "memory_log", "txt",
                            &outputs->log.path, error);
    if (rc == 0)
        rc = expand_of_step(options, names, "profile", "csv",
                            &outputs->profile_path, error);
    if (rc == 0)
        rc = expand_of_step(options, names, "summary", "json",
                            &outputs->summary_path, error);
    if (rc == 0)
        rc = outputs_check_distinct(outputs, error);
    if (rc == 0)
        rc = check_streams(outputs->log.path, error);
    if (rc == 0)
        rc = check_streams(outputs->processes.path, error);
    if (rc == 0)
        rc = check_streams(outputs->summary_path, error);
    if (rc == 0)
        rc = check_streams(outputs->plot_path, error);
    if (rc == 0 && names->pid != 0)
        rc = make_results(options, names, error);
    return rc;
}
