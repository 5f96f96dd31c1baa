/* SPDX-License-Identifier: MIT */
/*
 * Wraps a command in a region, or marks its begin and end in two calls.  What
 * is written, and whether, is libpmon's to decide, by the environment.
 */
#include "commands/region.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "commands/region_state.h"
#include "commands/say.h"
#include "libpmon/pmon.h"
#include "step/child.h"
#include "step/ending.h"
#include "step/signals.h"

static const char help[] =
    "usage: pmon region NAME -- COMMAND [ARG...]\n"
    "       pmon region --begin NAME\n"
    "       pmon region --end NAME\n\n"
    "Marks a phase: one row with its start and duration in the folder that "
    "PMON_REGIONS\nnames (pmon --regions DIR sets it for a step).  Without it "
    "nothing is recorded.\n";

/* Passes signals on until the child has ended. */
static int
wait_for(struct signals *signals, const struct child *child,
         const struct clock_source *clock)
{
    struct pollfd poll_fd = {.fd = signals->fd, .events = POLLIN};
    struct signal_event event;
    struct rusage usage;
    int status = 0;

    for (;;) {
        if (ending_is_zombie(child->pid) &&
            ending_reap(child->pid, &status, &usage) == 0)
            return status;
        poll(&poll_fd, 1, -1);
        for (signals_next(signals, &event); event.number != 0;
             signals_next(signals, &event))
            if (signals_should_pass(signals, &event,
                                    clock_now(clock, CLOCK_MONOTONIC)))
                kill(child->pid, event.number);
    }
}

static int
say_failed(const char *name, int failed, struct error *error)
{
    bool is_missing = failed == ENOENT || failed == ENOTDIR;
    int status = is_missing ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;

    error_set(error, status, "%s: %s", *name != '\0' ? name : "''",
              is_missing ? "not found" : error_name(failed));
    say("%s", error->text);
    return status;
}

/* Runs argv within a region of the name. */
static int
wrap(const char *name, char **argv, const struct context *context,
     struct error *error)
{
    struct signals signals;
    struct child_setup setup = {.argv = argv};
    struct pmon_region region;
    struct child child;
    int failed = 0;
    int status;
    int rc = signals_init(&signals, error);

    if (rc < 0)
        return rc;
    setup.mask = &signals.original;
    setup.sigchld_was_ignored = signals.sigchld_was_ignored;
    rc = child_fork(&child, &setup, error);
    if (rc < 0)
        return rc;
    pmon_regions_decide();
    region = pmon_region_begin(name);
    child_release(&child, &failed);
    status = wait_for(&signals, &child, context->clock);
    pmon_region_end(region);
    pmon_regions_flush();
    child_done(&child);
    if (failed != 0)
        return say_failed(argv[0], failed, error);
    if (WIFSIGNALED(status))
        signals_die_by(&signals, WTERMSIG(status));
    signals_done(&signals);
    return ending_shell_status(status);
}

static int
begin(const char *folder, const char *name, const struct context *context,
      struct error *error)
{
    struct region_mark mark = {
        .start_ns = clock_now(context->clock, CLOCK_REALTIME),
        .start_mono_ns = clock_now(context->clock, CLOCK_MONOTONIC)};

    return region_state_begin(folder, name, &mark, error);
}

static int
end(const char *folder, const char *name, const struct context *context,
    struct error *error)
{
    int64_t now_ns = clock_now(context->clock, CLOCK_MONOTONIC);
    struct pmon_regions_counts counts;
    struct region_mark mark;
    int rc = region_state_end(folder, name, &mark, error);

    if (rc < 0)
        return rc;
    pmon_region_add(name, (uint64_t)mark.start_ns,
                    (uint64_t)(now_ns - mark.start_mono_ns));
    pmon_regions_flush();
    pmon_regions_stats(&counts);
    if (counts.lost > 0)
        return error_set(error, -counts.error,
                         "region %s: its row cannot be written: %s", name,
                         error_name(counts.error));
    return 0;
}

/* --begin or --end: nothing to do while regions are off. */
static int
mark(bool is_begin, const char *name, const struct context *context,
     struct error *error)
{
    const char *folder = context->environment("PMON_REGIONS");
    int rc;

    if (folder == NULL || *folder == '\0')
        return EXIT_SUCCESS;
    rc = pmon_regions_decide();
    if (rc < 0)
        return error_set(error, rc, "PMON_REGIONS=%s: %s", folder,
                         error_name(rc));
    return is_begin ? begin(folder, name, context, error)
                    : end(folder, name, context, error);
}

int
region_command(int argc, char **argv, const struct context *context,
               struct error *error)
{
    if (argc > 1 &&
        (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return EXIT_SUCCESS;
    }
    if (argc == 3 && argv[2][0] != '\0' && strcmp(argv[1], "--begin") == 0)
        return mark(true, argv[2], context, error);
    if (argc == 3 && argv[2][0] != '\0' && strcmp(argv[1], "--end") == 0)
        return mark(false, argv[2], context, error);
    if (argc > 3 && argv[1][0] != '-' && argv[1][0] != '\0' &&
        strcmp(argv[2], "--") == 0)
        return wrap(argv[1], argv + 3, context, error);
    return error_set(error, -EINVAL,
                     "region: as in pmon region NAME -- COMMAND, "
                     "pmon region --begin NAME, pmon region --end NAME");
}
