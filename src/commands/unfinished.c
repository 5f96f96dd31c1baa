/* SPDX-License-Identifier: MIT */
/* Distinguishes lost runs from running ones, and reads the logs of both. */
#include "commands/unfinished.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/num.h"
#include "formats/log_figures.h"
#include "formats/log_reader.h"
#include "formats/summary.h"
#include "host/monitor.h"

/* A summary is written each minute; this is twice as long. */
static const int64_t fresh_ns = 120 * NUM_NS_PER_S;
/*
 * The log is truncated after the start.  Some file systems round times to 2 s;
 * on others a time may be up to a tick of the kernel old.
 */
static const int64_t coarse_ns = 2 * NUM_NS_PER_S;
static const int64_t fine_ns = 20 * NUM_NS_PER_MS;

static enum monitor_state
look_at_monitor(const struct run *run)
{
    struct monitor monitor = {
        .pid = run->monitor.pid,
        .start_ticks = run->monitor.start_ticks,
        .pid_namespace = run->monitor.pid_namespace,
    };
    struct monitor self;

    if (run->monitor.boot_id != NULL)
        snprintf(monitor.boot_id, sizeof(monitor.boot_id), "%s",
                 run->monitor.boot_id);
    monitor_init(&self);
    return monitor_look(&monitor, &self);
}

/*
 * Whether the summary says running and its pmon has gone: by its pid on the
 * host and boot that it had, else when the summary is older than two minutes,
 * as a new one is written each minute.
 */
static bool
has_lost_pmon(const struct run *run)
{
    const struct run_time *time = &run->time;
    int64_t written_ns = num_add(
        num_max(time->start_epoch_ns, 0),
        num_add(num_max(time->wall_ns, 0), num_max(time->suspended_ns, 0)));

    if (run->outcome.reason != REASON_RUNNING)
        return false;
    switch (look_at_monitor(run)) {
    case MONITOR_RUNS:
        return false;
    case MONITOR_GONE:
        return true;
    case MONITOR_UNKNOWN:
    default:
        return clock_now(&clock_system, CLOCK_REALTIME) >
               num_add(written_ns, fresh_ns);
    }
}

bool
unfinished_is_whole(const struct run *run)
{
    return run->outcome.reason == REASON_EXITED ||
           run->outcome.reason == REASON_DETACHED;
}

/* Reads the rows; returns whether they are of this run. */
static bool
read_rows(struct log_figures *figures, const struct run *run, const char *path)
{
    struct log_reader reader;
    struct log_match match;
    struct psrecord_row row;
    struct error error;
    struct bad_rows bad = {.say = message_text};
    int64_t number = 1;
    int rc = log_reader_open(&reader, path, &bad, &error);

    if (rc < 0)
        return false;
    log_match_init(&match, run);
    while ((rc = log_reader_next(&reader, &row, &error)) == 0) {
        if (reader.run != number) {
            log_figures_reset(figures);
            log_match_init(&match, run);
        }
        number = reader.run;
        log_match_row(&match, row.elapsed_s, row.rss_mib * (double)NUM_MIB);
        log_figures_push(figures, &row);
    }
    log_reader_close(&reader);
    bad_rows_end(&bad, path);
    return rc == 1 && figures->rows > 0 && log_match_is_same(&match);
}

/* A log that was not written since the start belongs to an earlier run. */
static bool
is_of_run(const struct run *run, const char *path)
{
    struct stat st;
    int64_t written_ns;

    if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
        return false;
    written_ns =
        num_add(num_mul(st.st_mtim.tv_sec, NUM_NS_PER_S), st.st_mtim.tv_nsec);
    return num_add(written_ns, st.st_mtim.tv_nsec != 0 ? fine_ns : coarse_ns) >=
           run->time.start_epoch_ns;
}

/* 1 if its rows were taken, 0 if it has none of this run. */
static int
take_log(struct run *run, const char *path)
{
    struct log_figures figures;
    int rc = 0;

    if (path == NULL || !is_of_run(run, path))
        return 0;
    log_figures_init(&figures);
    if (read_rows(&figures, run, path)) {
        rc = log_figures_extend(&figures, run);
        rc = rc < 0 ? rc : 1;
    }
    log_figures_done(&figures);
    return rc;
}

int
unfinished_read(struct run *run, const char *path, struct error *error)
{
    FREE_AUTO char *log = NULL;
    bool is_lost;
    int rc = summary_read(run, path, error);

    if (rc < 0 || run->outcome.reason != REASON_RUNNING)
        return rc;
    is_lost = has_lost_pmon(run);
    log = summary_find_file(run, run->files.log);
    rc = take_log(run, log);
    if (rc < 0)
        return error_no_memory(error);
    if (!is_lost)
        return 0;
    if (rc == 1)
        message_print(
            "%s: lost: pmon was killed; the figures are from its log %s", path,
            log);
    else
        message_print(
            "%s: lost: pmon was killed; there is no log, so the figures "
            "cover only the first %.1f s",
            path, num_seconds(num_max(run->time.wall_ns, 0)));
    run->outcome.reason = REASON_LOST;
    return 0;
}
