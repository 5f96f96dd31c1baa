/* SPDX-License-Identifier: MIT */
/* The main job as a table of contents: options, step, rows, end, status. */
#include "record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/message.h"
#include "base/num.h"
#include "host/command_name.h"
#include "record/recorder_state.h"

/*
 * Files of pmon must not get the descriptors 0 to 2, which the step inherits.
 */
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

/* The base name of the command, or the pid; with --step its expanded NAME. */
static int
name_step(struct recorder *recorder, struct error *error)
{
    STRBUF_AUTO name = {0};
    int rc = 0;

    if (recorder->options.argv != NULL)
        strbuf_puts(&name, path_base(recorder->options.argv[0]));
    else
        strbuf_printf(&name, "%d", recorder->options.attach_pid);
    recorder->names.step = strbuf_text(&name);
    if (recorder->options.step != NULL)
        rc = names_expand_early(&recorder->names, recorder->options.step,
                                "--step", &recorder->step_name, error);
    else
        strbuf_puts(&recorder->step_name, strbuf_text(&name));
    recorder->names.step = strbuf_text(&recorder->step_name);
    recorder->names.step_pattern = recorder->options.step;
    if (recorder->options.step == NULL && recorder->options.argv != NULL)
        command_name(&recorder->title, recorder->options.argv);
    else
        strbuf_puts(&recorder->title, recorder->names.step);
    if (recorder->options.argv != NULL)
        command_label(&recorder->label, recorder->options.argv);
    if (rc == 0 && (recorder->step_name.failed || recorder->title.failed ||
                    recorder->label.failed))
        return error_no_memory(error);
    return rc;
}

/* The tags, which may have letters too: they are for people, not for paths. */
static int
take_tags(struct recorder *recorder, struct error *error)
{
    struct names names = recorder->names;

    names.keeps_slashes = true;
    names.step_pattern = NULL;
    for (const char *const *tag = recorder->options.tags; *tag != NULL; tag++) {
        STRBUF_AUTO text = {0};
        char *equals;
        int rc = names_expand_early(&names, *tag, "--tag", &text, error);

        if (rc < 0)
            return rc;
        equals = strchr(text.text, '=');
        *equals = '\0';
        if (run_set_tag(&recorder->run, text.text, equals + 1) < 0)
            return error_no_memory(error);
    }
    return 0;
}

/* Takes the job from a scheduler and a launcher; messages then name it. */
static int
take_job(struct recorder *recorder, struct error *error)
{
    const struct names *names = &recorder->names;
    struct run_command *command = &recorder->run.command;

    command->tasks = names_tasks(names);
    if (run_set_text(&command->rank, names_rank(names)) < 0 ||
        run_set_text(&command->job, names_job(names)) < 0 ||
        run_set_text(&command->array_index, names_array_index(names)) < 0 ||
        run_set_text(&command->job_step, names_job_step(names)) < 0)
        return error_no_memory(error);
    run_job_words(&recorder->job_words, &recorder->run);
    return 0;
}

void
recorder_say(const struct recorder *recorder, const char *format, ...)
{
    const struct strbuf *job = &recorder->job_words;
    struct error line;
    va_list args;

    va_start(args, format);
    vsnprintf(line.text, sizeof(line.text), format, args);
    va_end(args);
    message_print("%s%s%s", strbuf_text(job), job->size > 0 ? ": " : "",
                  line.text);
}

static void
record(struct recorder *recorder)
{
    const struct tracks *tracks = &recorder->measure.tracks;
    struct error error;
    struct row row;

    while (recorder_next(recorder, &row) == 0) {
        if (outputs_row(&recorder->outputs, &row, &error) < 0)
            recorder_say(recorder, "%s", error.text);
        if (outputs_processes(&recorder->outputs, tracks->rows, tracks->count,
                              &error) < 0)
            recorder_say(recorder, "%s", error.text);
        recorder_budgets_row(recorder, &row);
        recorder_regions_row(recorder, &row);
        recorder_plot_row(recorder, &row);
        recorder_live_row(recorder, &row);
    }
    recorder_live_hide(recorder);
}

static int64_t
ended_after(const struct recorder *recorder)
{
    return recorder->root_ended_ns > 0
               ? recorder->root_ended_ns - recorder->start_ns
               : recorder->run.time.wall_ns;
}

/*
 * Runs to the end.  Returns the exit status of pmon, or a negative errno if
 * nothing was started.
 */
static int
run_whole(struct recorder *recorder, struct recorder_result *result,
          struct error *error)
{
    int rc = take_job(recorder, error);

    if (rc == 0)
        rc = name_step(recorder, error);
    if (rc == 0)
        rc = take_tags(recorder, error);
    if (rc == 0)
        rc = outputs_name(&recorder->outputs, &recorder->options,
                          &recorder->names, error);
    if (rc == 0) {
        recorder_plot_prepare(recorder);
        recorder_live_prepare(recorder);
        rc = signals_init(&recorder->signals, recorder->live_line.is_on, error);
    }
    if (rc == 0)
        rc = recorder_regions_prepare(recorder, error);
    if (rc == 0)
        rc = recorder_start(recorder, error);
    if (rc == -EINTR)
        result->signal = recorder->interrupted_by;
    if (rc < 0)
        return rc;
    if (rc > 0) {
        recorder_say(recorder, "%s", error->text);
        recorder_end_unstarted(recorder, rc);
        return rc;
    }
    record(recorder);
    rc = recorder_end(recorder);
    if (recorder->options.attach_pid == 0 &&
        WIFSIGNALED(recorder->wait_status) && recorder->root_signal == 0)
        result->signal = WTERMSIG(recorder->wait_status);
    if (recorder_root_has_ended(recorder) && recorder->stop_cause == STOP_NONE)
        result->elapsed_ns = ended_after(recorder);
    return rc;
}

static void
recorder_done(struct recorder *recorder)
{
    outputs_done(&recorder->outputs);
    recorder_regions_done(recorder);
    recorder_plot_done(recorder);
    if (recorder->measure.sampler.source != NULL)
        measure_done(&recorder->measure);
    descendants_done(&recorder->descendants);
    proc_live_done(&recorder->live);
    child_done(&recorder->child);
    signals_done(&recorder->signals);
    cgroup_leaf_remove(&recorder->exact.leaf, &recorder->place, NULL);
    cgroup_place_done(&recorder->place);
    load_done(&recorder->load);
    attach_done(&recorder->watched);
    strbuf_done(&recorder->step_name);
    strbuf_done(&recorder->title);
    strbuf_done(&recorder->label);
    strbuf_done(&recorder->job_words);
    free(recorder->cwd);
    run_done(&recorder->run);
}

int
recorder_run(const struct options *options, const struct context *context,
             struct recorder_result *ret_result, struct error *error)
{
    struct recorder recorder = {
        .options = *options,
        .context = context,
        .watched = {.pidfd = -1},
        .child = {.pid = -1, .pidfd = -1, .gate_fd = -1, .exec_fd = -1},
        .live = {.proc_fd = -1, .loadavg_fd = -1},
        .exact = {.leaf = {.cpu_fd = -1}},
        .regions = {.open = {.fd = -1}},
        .signals = {.fd = -1},
        .stopped_by = BUDGET_KINDS,
        .outputs = {.clock = context->clock,
                    .log.file.fd = -1,
                    .processes.file.fd = -1}};
    int rc;

    *ret_result = (struct recorder_result){.elapsed_ns = NUM_UNKNOWN};
    fill_standard_streams();
    host_init(&recorder.host);
    recorder.names =
        (struct names){.host = options->no_host ? NULL : recorder.host.name,
                       .environment = context->environment};
    recorder.cwd = getcwd(NULL, 0);
    run_init(&recorder.run);
    recorder.run.outcome.reason = REASON_RUNNING;
    recorder.run.budgets = options->budgets;
    rc = run_whole(&recorder, ret_result, error);
    if (rc < 0 && rc != -EINTR && recorder.job_words.size > 0)
        error_prefix(error, strbuf_text(&recorder.job_words));
    recorder_done(&recorder);
    return rc;
}

int
recorder_leave(const struct recorder_result *result, int status)
{
    struct signals signals = {.fd = -1};

    if (result->signal != 0)
        signals_die_by(&signals, result->signal);
    return status == -EINTR ? 128 + result->signal : status;
}
