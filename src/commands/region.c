/* SPDX-License-Identifier: MIT */
/*
 * Wraps a command in a region, or marks the begin and the end of a region in
 * two calls. libpmon decides by the environment what is written.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/array.h"
#include "base/message.h"
#include "base/num.h"
#include "commands/commands.h"
#include "commands/forms.h"
#include "libpmon/pmon.h"
#include "proc/live.h"
#include "regions/environment.h"
#include "regions/marks.h"
#include "step/child.h"
#include "step/descendants.h"
#include "step/executable.h"
#include "step/signals.h"
#include "step/wait.h"

/* The names of the two marks; texts belong to argv. */
struct asked {
    const char *begin;
    const char *end;
};

static const struct option_row rows[] = {
    {"begin", 0, "NAME", "begin a region; end it with --end",
     .kind = OPTION_NAME, .where = offsetof(struct asked, begin)},
    {"end", 0, "NAME", "end the newest open region of that name",
     .kind = OPTION_NAME, .where = offsetof(struct asked, end)},
    {"help", 'h', NULL, "print this help", .kind = OPTION_HELP},
};

static const struct option_pair excludes[] = {{"begin", "end"}, {NULL, NULL}};

static const struct option_table table = {
    .usage = "usage: pmon region NAME -- COMMAND [ARG...]\n"
             "       pmon region --begin NAME\n"
             "       pmon region --end NAME\n\n"
             "Marks a phase: writes a row with its start and duration to the "
             "folder that\n"
             "PMON_REGIONS names.  pmon --regions DIR sets this variable for "
             "a step.  If it is\n"
             "not set, nothing is recorded.\n",
    .command = "pmon region",
    .rows = rows,
    .count = ARRAY_SIZE(rows),
    .excludes = excludes,
};

/* The state of waiting for a command. */
struct waiting {
    struct signals signals;
    struct child child;
    struct job_control stopped;
    struct proc_live live; /* to find who sent a signal */
    const struct clock_source *clock;
};

static void
take_signal(struct waiting *waiting, const struct signal_event *event)
{
    int64_t now_ns = clock_now(waiting->clock, CLOCK_MONOTONIC);

    if (event->number == SIGCONT)
        job_control_continued(&waiting->stopped, now_ns);
    if (event->sender > 0 &&
        descendants_include(&waiting->live.source, event->sender,
                            waiting->child.pid))
        return;
    signals_pass(&waiting->signals, event, waiting->child.pid, now_ns);
}

/* Passes signals on, and follows stops, until the child has ended. */
static int
wait_for(struct waiting *waiting)
{
    enum { RECHECK_MS = 110 };
    struct pollfd poll_fd = {.fd = waiting->signals.fd, .events = POLLIN};
    struct signal_event event;
    struct rusage usage;
    int status = 0;

    while (!wait_is_zombie(waiting->child.pid) ||
           wait_reap(waiting->child.pid, &status, &usage) < 0) {
        if (job_control_is_due(&waiting->stopped, waiting->child.pid,
                               clock_now(waiting->clock, CLOCK_MONOTONIC))) {
            raise(SIGSTOP);
            job_control_continued(&waiting->stopped,
                                  clock_now(waiting->clock, CLOCK_MONOTONIC));
        }
        poll(&poll_fd, 1, waiting->stopped.is_pending ? RECHECK_MS : -1);
        for (signals_next(&waiting->signals, &event); event.number != 0;
             signals_next(&waiting->signals, &event))
            take_signal(waiting, &event);
    }
    return status;
}

/* Sets the error for regions that are off though they were requested. */
static int
set_off(const struct context *context, int rc, struct error *error)
{
    if (regions_check_environment(context, error) < 0)
        return error->code;
    return error_set(error, rc, "PMON_REGIONS=%s: %s",
                     context->environment("PMON_REGIONS"), error_name(rc));
}

/* Checks that the row of the ended region was written. */
static int
check_written(const char *name, struct error *error)
{
    struct pmon_regions_counts counts;

    pmon_regions_flush();
    pmon_regions_stats(&counts);
    if (counts.lost == 0)
        return 0;
    return error_set(error, -counts.error,
                     "region %s: its row cannot be written: %s", name,
                     error_name(counts.error));
}

/* Lets the child go, within a region; returns its status of wait4(2). */
static int
run_child(struct waiting *waiting, const char *name,
          const struct context *context, int *ret_failed)
{
    struct error error = {0};
    struct pmon_region region;
    int rc = pmon_regions_decide();
    int status;

    if (rc < 0) {
        set_off(context, rc, &error);
        message_print("%s", error.text);
    }
    region = pmon_region_begin(name);
    child_release(&waiting->child, ret_failed);
    status = wait_for(waiting);
    pmon_region_end(region);
    if (check_written(name, &error) < 0)
        message_print("%s", error.text);
    return status;
}

/* Runs argv within a region of the name. */
static int
wrap(const char *name, char **argv, const struct context *context,
     struct error *error)
{
    struct waiting waiting = {.clock = context->clock};
    struct child_setup setup = {.argv = argv,
                                .path_list = context->environment("PATH")};
    int failed = 0;
    int status;
    int rc = signals_init(&waiting.signals, false, error);

    if (rc < 0)
        return rc;
    setup.mask = &waiting.signals.original;
    setup.sigchld_was_ignored = waiting.signals.sigchld_was_ignored;
    rc = child_fork(&waiting.child, &setup, error);
    if (rc < 0)
        return rc;
    proc_live_init(&waiting.live, 0);
    status = run_child(&waiting, name, context, &failed);
    proc_live_done(&waiting.live);
    child_done(&waiting.child);
    if (failed != 0) {
        status = executable_error(argv, setup.path_list, failed,
                                  "pmon region NAME --", error);
        message_print("%s", error->text);
        return status;
    }
    if (WIFSIGNALED(status))
        signals_die_by(&waiting.signals, WTERMSIG(status));
    signals_done(&waiting.signals);
    return wait_shell_status(status);
}

static int
begin(const char *folder, const char *name, const struct context *context,
      struct error *error)
{
    struct region_mark mark = {
        .start_ns = clock_now(context->clock, CLOCK_REALTIME),
        .start_mono_ns = clock_now(context->clock, CLOCK_MONOTONIC)};

    return marks_begin(folder, marks_run(context->environment), name, &mark,
                       error);
}

static int
end(const char *folder, const char *name, const struct context *context,
    struct error *error)
{
    int64_t now_ns = clock_now(context->clock, CLOCK_MONOTONIC);
    struct region_mark mark;
    int64_t duration_ns;
    int rc =
        marks_end(folder, marks_run(context->environment), name, &mark, error);

    if (rc < 0)
        return rc;
    duration_ns = now_ns - mark.start_mono_ns;
    if (duration_ns < 0) /* the machine has rebooted */
        duration_ns = num_max(0, clock_now(context->clock, CLOCK_REALTIME) -
                                     mark.start_ns);
    pmon_region_add(name, (uint64_t)mark.start_ns, (uint64_t)duration_ns);
    return check_written(name, error);
}

/* Handles --begin and --end; does nothing while regions are off. */
static int
mark(bool is_begin, const char *name, const struct context *context,
     struct error *error)
{
    const char *folder = context->environment("PMON_REGIONS");
    int rc;

    if (folder == NULL || *folder == '\0')
        return EXIT_SUCCESS;
    signal(SIGXFSZ, SIG_IGN); /* write(2) reports a limit of size */
    rc = pmon_regions_decide();
    if (rc < 0)
        return set_off(context, rc, error);
    return is_begin ? begin(folder, name, context, error)
                    : end(folder, name, context, error);
}

int
region_command(int argc, char **argv, const struct context *context,
               struct error *error)
{
    struct asked asked = {0};
    struct option_line line;
    int rc = option_table_parse(&table, &asked, argc, argv, &line, error);
    bool is_mark = asked.begin != NULL || asked.end != NULL;

    if (rc == OPTION_HELP)
        return forms_print_help(&table, error);
    if (rc < 0)
        return rc;
    if (is_mark && line.count == 0)
        return mark(asked.begin != NULL,
                    asked.begin != NULL ? asked.begin : asked.end, context,
                    error);
    if (!is_mark && line.count > 2 && !line.is_dashed &&
        line.operands[0][0] != '\0' && strcmp(line.operands[1], "--") == 0)
        return wrap(line.operands[0], line.operands + 2, context, error);
    return error_set(error, -EINVAL,
                     "region: use pmon region NAME -- COMMAND, "
                     "pmon region --begin NAME, pmon region --end NAME");
}
