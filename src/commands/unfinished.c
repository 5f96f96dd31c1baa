/* SPDX-License-Identifier: MIT */
/* Tells lost runs from running ones, and reads the logs of both. */
#include "commands/unfinished.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/num.h"
#include "commands/bad_rows.h"
#include "formats/log_match.h"
#include "formats/log_reader.h"
#include "host/monitor.h"

/* Two of the minutes after which a summary is written again. */
static const double fresh_s = 120;
/* Some file systems have times of 2 s; a log is emptied after the start. */
static const double coarse_s = 2;

static bool
says_running(const struct summary_file *summary)
{
    const char *reason = summary_file_text(summary, "outcome", "reason");

    return reason != NULL && strcmp(reason, "running") == 0;
}

static int64_t
integer(const struct summary_file *summary, const char *key)
{
    int64_t value;

    return summary_file_integer(summary, "monitor", key, &value) ? value
                                                                 : NUM_UNKNOWN;
}

static enum monitor_state
look_at_monitor(const struct summary_file *summary)
{
    const char *boot_id = summary_file_text(summary, "monitor", "boot_id");
    struct monitor monitor = {
        .pid = integer(summary, "pid"),
        .start_ticks = integer(summary, "start_ticks"),
        .pid_namespace = integer(summary, "pid_namespace"),
    };
    struct monitor self;

    if (boot_id != NULL)
        snprintf(monitor.boot_id, sizeof(monitor.boot_id), "%s", boot_id);
    monitor_init(&self);
    return monitor_look(&monitor, &self);
}

/* Seconds of the time group; 0 where it is not known. */
static double
seconds(const struct summary_file *summary, const char *key)
{
    double value;

    return summary_file_number(summary, "time", key, &value) ? value : 0;
}

bool
unfinished_is_lost(const struct summary_file *summary)
{
    double written_s = seconds(summary, "start_epoch_s") +
                       seconds(summary, "wall_s") +
                       seconds(summary, "suspended_s");

    if (!says_running(summary))
        return false;
    switch (look_at_monitor(summary)) {
    case MONITOR_RUNS:
        return false;
    case MONITOR_GONE:
        return true;
    case MONITOR_UNKNOWN:
    default:
        return num_seconds(clock_now(&clock_system, CLOCK_REALTIME)) >
               written_s + fresh_s;
    }
}

bool
unfinished_is_whole(const struct run_file *run)
{
    const char *reason = run->texts[RUN_REASON];

    return reason != NULL &&
           (strcmp(reason, "exited") == 0 || strcmp(reason, "detached") == 0);
}

/* The rows; whether they are of this run. */
static bool
read_rows(struct log_figures *figures, const struct summary_file *summary,
          const char *path)
{
    struct log_reader reader;
    struct log_match match;
    struct psrecord_row row;
    struct error error;
    struct bad_rows bad = {0};
    int64_t run = 1;
    int rc = log_reader_open(&reader, path, &error);

    if (rc < 0)
        return false;
    log_match_init(&match, summary);
    while ((rc = log_reader_next(&reader, &row, &error)) == 0 ||
           rc == -EBADMSG) {
        if (rc == -EBADMSG) {
            bad_rows_say(&bad, &error);
            continue;
        }
        if (reader.run != run && log_figures_reset(figures) < 0)
            break;
        if (reader.run != run)
            log_match_init(&match, summary);
        run = reader.run;
        log_match_row(&match, row.elapsed_s, row.rss_mib * (double)NUM_MIB);
        log_figures_push(figures, &row);
    }
    log_reader_close(&reader);
    bad_rows_end(&bad, path);
    return rc == 1 && figures->rows > 0 && log_match_is_same(&match);
}

/* A log that nobody has written to since the start is an earlier run's. */
static bool
is_of_run(const struct summary_file *summary, const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
           (double)st.st_mtime + coarse_s >= seconds(summary, "start_epoch_s");
}

/* 1 where its rows were taken, 0 where it has none that can be. */
static int
take_log(struct run_file *run, const struct summary_file *summary,
         const char *path)
{
    struct log_figures figures;
    int rc = 0;

    if (path == NULL || !is_of_run(summary, path))
        return 0;
    if (log_figures_init(&figures) < 0)
        return -ENOMEM;
    if (read_rows(&figures, summary, path)) {
        rc = run_file_take_log(run, &figures);
        rc = rc < 0 ? rc : 1;
    }
    log_figures_done(&figures);
    return rc;
}

int
unfinished_read(struct run_file *run, const struct summary_file *summary)
{
    FREE_AUTO char *log = summary_file_path(summary, "log");
    bool is_lost;
    int rc = run_file_of_summary(run, summary);

    if (rc < 0 || !says_running(summary))
        return rc;
    is_lost = unfinished_is_lost(summary);
    rc = take_log(run, summary, log);
    if (rc < 0 || !is_lost)
        return rc < 0 ? rc : 0;
    if (rc == 1)
        message_print(
            "%s: lost: pmon was killed; the figures are those of its log %s",
            summary->path, log);
    else
        message_print(
            "%s: lost: pmon was killed; the figures are those of its first "
            "%.1f s, there is no log of it",
            summary->path, seconds(summary, "wall_s"));
    return run_file_set_reason(run, "lost");
}
