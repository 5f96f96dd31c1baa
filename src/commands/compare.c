/* SPDX-License-Identifier: MIT */
/* pmon compare: its options, its files and its output. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/array.h"
#include "base/json_build.h"
#include "base/message.h"
#include "base/num.h"
#include "commands/commands.h"
#include "commands/compare_state.h"
#include "commands/forms.h"
#include "commands/summary_folder.h"
#include "commands/unfinished.h"
#include "formats/file_kind.h"
#include "formats/summary.h"

static int
take_limits(const struct option_row *row, void *settings, const char *value,
            struct error *error)
{
    struct compare *compare = settings;

    (void)row;
    return compare_limits_parse(compare->limits, value, error);
}

static int
take_alpha(const struct option_row *row, void *settings, const char *value,
           struct error *error)
{
    struct compare *compare = settings;
    double alpha;

    (void)row;
    (void)error;
    if (num_parse_decimal(value, &alpha) < 0 || !(alpha > 0) || alpha > 0.5)
        return -EINVAL;
    compare->alpha = alpha;
    return 0;
}

static int
take_by(const struct option_row *row, void *settings, const char *value,
        struct error *error)
{
    static const char prefix[] = "tag:";
    struct compare *compare = settings;
    const char *name = value + sizeof(prefix) - 1;

    (void)row;
    (void)error;
    if (strncmp(value, prefix, sizeof(prefix) - 1) != 0 || *name == '\0' ||
        name[run_tag_name_size(name)] != '\0')
        return -EINVAL;
    compare->tag = name;
    return 0;
}

static const struct option_row rows[] = {
    {"alpha", 0, "P", "call a change real if p is at most P (0.05)",
     .kind = OPTION_CALL, .take = take_alpha,
     .allowed = "a decimal number above 0, up to 0.5, such as 0.01"},
    {"by", 0, "tag:NAME", "compare only runs with the same value of a tag",
     .kind = OPTION_CALL, .take = take_by,
     .allowed = "tag:NAME, with the name of a tag"},
    {"fail-over", 0, "LIMITS", "exit with 1 if a median grew by more: wall=10%",
     .kind = OPTION_CALL, .take = take_limits},
    {"format", 0, "FORM", "text (default), markdown or json",
     .kind = OPTION_CHOICE, .where = offsetof(struct compare, form),
     .choices = forms_without_csv},
    {"help", 'h', NULL, "print this help", .kind = OPTION_HELP},
};

static const struct option_table table = {
    .usage = "usage: pmon compare [OPTIONS] BASE NEW\n\n"
             "Prints what changed from BASE to NEW.  Each is a summary or a "
             "folder of\n"
             "summaries.  Several runs of a step make one row; a rank test "
             "distinguishes\n"
             "a change from noise.\n",
    .command = "pmon compare",
    .rows = rows,
    .count = ARRAY_SIZE(rows),
    .is_mixed = true,
};

/*
 * Reports a run that failed; it is compared all the same.  A run that did not
 * end by itself is shown, but decides nothing; a lost run was reported before.
 */
static void
say_ending(const struct run *run)
{
    const struct run_outcome *outcome = &run->outcome;

    if (unfinished_is_whole(run)) {
        if (outcome->exit_status > 0)
            message_print("%s: the step ended with status %lld", run->file,
                          (long long)outcome->exit_status);
    } else if (outcome->reason != REASON_LOST) {
        message_print("%s: the step did not end by itself: %s", run->file,
                      outcome->reason != REASON_UNKNOWN
                          ? reason_name(outcome->reason)
                          : "reason unknown");
    }
}

/* Collects the runs of a side. */
struct side {
    struct run_list *runs;
    size_t *unreadable;
    struct seen_files seen;
};

static int
read_summary(const char *path, void *context, struct error *error)
{
    struct side *side = context;
    struct run *run;
    int rc;

    if (!seen_files_is_new(&side->seen, path))
        return 0;
    run = run_list_add(side->runs);
    if (run == NULL)
        return error_no_memory(error);
    rc = unfinished_read(run, path, error);
    if (rc < 0) {
        run_list_drop(side->runs);
        return rc;
    }
    if (run->impossible > 0) {
        message_print(SUMMARY_IMPOSSIBLE, path, (long long)run->impossible);
        ++*side->unreadable;
    }
    say_ending(run);
    return 0;
}

/*
 * A bad run in a folder makes the limits undecided; the other runs are shown.
 */
static void
say_bad(void *context, const struct error *error, bool is_folder)
{
    struct side *side = context;

    message_print("%s", error->text);
    *side->unreadable += is_folder ? 0 : 1;
}

static int
read_folder(struct side *side, const char *path, struct error *error)
{
    const struct folder_walk walk = {.is_wanted = file_kind_is_summary,
                                     .visit = read_summary,
                                     .say_bad = say_bad,
                                     .context = side};
    int rc = summary_folder_each(path, &walk, error);

    if (rc >= 0 && side->runs->count == 0)
        return error_set(error, -EINVAL, "%s: has no summaries (*.json)", path);
    return rc < 0 ? rc : 0;
}

static int
read_side(struct side *side, const char *path, bool *ret_is_folder,
          struct error *error)
{
    enum file_kind kind;
    int rc = file_kind_of(path, &kind, error);

    if (rc < 0)
        return rc;
    *ret_is_folder = kind == FILE_FOLDER;
    if (*ret_is_folder)
        return read_folder(side, path, error);
    if (kind != FILE_SUMMARY)
        return error_set(error, -EINVAL,
                         "%s: not a summary; pmon --summary FILE writes one",
                         path);
    return read_summary(path, side, error);
}

static int
read_sides(struct compare *compare, char **paths, struct error *error)
{
    bool is_folder[SIDES] = {false};
    int rc = 0;

    for (int i = 0; i < SIDES && rc == 0; i++) {
        struct side side = {.runs = &compare->runs[i],
                            .unreadable = &compare->unreadable};

        rc = read_side(&side, paths[i], &is_folder[i], error);
        seen_files_done(&side.seen);
    }
    compare->is_pair = !is_folder[SIDE_BASE] && !is_folder[SIDE_NEW];
    if (rc == 0 && compare->is_pair) {
        const char *base = run_name(&compare->runs[SIDE_BASE].list[0]);
        const char *new = run_name(&compare->runs[SIDE_NEW].list[0]);

        if (strcmp(base, new) != 0)
            message_print("BASE and NEW are runs of different steps: %s and %s",
                          base, new);
    }
    return rc;
}

static int
print(struct compare *compare, struct error *error)
{
    STRBUF_AUTO out = {0};
    struct json_t *root;

    if (compare->form == FORM_JSON) {
        root = json_object();
        json_build_put(&root, "changes", sheet_json(&compare->changes));
        json_build_put(&root, "missing", sheet_json(&compare->missing));
        json_build_put(&root, "load", sheet_json(&compare->load));
        json_build_put(&root, "is_over", json_boolean(compare->is_over));
        return forms_print_json(root, error);
    }
    /* A job summary begins with the figures that exceeded their limits. */
    if (compare->form == FORM_MARKDOWN) {
        int column = sheet_find(&compare->changes, "is_over");

        if (sheet_sort(&compare->changes, (size_t)column) < 0)
            return error_no_memory(error);
    }
    sheet_append(&compare->changes, compare->form, &out);
    if (sheet_rows(&compare->missing) > 0) {
        strbuf_putc(&out, '\n');
        sheet_append(&compare->missing, compare->form, &out);
    }
    if (compare->notes.size > 0) {
        strbuf_putc(&out, '\n');
        strbuf_puts(&out, strbuf_text(&compare->notes));
    }
    return forms_print(&out, error);
}

static int
run(struct compare *compare, char **paths, struct error *error)
{
    int rc = read_sides(compare, paths, error);

    for (int i = 0; i < RUN_FIELDS; i++)
        compare->has_limits |= compare->limits[i].is_set;

    if (rc == 0)
        rc = compare_make_rows(compare, error);
    if (rc == 0)
        rc = print(compare, error);
    if (rc < 0)
        return rc;
    if (compare->is_over)
        return 1;
    return compare->is_bad || compare->unreadable > 0 ? 2 : EXIT_SUCCESS;
}

int
compare_command(int argc, char **argv, const struct context *context,
                struct error *error)
{
    struct option_line line;
    struct compare compare;
    int rc;

    (void)context;
    compare_init(&compare);
    rc = option_table_parse(&table, &compare, argc, argv, &line, error);
    if (rc == OPTION_HELP)
        rc = forms_print_help(&table, error);
    else if (rc == 0 && line.count != SIDES)
        rc = error_set(error, -EINVAL,
                       "compare: two files or folders are needed: pmon "
                       "compare BASE NEW");
    else if (rc == 0)
        rc = run(&compare, line.operands, error);
    compare_done(&compare);
    return rc;
}
