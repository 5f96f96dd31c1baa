/* SPDX-License-Identifier: MIT */
/* Closes a run: outcome, profile CSV, closing lines, exit status. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "base/num.h"
#include "base/terminal.h"
#include "formats/psrecord_log.h"
#include "model/run_fields.h"
#include "record/recorder_state.h"
#include "step/wait.h"
#include "views/closing_words.h"
#include "views/human.h"

/* Prints the peak that could not be appended, so that it is not lost. */
static void
say_block(const struct recorder *recorder, const char *block)
{
    const char *figures = strrchr(block, ')');

    if (figures != NULL)
        recorder_say(recorder, "the peak was: %.*s",
                     (int)strcspn(figures + 2, "\n"), figures + 2);
}

static void
say_notes(const struct recorder *recorder, const char *notes)
{
    size_t size;

    for (; *notes != '\0' && !recorder->options.is_quiet; notes += size + 1) {
        size = strcspn(notes, "\n");
        recorder_say(recorder, "%.*s", (int)size, notes);
    }
}

/* Why the peak is more than the log's largest row. */
static void
say_raised(const struct recorder *recorder)
{
    const struct run_memory *memory = &recorder->run.memory;
    STRBUF_AUTO text = {0};

    if (recorder->options.is_quiet ||
        memory->peak_rss_bytes <= recorder->run.peak_row.rss_bytes / 100 * 101)
        return;
    human_bytes(&text, memory->peak_rss_bytes);
    strbuf_puts(&text, " was reached between two rows; the largest row has ");
    human_bytes(&text, recorder->run.peak_row.rss_bytes);
    recorder_say(recorder, "%s: the peak of %s (%s)",
                 recorder->outputs.profile_path, strbuf_text(&text),
                 peak_source_name(memory->peak_rss_source));
}

static void
append_peak(struct recorder *recorder)
{
    const struct row *row = &recorder->run.peak_row;
    struct psrecord_row block_row = {
        .elapsed_s = num_seconds(row->elapsed_ns),
        .cpu_percent = row->cpu_percent,
        .rss_mib = num_mib(recorder->run.memory.peak_rss_bytes),
        .vms_mib = num_mib(row->vms_bytes),
    };
    STRBUF_AUTO block = {0};
    STRBUF_AUTO notes = {0};
    struct error error = {0};
    int rc;

    if (recorder->outputs.profile_path == NULL)
        return;
    psrecord_log_peak(&block, &block_row);
    rc =
        outputs_append_peak(&recorder->outputs, strbuf_text(&block), block.size,
                            recorder->start_epoch_ns, &notes, &error);
    say_notes(recorder, strbuf_text(&notes));
    if (rc == 0) {
        recorder->outputs.profile_is_appended = true;
        say_raised(recorder);
        return;
    }
    recorder_say(recorder, "%s", error.text);
    say_block(recorder, strbuf_text(&block));
}

/*
 * Whether the step ended by the TERM or KILL that --duration sent.  Some
 * programs, such as Java, catch TERM and exit with 143 as a shell does.
 */
static bool
has_ended_as_asked(const struct recorder *recorder, int64_t shell_status)
{
    return recorder->stop_cause == STOP_FOR_DURATION &&
           recorder->root_signal != 0 &&
           (shell_status == 128 + SIGTERM || shell_status == 128 + SIGKILL);
}

/* Fills the outcome of the step; returns the exit status of pmon. */
static int
fill_outcome(struct recorder *recorder)
{
    struct run_outcome *outcome = &recorder->run.outcome;
    int status;

    outcome->survivors = NUM_UNKNOWN;
    if (recorder->options.attach_pid != 0) {
        if (outcome->reason != REASON_DETACHED)
            outcome->reason = REASON_EXITED;
        return 0;
    }
    if (!recorder->options.root_only)
        outcome->survivors = recorder->survivors.count;
    status = wait_shell_status(recorder->wait_status);
    if (WIFSIGNALED(recorder->wait_status)) {
        outcome->reason = REASON_SIGNALED;
        outcome->signal = WTERMSIG(recorder->wait_status);
    } else {
        outcome->reason = REASON_EXITED;
        outcome->exit_status = WEXITSTATUS(recorder->wait_status);
    }
    return has_ended_as_asked(recorder, status) ? 0 : status;
}

/*
 * The time of the rows: --duration may have ended them, also while pmon waited
 * for survivors.
 */
static int64_t
recorded_for(const struct recorder *recorder)
{
    int64_t wall_ns = recorder->run.time.wall_ns;
    int64_t duration_ns = recorder->options.duration_ns;

    return duration_ns != NUM_UNKNOWN && duration_ns < wall_ns ? duration_ns
                                                               : wall_ns;
}

static void
say_closing_words(struct recorder *recorder)
{
    STRBUF_AUTO text = {0};
    struct closing_facts facts = {
        .name = strbuf_text(&recorder->title),
        .is_quiet = recorder->options.is_quiet,
        .is_verbose = recorder->options.is_verbose,
        .root_ns = recorder->root_ended_ns - recorder->start_ns,
        .recorded_ns = recorded_for(recorder),
        .log = recorder->outputs.log.path,
        .log_failed = recorder->outputs.log.file.failed < 0,
        .log_rows = recorder->outputs.log.rows,
        .processes = recorder->outputs.processes.path,
        .processes_failed = recorder->outputs.processes.file.failed < 0,
        .profile = recorder->outputs.profile_is_appended
                       ? recorder->outputs.profile_path
                       : NULL,
        .summary = recorder->outputs.summary_path,
        .plot = recorder->plot.is_drawn ? recorder->outputs.plot_path : NULL,
        .has_blocks = terminal_is_utf8(recorder->context),
        .columns = isatty(STDERR_FILENO)
                       ? terminal_width(recorder->context, STDERR_FILENO)
                       : 0,
        .survivors = &recorder->survivors,
        .ended =
            recorder->stopping.has_begun && recorder->stop_cause == STOP_NONE
                ? &recorder->first_survivors
                : NULL,
        .exact_note =
            recorder->exact.note[0] != '\0' ? recorder->exact.note : NULL,
        .mem_total_bytes = recorder->host.mem_total_bytes,
    };

    closing_words(&text, &recorder->run, &facts);
    message_write(strbuf_text(&text), text.size);
}

void
recorder_end_unstarted(struct recorder *recorder, int status)
{
    recorder->run.outcome.pmon_status = status;
    recorder->run.quality.interval_ns = recorder->options.interval_ns;
    recorder_fill_place(recorder);
    recorder_write_final(recorder);
}

/* Reports I/O that was asked for and is null in the summary. */
static void
say_lost_io(const struct recorder *recorder)
{
    if (!recorder->measure.sampler.lost_io || !recorder->has_proc ||
        recorder->options.is_quiet ||
        !(recorder->options.include_io || recorder->options.is_verbose))
        return;
    recorder_say(recorder,
                 "I/O is unknown: cannot read /proc/self/io, which counts the "
                 "I/O of ended processes");
}

/* Known only at the end: the step may have executed a launcher. */
static void
say_elsewhere(const struct recorder *recorder)
{
    const char *name = measure_launcher(&recorder->measure);

    if (name != NULL && !recorder->options.is_quiet)
        recorder_say(recorder,
                     "%s: the work runs elsewhere; run pmon inside %s", name,
                     name);
}

int
recorder_end(struct recorder *recorder)
{
    struct error error = {0};
    bool is_replaced;
    int status;

    if (outputs_end_rows(&recorder->outputs.log, &error) < 0)
        recorder_say(recorder, "%s", error.text);
    if (outputs_end_rows(&recorder->outputs.processes, &error) < 0)
        recorder_say(recorder, "%s", error.text);
    status = fill_outcome(recorder);
    recorder_fill_run(recorder);
    status = recorder_budgets_end(recorder, status);
    recorder->run.outcome.pmon_status = status;
    recorder_regions_collect(recorder);
    recorder_exact_end(recorder);
    append_peak(recorder);
    /*
     * gnuplot takes time, so the summary is written before; a FIFO gets only
     * one, the last.
     */
    is_replaced = outputs_replaces_summary(&recorder->outputs);
    if (is_replaced)
        recorder_write_final(recorder);
    if (recorder_plot_end(recorder) || !is_replaced)
        recorder_write_final(recorder);
    say_lost_io(recorder);
    say_elsewhere(recorder);
    say_closing_words(recorder);
    return status;
}
