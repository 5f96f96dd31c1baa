/* SPDX-License-Identifier: MIT */
/* Replaces the letters in names of files; a pure function of its context. */
#include "host/names.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"

/* Outside an array Grid Engine says "undefined", and LSF says 0. */
static bool
is_no_index(const char *variable, const char *value)
{
    return (strcmp(variable, "SGE_TASK_ID") == 0 &&
            strcmp(value, "undefined") == 0) ||
           (strcmp(variable, "LSB_JOBINDEX") == 0 && strcmp(value, "0") == 0);
}

static bool
is_set(const struct names *names, const char *variable)
{
    const char *value = names->environment(variable);

    return value != NULL && *value != '\0' && !is_no_index(variable, value);
}

static const char *
first_set(const struct names *names, const char *const *variables)
{
    for (; *variables != NULL; variables++)
        if (is_set(names, *variables))
            return names->environment(*variables);
    return NULL;
}

/*
 * The nearest launcher first: Slurm sets SLURM_PROCID to 0 in a batch step too,
 * where mpirun then starts the ranks.
 */
static const char *const rank_variables[] = {
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK",   "PMI_RANK",
    "MV2_COMM_WORLD_RANK",  "PALS_RANKID", "FLUX_TASK_RANK",
    "SLURM_PROCID",         NULL};
/* How many tasks the same launcher has started; "": it does not say. */
static const char *const tasks_variables[] = {
    "OMPI_COMM_WORLD_SIZE", "", "PMI_SIZE",
    "MV2_COMM_WORLD_SIZE",  "", "FLUX_JOB_SIZE",
    "SLURM_STEP_NUM_TASKS", ""};
static const char *const job_variables[] = {"SLURM_JOB_ID", "PBS_JOBID",
                                            "JOB_ID", "LSB_JOBID", NULL};
static const char *const array_variables[] = {"SLURM_ARRAY_TASK_ID",
                                              "PBS_ARRAY_INDEX", "SGE_TASK_ID",
                                              "LSB_JOBINDEX", NULL};

const char *
names_rank(const struct names *names)
{
    return first_set(names, rank_variables);
}

const char *
names_job(const struct names *names)
{
    return first_set(names, job_variables);
}

const char *
names_array_index(const struct names *names)
{
    return first_set(names, array_variables);
}

/* Slurm starts PMIx's ranks as well, in a namespace slurm.pmix.JOB.STEP. */
static bool
is_pmix_of_slurm(const struct names *names, const char *rank)
{
    const char *space = names->environment("PMIX_NAMESPACE");

    return strcmp(rank, "PMIX_RANK") == 0 && space != NULL &&
           strncmp(space, "slurm.", 6) == 0;
}

int64_t
names_tasks(const struct names *names)
{
    uint64_t count;
    const char *rank;
    const char *tasks;
    const char *value;
    size_t i = 0;

    while (rank_variables[i] != NULL && !is_set(names, rank_variables[i]))
        i++;
    rank = rank_variables[i];
    if (rank == NULL)
        return NUM_UNKNOWN;
    tasks = is_pmix_of_slurm(names, rank) ? "SLURM_STEP_NUM_TASKS"
                                          : tasks_variables[i];
    value = *tasks != '\0' ? names->environment(tasks) : NULL;
    if (value != NULL && num_parse_u64(value, &count) == 0 && count > 0 &&
        count <= INT32_MAX)
        return (int64_t)count;
    /* A batch script is one task, which belongs to no step of srun. */
    return strcmp(rank, "SLURM_PROCID") == 0 && !is_set(names, "SLURM_STEP_ID")
               ? 1
               : NUM_UNKNOWN;
}

const char *
names_job_step(const struct names *names)
{
    return is_set(names, "SLURM_STEP_ID") ? names->environment("SLURM_STEP_ID")
                                          : NULL;
}

static void
append_value(const struct names *names, struct strbuf *out, const char *value)
{
    for (; *value != '\0'; value++)
        strbuf_putc(out, *value == '/' && !names->keeps_slashes ? '_' : *value);
}

/* A variable may hold anything: it stays in its folder, and on its line. */
static void
append_hostile(const struct names *names, struct strbuf *out, const char *value)
{
    bool is_first = out->size == 0 || strbuf_text(out)[out->size - 1] == '/';

    if (names->keeps_slashes) {
        strbuf_puts(out, value);
        return;
    }
    for (; *value != '\0'; value++) {
        unsigned char byte = (unsigned char)*value;
        bool is_bad = byte == '/' || byte < ' ' || byte == 0x7F ||
                      (is_first && byte == '.');

        strbuf_putc(out, is_bad ? '_' : *value);
        is_first = false;
    }
}

/* Slurm leaves out the count of restarts before the first one. */
static const char *
named_value(const struct names *names, const char *name)
{
    const char *value = names->environment(name);

    return value == NULL && strcmp(name, "SLURM_RESTART_COUNT") == 0 &&
                   is_set(names, "SLURM_JOB_ID")
               ? "0"
               : value;
}

/* NAME} at *at, which moves to the brace. */
static int
append_named(const struct names *names, const char **at, const char *pattern,
             const char *what, struct strbuf *out, struct error *error)
{
    size_t size = strcspn(*at, "}");
    STRBUF_AUTO name = {0};
    const char *value;

    if (size == 0 || (*at)[size] == '\0')
        return error_set(error, -EINVAL,
                         "%s %s: %%{ needs the name of a variable and }, as in "
                         "%%{HOME}",
                         what, pattern);
    strbuf_append(&name, *at, size);
    if (name.failed)
        return error_no_memory(error);
    *at += size;
    value = named_value(names, strbuf_text(&name));
    if (value == NULL || *value == '\0')
        return error_set(error, -EINVAL,
                         "%s %s: the variable %s is %s; export it, or leave "
                         "%%{%s} out",
                         what, pattern, strbuf_text(&name),
                         value == NULL ? "not set" : "empty",
                         strbuf_text(&name));
    append_hostile(names, out, value);
    return 0;
}

static int
append_variable(const struct names *names, struct strbuf *out,
                const char *value, const char *const *variables,
                const char *pattern, const char *what, char letter,
                struct error *error)
{
    STRBUF_AUTO list = {0};

    if (value != NULL) {
        append_value(names, out, value);
        return 0;
    }
    for (; *variables != NULL; variables++)
        strbuf_printf(&list, "%s%s", list.size > 0 ? ", " : "", *variables);
    return error_set(error, -EINVAL,
                     "%s %s: %%%c needs one of the variables %s", what, pattern,
                     letter, strbuf_text(&list));
}

/* Whether a pattern, which may be NULL, has a %letter. */
static bool
has_letter(const char *pattern, char letter)
{
    const char *at = pattern != NULL ? strchr(pattern, '%') : NULL;

    for (; at != NULL && at[1] != '\0'; at = strchr(at + 2, '%'))
        if (at[1] == letter)
            return true;
    return false;
}

/* `_rank3`, `_task7`: what NAME of --step alone does not distinguish. */
static void
append_behind(const struct names *names, const char *pattern,
              struct strbuf *out)
{
    const struct {
        char letter;
        const char *word;
        const char *value;
    } parts[] = {
        {'r', "_rank", names_tasks(names) != 1 ? names_rank(names) : NULL},
        {'a', "_task", names_array_index(names)},
    };

    if (names->step_pattern == NULL || has_letter(names->step_pattern, 'p') ||
        has_letter(pattern, 'p'))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
        if (parts[i].value == NULL ||
            has_letter(names->step_pattern, parts[i].letter) ||
            has_letter(pattern, parts[i].letter))
            continue;
        strbuf_puts(out, parts[i].word);
        append_value(names, out, parts[i].value);
    }
}

static int
append_letter(const struct names *names, char letter, const char *pattern,
              const char *what, struct strbuf *out, struct error *error)
{
    switch (letter) {
    case '%':
        strbuf_putc(out, '%');
        return 0;
    case 'h':
        if (names->host == NULL)
            return error_set(error, -EINVAL,
                             "%s %s: --no-host leaves the name of the host "
                             "out; use %%p, %%r or %%j instead of %%h",
                             what, pattern);
        append_value(names, out, names->host);
        return 0;
    case 'p':
        strbuf_printf(out, "%d", (int)names->pid);
        return 0;
    case 's':
        append_value(names, out, names->step);
        return 0;
    case 'r':
        return append_variable(names, out, names_rank(names), rank_variables,
                               pattern, what, letter, error);
    case 'j':
        return append_variable(names, out, names_job(names), job_variables,
                               pattern, what, letter, error);
    case 'a':
        return append_variable(names, out, names_array_index(names),
                               array_variables, pattern, what, letter, error);
    default:
        return error_set(error, -EINVAL,
                         "%s %s: %% may be followed by h (host), p (pid), "
                         "s (step), r (rank), j (job), a (array index), "
                         "{NAME} (a variable) or %%",
                         what, pattern);
    }
}

int
names_expand_early(const struct names *names, const char *pattern,
                   const char *what, struct strbuf *out, struct error *error)
{
    for (const char *at = strchr(pattern, '%'); at != NULL && at[1] != '\0';
         at = strchr(at + 2, '%'))
        if (at[1] == 'p')
            return error_set(error, -EINVAL,
                             "%s %s: %%p is not known before the step; "
                             "use %%s, %%r, %%j or %%a",
                             what, pattern);
    return names_expand(names, pattern, what, out, error);
}

int
names_expand(const struct names *names, const char *pattern, const char *what,
             struct strbuf *out, struct error *error)
{
    for (const char *at = pattern; *at != '\0'; at++) {
        int rc;

        if (*at != '%') {
            strbuf_putc(out, *at);
            continue;
        }
        at++;
        if (*at == '{') {
            at++;
            rc = append_named(names, &at, pattern, what, out, error);
        } else {
            rc = append_letter(names, *at, pattern, what, out, error);
        }
        if (rc < 0)
            return rc;
        if (*at == 's' && strchr(at, '/') == NULL)
            append_behind(names, pattern, out);
    }
    return out->failed ? error_no_memory(error) : 0;
}
