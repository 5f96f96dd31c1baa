/* SPDX-License-Identifier: MIT */
/*
 * What pmon report has read, shared by the files report*.c alone:
 * report_read.c and report_rows.c fill it, report_sheets.c makes sheets of it,
 * report.c and report_github.c give them out.
 */
#ifndef PMON_COMMANDS_REPORT_STATE_H
#define PMON_COMMANDS_REPORT_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "commands/summary_folder.h"
#include "formats/bad_rows.h"
#include "model/regions.h"
#include "model/run_fields.h"
#include "views/sheet.h"

enum report_sheet {
    REPORT_RUNS,
    REPORT_GROUPS,
    REPORT_BUDGETS,
    REPORT_REGIONS,
    REPORT_PROCESSES,
    REPORT_FUNCTIONS,
    REPORT_PEAKS,
    REPORT_COMMANDS,
    REPORT_AT_PEAK,
    REPORT_SHEETS,
};

struct report {
    enum form form;
    const char *sort;              /* NULL: in the order of reading */
    const struct run_field *group; /* NULL: not grouped */
    bool is_github;

    struct seen_files seen;
    struct run_list runs;
    struct regions regions; /* of region files */
    struct sheet sheets[REPORT_SHEETS];
    struct sheet_column *run_columns; /* with those of tags; NULL */
    char *tag_keys[RUN_TAGS];
    size_t tag_count;
    bool is_bad;         /* a file or row was bad, and was reported */
    struct bad_rows bad; /* of the current file */
};

void report_init(struct report *report);
void report_done(struct report *report);

/*
 * Before there are rows of runs: a column for each tag that one of them has,
 * up to RUN_TAGS.  0 or -ENOMEM.
 */
int report_add_tags(struct report *report);

/* Reports what is wrong with one file; the others are still read. */
void report_say_bad(struct report *report, const struct error *error);

/* The readers of report_rows.c: 0 or negative, like report_read. */
int report_read_resources(struct report *report, const char *path,
                          struct error *error);
int report_read_profile(struct report *report, const char *path,
                        struct error *error);

/*
 * Reads a summary.  Reports errors and returns 0, except -ENOMSG for the JSON
 * of another program.
 */
int report_read_summary(struct report *report, const char *path,
                        struct error *error);

/* Reads the summaries of a folder, or its other files if it has none. */
int report_read_folder(struct report *report, const char *path,
                       struct error *error);

/* Adds rows of regions; run NULL: they are of a region file. */
void report_add_regions(struct report *report, const struct run *run,
                        const struct region_stats *list, size_t count);

/*
 * Rows of the commands of a run: the first `most`, all others in one row, and
 * what is of none.  is_one: people need not be told of which run.
 */
void report_add_commands(struct sheet *sheet, const struct run *run,
                         bool is_one, size_t most);

/* Rows of the processes at the peak, the largest `most`. */
void report_add_at_peak(struct sheet *sheet, const struct run *run, bool is_one,
                        size_t most);

/* Whether more than one process was there at the peak. */
bool report_has_more_at_peak(const struct run *run);

/* An empty sheet of a kind. */
void report_init_sheet(struct sheet *sheet, enum report_sheet kind);

/*
 * If path is NAME_headers, the error that NAME is the file to read: -EINVAL;
 * else 0.
 */
int report_say_headers(const char *path, struct error *error);

/* Whether path is NAME_headers, and NAME is among paths. */
bool report_is_given(char *const *paths, const char *path);

/*
 * Reads a file, or those of a folder.  Reports errors and sets is_bad; negative
 * without memory.
 */
int report_read(struct report *report, const char *path, struct error *error);

/* Makes the sheets of runs, groups and regions, all sorted; 0 or negative. */
int report_make_sheets(struct report *report, struct error *error);

/* Whether a sheet has a column of this name; names gets those of the runs. */
bool report_can_sort(const char *name, struct strbuf *names);

/* Appends Markdown with verdicts and curves to the file at path. */
int report_write_github(const struct report *report, const char *path,
                        struct error *error);

#endif
