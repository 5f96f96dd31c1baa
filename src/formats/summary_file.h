/* SPDX-License-Identifier: MIT */
/*
 * A summary as it was written, read back: by group and key, as
 * pmon-formats(5) names them.  The counterpart of summary_json.h.
 */
#ifndef PMON_FORMATS_SUMMARY_FILE_H
#define PMON_FORMATS_SUMMARY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct json_t;

struct summary_file {
    char *path;
    struct json_t *root;
    int64_t impossible; /* numbers that no figure can have: null now */
};

/* What to say of them: the path, and how many as long long. */
#define SUMMARY_IMPOSSIBLE                                              \
    "%s: %lld values are negative or too large for a figure, taken as " \
    "unknown"

/* One row of the list `regions`; texts stay the file's. */
struct summary_region {
    const char *name;
    int64_t count;
    double total_s; /* NAN where it is not known, as the next */
    double mean_s;
    double min_s;
    double max_s;
    double p50_s;
    double p95_s;
    double cpu_s;
    double peak_rss_bytes;
    const char *peak_rss_word; /* NULL likewise */
};

/* One row of the list `budgets`. */
struct summary_budget {
    const char *name;
    const char *action;
    double limit; /* bytes or seconds, by the name; NAN: not known */
    double value;
    bool is_kept;
};

/*
 * Whether the file at path begins as every summary does, with the keys schema
 * and pmon: 1 or 0; a negative errno where it cannot be read.
 */
int summary_file_look(const char *path);

/*
 * Reads and checks the file: an object with schema 1.  0 or a negative errno,
 * -ENOMSG for a file of another program, -EBADMSG for a broken summary or one
 * of another schema; error names the file (and line, where it is not JSON).
 */
int summary_file_open(struct summary_file *file, const char *path,
                      struct error *error);
void summary_file_close(struct summary_file *file);

/* A number; false where it is null or missing. */
bool summary_file_number(const struct summary_file *file, const char *group,
                         const char *key, double *ret_value);
bool summary_file_integer(const struct summary_file *file, const char *group,
                          const char *key, int64_t *ret_value);

/* A text, the file's; NULL where it is null or missing. */
const char *summary_file_text(const struct summary_file *file,
                              const char *group, const char *key);

/* The curve: slots of series; each array has count values, NAN if unknown. */
size_t summary_file_series_count(const struct summary_file *file);
void summary_file_series(const struct summary_file *file, size_t at,
                         double *ret_elapsed_s, double *ret_cpu_percent,
                         double *ret_rss_bytes);

/* The regions; false beyond the last. */
bool summary_file_region(const struct summary_file *file, size_t at,
                         struct summary_region *ret_region);

/* The budgets; false beyond the last. */
bool summary_file_budget(const struct summary_file *file, size_t at,
                         struct summary_budget *ret_budget);

/*
 * A path that stands in the summary (group files): as it is when absolute and
 * there, else of that name in the folder in which the summary stands or, where
 * there is none, from command.cwd.  The caller's to free; NULL for none.
 */
char *summary_file_path(const struct summary_file *file, const char *key);

#endif
