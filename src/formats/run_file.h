/* SPDX-License-Identifier: MIT */
/* What a summary or a log tells of its run, to be reported and compared. */
#ifndef PMON_FORMATS_RUN_FILE_H
#define PMON_FORMATS_RUN_FILE_H

#include <stddef.h>

#include "engine/figures.h"
#include "formats/log_figures.h"
#include "formats/summary_file.h"

/* The run's own copies; hostile; NULL: not known. */
enum run_text {
    RUN_FILE,
    RUN_STEP,
    RUN_HOST,
    RUN_RANK,
    RUN_JOB,
    RUN_REASON,
    RUN_CPU_WORD,
    RUN_PEAK_WORD,
    RUN_PSS_WORD,
    RUN_TEXTS,
};

struct run_file {
    char *texts[RUN_TEXTS];
    double values[FIGURES]; /* NAN: not known, as below */
    double exit_status;
    double signal;
    double start_epoch_s;

    /* The curve: three lists in one. */
    double *elapsed_s;
    double *cpu_percent;
    double *rss_bytes;
    size_t points;
};

struct run_list {
    struct run_file *list;
    size_t count;
    size_t allocated;
};

/* The next of the list, for one of the two below; NULL without memory. */
struct run_file *run_list_next(struct run_list *runs);
void run_list_done(struct run_list *runs);

/* 0 or -ENOMEM; to be given to run_file_done in either case. */
int run_file_of_summary(struct run_file *run,
                        const struct summary_file *summary);
int run_file_of_log(struct run_file *run, const char *path,
                    const struct log_figures *figures);

/*
 * The run's log goes on where its summary ends: takes the larger of each
 * figure, and the curve.  No figure is exact then.  0 or -ENOMEM.
 */
int run_file_take_log(struct run_file *run, const struct log_figures *figures);

/*
 * Names the run by its number, from 1, in a file that has several.  0 or
 * -ENOMEM.
 */
int run_file_set_number(struct run_file *run, int64_t number);

/* 0 or -ENOMEM. */
int run_file_set_reason(struct run_file *run, const char *reason);
void run_file_done(struct run_file *run);

/* The step's name, else the last part of the file's. */
const char *run_file_name(const struct run_file *run);

#endif
