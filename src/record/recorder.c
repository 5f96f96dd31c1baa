/* SPDX-License-Identifier: MIT */
/* The main job, as a table of contents: options, step, rows, end, status. */
#include "record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "commands/advice.h"
#include "record/recorder_state.h"
#include "base/message.h"
#include "host/command_name.h"

/* pmon must not get 0 to 2 for a file of its own, and the step must not. */
static void
fill_standard_streams(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

/* The base name of the command or the pid; with --step that, expanded. */
static int
name_step(struct run *run, struct error *error)
{
    STRBUF_AUTO name = {0};
    int rc = 0;

    if (run->options.argv != NULL)
        strbuf_puts(&name, names_base(run->options.argv[0]));
    else
        strbuf_printf(&name, "%d", run->options.attach_pid);
    run->names.step = strbuf_text(&name);
    if (run->options.step != NULL)
        rc = names_expand_early(&run->names, run->options.step, "--step",
                                &run->step_name, error);
    else
        strbuf_puts(&run->step_name, strbuf_text(&name));
    run->names.step = strbuf_text(&run->step_name);
    if (run->options.step == NULL && run->options.argv != NULL)
        command_name(&run->title, run->options.argv);
    else
        strbuf_puts(&run->title, run->names.step);
    if (rc == 0 && (run->step_name.failed || run->title.failed))
        return error_set(error, -ENOMEM, "out of memory");
    return rc;
}

static void
record(struct run *run)
{
    struct error error;
    struct row row;

    while (run_next(run, &row) == 0) {
        if (outputs_row(&run->outputs, &row, &error) < 0)
            say("%s", error.text);
        run_budgets_row(run, &row);
        run_regions_row(run, &row);
        run_plot_row(run, &row);
        run_live_row(run, &row);
    }
    run_live_hide(run);
}

static int64_t
ended_after(const struct run *run)
{
    return run->root_ended_ns > 0 ? run->root_ended_ns - run->start_ns
                                  : run->summary.time.wall_ns;
}

/*
 * Runs to the end.  The status for pmon to exit with; a negative errno when
 * nothing was started.
 */
static int
run_whole(struct run *run, struct run_result *result, struct error *error)
{
    int rc = name_step(run, error);

    if (rc == 0)
        rc = outputs_name(&run->outputs, &run->options, &run->names, error);
    if (rc == 0) {
        run_plot_prepare(run);
        run_live_prepare(run);
        rc = signals_init(&run->signals, run->live_line.is_on, error);
    }
    if (rc == 0)
        rc = run_regions_prepare(run, error);
    if (rc == 0)
        rc = run_start(run, error);
    if (rc == -EINTR)
        result->signal = run->status;
    if (rc < 0)
        return rc;
    if (rc > 0) {
        say("%s", error->text);
        run_end_unstarted(run, rc);
        return rc;
    }
    record(run);
    run_end(run);
    if (run->options.attach_pid == 0 && WIFSIGNALED(run->status) &&
        !run->has_stopped_root)
        result->signal = WTERMSIG(run->status);
    if (run->has_ended && !run->is_stopping)
        result->elapsed_ns = ended_after(run);
    return (int)run->summary.outcome.pmon_status;
}

static void
run_done(struct run *run)
{
    outputs_done(&run->outputs);
    run_regions_done(run);
    run_plot_done(run);
    if (run->measure.sampler.source != NULL)
        measure_done(&run->measure);
    descendants_done(&run->descendants);
    proc_live_done(&run->live);
    child_done(&run->child);
    signals_done(&run->signals);
    cgroup_leaf_remove(&run->leaf, &run->place, NULL);
    cgroup_place_done(&run->place);
    watched_done(&run->watched);
    strbuf_done(&run->step_name);
    strbuf_done(&run->title);
    free(run->cwd);
}

int
run_job(const struct options *options, const struct context *context,
        struct run_result *ret_result, struct error *error)
{
    struct run run = {
        .options = *options,
        .context = context,
        .watched = {.pidfd = -1},
        .child = {.pid = -1, .pidfd = -1, .gate_fd = -1, .exec_fd = -1},
        .live = {.proc_fd = -1, .loadavg_fd = -1},
        .leaf = {.cpu_fd = -1},
        .regions = {.open = {.fd = -1}},
        .signals = {.fd = -1},
        .stopped_by = BUDGET_KINDS,
        .budgets = options->budgets,
        .outputs = {.clock = context->clock, .log.fd = -1}};
    int rc;

    *ret_result = (struct run_result){.elapsed_ns = NUM_UNKNOWN};
    fill_standard_streams();
    host_init(&run.host);
    run.names = (struct names){.host = run.host.name,
                               .environment = context->environment};
    run.cwd = getcwd(NULL, 0);
    summary_init(&run.summary);
    rc = run_whole(&run, ret_result, error);
    run_done(&run);
    return rc;
}

int
run_leave(const struct run_result *result, int status)
{
    struct signals signals = {.fd = -1};

    if (result->signal != 0)
        signals_die_by(&signals, result->signal);
    return status == -EINTR ? 128 + result->signal : status;
}

int
run_command(int argc, char **argv, const struct context *context,
            struct error *error)
{
    struct options options;
    struct run_result result;
    int rc = options_parse(&options, argc, argv, error);

    if (rc < 0)
        return rc;
    if (options.wants_help) {
        commands_print_help();
        return EXIT_SUCCESS;
    }
    if (options.wants_version) {
        commands_print_version();
        return EXIT_SUCCESS;
    }
    advice_say_idle(&options);
    rc = run_job(&options, context, &result, error);
    return run_leave(&result, rc);
}
