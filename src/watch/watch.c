/* SPDX-License-Identifier: MIT */
/*
 * Waits for the next deadline or signal, and acts on it.  Deadlines are
 * absolute, so samples do not drift; a missed sample is skipped and counted.
 */
#include "watch/watch.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "base/num.h"

#define LOG(watch, least, ...)                  \
    do {                                        \
        if ((watch)->settings.level <= (least)) \
            message_print(__VA_ARGS__);         \
    } while (0)

static int
open_signals(struct watch *watch, struct error *error)
{
    sigset_t set;

    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* write(2) reports a limit of size */
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    watch->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (watch->signal_fd < 0)
        return error_set(error, -errno, "signalfd: %s", error_name(errno));
    return 0;
}

static void
say_waiting(struct watch *watch, const struct error *error)
{
    if (!watch->is_waiting)
        LOG(watch, WATCH_WARNING,
            "%s; trying again at each sample; rows are lost until it works",
            error->text);
    watch->is_waiting = true;
}

/* Opens the files of the settings.  Waits while the disk is full. */
static int
open_files(struct watch *watch, struct error *error)
{
    const struct settings *settings = &watch->settings;
    int rc;

    row_files_close(&watch->files);
    row_files_init(&watch->files, settings->dir, settings->is_extended);
    watch->files.max_size = settings->max_size;
    watch->files.keep = settings->keep;
    if (!settings->is_enabled)
        return 0;
    rc = row_files_open(&watch->files, error);
    if (!row_files_is_passing(rc))
        return rc;
    say_waiting(watch, error);
    return 0;
}

static void
say_start(struct watch *watch)
{
    const struct settings *settings = &watch->settings;
    STRBUF_AUTO filters = {0};

    if (!settings->is_enabled) {
        LOG(watch, WATCH_CRITICAL, "idle: set %sENABLED=true to record",
            watch->settings.env_prefix);
        return;
    }
    for (size_t i = 0; i < settings->filters.count; i++)
        strbuf_printf(&filters, "%s%.80s", i > 0 ? ", " : "",
                      settings->filters.list[i]);
    LOG(watch, WATCH_INFO,
        "recording %.400s every %g s to %s/" ROW_FILES_NAME ", by %s",
        strbuf_text(&filters), num_seconds(settings->interval_ns),
        settings->dir, watch->sampling.list->name);
    if (watch->files.is_unlocked)
        LOG(watch, WATCH_WARNING,
            "%s/" ROW_FILES_NAME
            ": this file system has no locks; pmon-watch cannot tell whether "
            "another one is writing there",
            settings->dir);
}

/* Sends READY, and the text that systemctl status shows. */
static void
tell_ready(struct watch *watch)
{
    watch->told_rows = NUM_UNKNOWN;
    if (watch->settings.is_enabled)
        notify_send(&watch->notify, "READY=1\nSTATUS=recording to %s",
                    watch->settings.dir);
    else
        notify_send(&watch->notify,
                    "READY=1\nSTATUS=idle: set %sENABLED=true to record",
                    watch->settings.env_prefix);
}

int
watch_init(struct watch *watch, const struct settings *flags,
           struct process_list *list, int proc_fd,
           const struct clock_source *clock,
           const char *(*environment)(const char *name), struct error *error)
{
    int rc;

    *watch = (struct watch){.flags = flags,
                            .clock = clock,
                            .environment = environment,
                            .proc_fd = proc_fd,
                            .signal_fd = -1,
                            .notify.fd = -1,
                            .told_rows = NUM_UNKNOWN};
    row_files_init(&watch->files, ".", false);
    rc = sampling_init(&watch->sampling, list, proc_fd, clock, error);
    if (rc == 0)
        rc = settings_make(&watch->settings, flags, environment, error);
    if (rc == 0)
        rc = open_signals(watch, error);
    if (rc == 0 && notify_init(&watch->notify, environment, error) < 0)
        LOG(watch, WATCH_WARNING, "%s", error->text);
    if (rc == 0)
        rc = open_files(watch, error);
    return rc;
}

void
watch_done(struct watch *watch)
{
    row_files_close(&watch->files);
    notify_done(&watch->notify);
    settings_done(&watch->settings);
    sampling_done(&watch->sampling);
    cleanup_close(&watch->signal_fd);
}

static void
say_written(struct watch *watch)
{
    if (watch->is_waiting)
        LOG(watch, WATCH_WARNING,
            "%s/" ROW_FILES_NAME ": writing rows again, %" PRId64 " were lost",
            watch->settings.dir, watch->waiting_rows);
    watch->is_waiting = false;
    watch->waiting_rows = 0;
    if (watch->files.rotate_failed < 0 && !watch->has_rotate_trouble)
        LOG(watch, WATCH_WARNING,
            "%s/" ROW_FILES_NAME ": grows beyond --max-size; no new file can "
            "be created: %s",
            watch->settings.dir, error_name(watch->files.rotate_failed));
    watch->has_rotate_trouble = watch->files.rotate_failed < 0;
}

static void
write_sample(struct watch *watch)
{
    struct sampling *sampling = &watch->sampling;
    struct error error;
    int rc = row_files_write(&watch->files, strbuf_text(&sampling->rows),
                             sampling->rows.size, &error);

    if (rc < 0) {
        watch->lost_rows += sampling->count;
        watch->waiting_rows += sampling->count;
        say_waiting(watch, &error);
        return;
    }
    watch->rows += sampling->count;
    sampling_commit(sampling);
    if (sampling->count > 0)
        say_written(watch);
}

static void
tell_status(struct watch *watch)
{
    int64_t rows = watch->is_waiting ? -2 : watch->sampling.count;

    if (rows == watch->told_rows)
        return;
    watch->told_rows = rows;
    if (watch->is_waiting)
        notify_send(&watch->notify, "STATUS=rows cannot be written to %s",
                    watch->settings.dir);
    else
        notify_send(&watch->notify,
                    "STATUS=recording %" PRId64 " processes to %s", rows,
                    watch->settings.dir);
}

static void
take_sample(struct watch *watch)
{
    const struct sampling_choice choice = {
        .filters = &watch->settings.filters,
        .include_self = watch->settings.include_self,
        .is_extended = watch->settings.is_extended};
    int64_t begin_ns = clock_now(watch->clock, CLOCK_MONOTONIC);
    struct error error;
    int rc = sampling_take(&watch->sampling, &choice, &error);

    if (rc < 0 && !watch->has_list_trouble)
        LOG(watch, WATCH_ERROR, "%s; trying again", error.text);
    watch->has_list_trouble = rc < 0;
    if (rc == 0)
        write_sample(watch);
    tell_status(watch);
    watch->samples++;
    if (watch->samples == watch->settings.samples)
        watch->has_ended = true;
    LOG(watch, WATCH_DEBUG,
        "%" PRId64 " of %" PRId64 " processes match, sampled in %.1f ms",
        watch->sampling.count, watch->sampling.processes,
        num_seconds(clock_now(watch->clock, CLOCK_MONOTONIC) - begin_ns) *
            1000);
}

/*
 * HUP: reads the settings again; if they are wrong, reports that and keeps the
 * old ones.
 */
static void
reload(struct watch *watch)
{
    struct settings settings = watch->settings;
    struct error error;
    int rc;

    notify_send(&watch->notify, "RELOADING=1\nMONOTONIC_USEC=%" PRId64,
                clock_now(watch->clock, CLOCK_MONOTONIC) / NUM_NS_PER_US);
    rc = settings_make(&settings, watch->flags, watch->environment, &error);
    if (rc < 0) {
        LOG(watch, WATCH_ERROR, "%s; the old settings stay in use", error.text);
    } else {
        /* In another folder, a failure to write has its own reason. */
        if (!settings.is_enabled ||
            strcmp(settings.dir, watch->settings.dir) != 0) {
            watch->is_waiting = false;
            watch->waiting_rows = 0;
        }
        row_files_close(&watch->files);
        settings_done(&watch->settings);
        watch->settings = settings;
    }
    rc = open_files(watch, &error);
    if (rc < 0)
        say_waiting(watch, &error);
    watch->due_ns = clock_now(watch->clock, CLOCK_MONOTONIC);
    say_start(watch);
    tell_ready(watch);
}

static void
take_signals(struct watch *watch)
{
    struct signalfd_siginfo info;

    while (read(watch->signal_fd, &info, sizeof(info)) == sizeof(info)) {
        if (info.ssi_signo == SIGHUP)
            reload(watch);
        else
            watch->has_ended = true;
    }
}

/* Waits until the next deadline or a signal. */
static void
wait_for_event(const struct watch *watch)
{
    struct pollfd poll_fd = {.fd = watch->signal_fd, .events = POLLIN};
    int64_t now_ns = clock_now(watch->clock, CLOCK_MONOTONIC);
    int64_t until_ns = INT64_MAX;
    struct timespec timeout;

    if (watch->settings.is_enabled)
        until_ns = watch->due_ns;
    if (watch->notify.watchdog_ns != NUM_UNKNOWN &&
        watch->watchdog_ns < until_ns)
        until_ns = watch->watchdog_ns;
    timeout.tv_sec = (time_t)(num_max(0, until_ns - now_ns) / NUM_NS_PER_S);
    timeout.tv_nsec = (long)(num_max(0, until_ns - now_ns) % NUM_NS_PER_S);
    ppoll(&poll_fd, 1, until_ns == INT64_MAX ? NULL : &timeout, NULL);
}

/* Sets the next deadline on the grid of the interval. */
static void
advance(struct watch *watch)
{
    int64_t interval_ns = watch->settings.interval_ns;
    int64_t late_ns = clock_now(watch->clock, CLOCK_MONOTONIC) - watch->due_ns;
    int64_t skipped = late_ns / interval_ns;

    watch->missed_ticks += skipped;
    watch->due_ns += (skipped + 1) * interval_ns;
}

static void
keep_alive(struct watch *watch)
{
    int64_t now_ns = clock_now(watch->clock, CLOCK_MONOTONIC);

    if (watch->notify.watchdog_ns == NUM_UNKNOWN || now_ns < watch->watchdog_ns)
        return;
    notify_send(&watch->notify, "WATCHDOG=1");
    watch->watchdog_ns = now_ns + watch->notify.watchdog_ns;
}

void
watch_run(struct watch *watch)
{
    watch->due_ns = clock_now(watch->clock, CLOCK_MONOTONIC);
    watch->watchdog_ns = watch->due_ns;
    say_start(watch);
    tell_ready(watch);
    while (!watch->has_ended) {
        take_signals(watch);
        keep_alive(watch);
        if (!watch->has_ended && watch->settings.is_enabled &&
            clock_now(watch->clock, CLOCK_MONOTONIC) >= watch->due_ns) {
            take_sample(watch);
            advance(watch);
        } else if (!watch->has_ended) {
            wait_for_event(watch);
        }
    }
    notify_send(&watch->notify, "STOPPING=1\nSTATUS=stopping");
    LOG(watch, WATCH_INFO,
        "ended after %" PRId64 " samples, %" PRId64 " rows; %" PRId64
        " rows lost, %" PRId64 " samples skipped",
        watch->samples, watch->rows, watch->lost_rows, watch->missed_ticks);
}
