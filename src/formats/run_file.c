/* SPDX-License-Identifier: MIT */
/* Takes the figures of a run out of its summary or log. */
#include "formats/run_file.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/strbuf.h"

static bool
take_text(char **where, const char *text)
{
    if (text == NULL)
        return true;
    *where = strdup(text);
    return *where != NULL;
}

static double
number(const struct summary_file *summary, const char *group, const char *key)
{
    double value;

    return summary_file_number(summary, group, key, &value) ? value
                                                            : FIGURE_UNKNOWN;
}

static int
make_curve(struct run_file *run, size_t points)
{
    run->elapsed_s = calloc(3 * points + 1, sizeof(double));
    if (run->elapsed_s == NULL)
        return -ENOMEM;
    run->cpu_percent = run->elapsed_s + points;
    run->rss_bytes = run->cpu_percent + points;
    run->points = points;
    return 0;
}

int
run_file_of_summary(struct run_file *run, const struct summary_file *summary)
{
    static const struct {
        enum run_text text;
        const char *group;
        const char *key;
    } texts[] = {
        {RUN_STEP, "command", "step"},
        {RUN_HOST, "host", "name"},
        {RUN_RANK, "command", "rank"},
        {RUN_JOB, "command", "job"},
        {RUN_REASON, "outcome", "reason"},
        {RUN_CPU_WORD, "cpu", "total_word"},
        {RUN_PEAK_WORD, "memory", "peak_rss_word"},
        {RUN_PSS_WORD, "memory", "peak_pss_word"},
    };
    size_t at = 0;

    *run = (struct run_file){0};
    if (!take_text(&run->texts[RUN_FILE], summary->path))
        return -ENOMEM;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (!take_text(
                &run->texts[texts[i].text],
                summary_file_text(summary, texts[i].group, texts[i].key)))
            return -ENOMEM;
    for (int i = 0; i < FIGURES; i++) {
        const struct figure_info *info = figures_info((enum figure)i);

        run->values[i] = info->key != NULL
                             ? number(summary, info->group, info->key)
                             : FIGURE_UNKNOWN;
    }
    run->exit_status = number(summary, "outcome", "exit_status");
    run->signal = number(summary, "outcome", "signal");
    run->start_epoch_s = number(summary, "time", "start_epoch_s");
    if (make_curve(run, summary_file_series_count(summary)) < 0)
        return -ENOMEM;
    for (size_t i = 0; i < run->points; i++) {
        summary_file_series(summary, i, &run->elapsed_s[at],
                            &run->cpu_percent[at], &run->rss_bytes[at]);
        at += isnan(run->elapsed_s[at] + run->cpu_percent[at] +
                    run->rss_bytes[at])
                  ? 0
                  : 1;
    }
    run->points = at;
    return 0;
}

static int
set_text(char **where, const char *text)
{
    char *copy = strdup(text);

    if (copy == NULL)
        return -ENOMEM;
    free(*where);
    *where = copy;
    return 0;
}

int
run_file_set_reason(struct run_file *run, const char *reason)
{
    return set_text(&run->texts[RUN_REASON], reason);
}

int
run_file_set_number(struct run_file *run, int64_t number)
{
    STRBUF_AUTO name = {0};

    strbuf_printf(&name, "%s, run %lld", run->texts[RUN_FILE],
                  (long long)number);
    return set_text(&run->texts[RUN_FILE], strbuf_text(&name));
}

static int
take_curve(struct run_file *run, const struct series *series)
{
    size_t at = 0;

    free(run->elapsed_s);
    run->elapsed_s = NULL;
    run->points = 0;
    if (make_curve(run, series->count) < 0)
        return -ENOMEM;
    for (size_t i = 0; i < series->count; i++) {
        const struct series_slot *slot = &series->slots[i];

        if (slot->elapsed_ns == NUM_UNKNOWN)
            continue;
        run->elapsed_s[at] = num_seconds(slot->elapsed_ns);
        run->cpu_percent[at] = slot->cpu_percent;
        run->rss_bytes[at] = (double)slot->rss_bytes;
        at++;
    }
    run->points = at;
    return 0;
}

static double
larger(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

int
run_file_take_log(struct run_file *run, const struct log_figures *figures)
{
    double values[FIGURES];

    log_figures_take(figures, values);
    values[FIGURE_CPU] = figures->cpu_s > 0 ? figures->cpu_s : FIGURE_UNKNOWN;
    for (int i = 0; i < FIGURES; i++)
        run->values[i] = larger(run->values[i], values[i]);
    /* Means are not of the larger part but of the longer one. */
    run->values[FIGURE_CPU_MEAN] = values[FIGURE_CPU_MEAN];
    run->values[FIGURE_MEAN_RSS] = values[FIGURE_MEAN_RSS];
    run->values[FIGURE_PEAK_RSS_UPPER] = FIGURE_UNKNOWN;
    if (set_text(&run->texts[RUN_PEAK_WORD], "at least") < 0 ||
        set_text(&run->texts[RUN_CPU_WORD], "at least") < 0)
        return -ENOMEM;
    return take_curve(run, &figures->series);
}

int
run_file_of_log(struct run_file *run, const char *path,
                const struct log_figures *figures)
{
    *run = (struct run_file){.exit_status = FIGURE_UNKNOWN,
                             .signal = FIGURE_UNKNOWN,
                             .start_epoch_s = FIGURE_UNKNOWN};
    log_figures_take(figures, run->values);
    if (!take_text(&run->texts[RUN_FILE], path) ||
        (figures->rows > 0 &&
         !take_text(&run->texts[RUN_PEAK_WORD], "at least")))
        return -ENOMEM;
    return take_curve(run, &figures->series);
}

void
run_file_done(struct run_file *run)
{
    for (int i = 0; i < RUN_TEXTS; i++)
        free(run->texts[i]);
    free(run->elapsed_s);
    *run = (struct run_file){0};
}

struct run_file *
run_list_next(struct run_list *runs)
{
    size_t wanted = runs->allocated < 16 ? 16 : runs->allocated * 2;
    struct run_file *list;

    if (runs->count == runs->allocated) {
        list = realloc(runs->list, wanted * sizeof(*list));
        if (list == NULL)
            return NULL;
        runs->list = list;
        runs->allocated = wanted;
    }
    runs->list[runs->count] = (struct run_file){0};
    return &runs->list[runs->count++];
}

void
run_list_done(struct run_list *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        run_file_done(&runs->list[i]);
    free(runs->list);
    *runs = (struct run_list){0};
}

const char *
run_file_name(const struct run_file *run)
{
    const char *file = run->texts[RUN_FILE];
    const char *slash = strrchr(file, '/');

    if (run->texts[RUN_STEP] != NULL)
        return run->texts[RUN_STEP];
    return slash != NULL && slash[1] != '\0' ? slash + 1 : file;
}
