/* SPDX-License-Identifier: MIT */
/* Closes a run: outcome, profile CSV, summary, closing words. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/num.h"
#include "base/replace.h"
#include "record/recorder_state.h"
#include "base/message.h"
#include "base/terminal.h"
#include "formats/peak_block.h"
#include "formats/summary_json.h"
#include "engine/metrics.h"
#include "step/wait.h"
#include "views/closing_words.h"
#include "views/human.h"

static const int64_t summary_every_ns = 60 * NUM_NS_PER_S;

/* Difference of two counts, of which either may be unknown. */
static int64_t
grown(int64_t now, int64_t before)
{
    return now == NUM_UNKNOWN || before == NUM_UNKNOWN ? NUM_UNKNOWN
                                                       : now - before;
}

/*
 * Limits and OOM kills of the place, and what the step's own group says.  Of
 * another's process whose groups cannot be seen nothing is known.
 */
static void
fill_place(struct run *run)
{
    struct summary_memory *memory = &run->summary.memory;
    bool is_known = run->options.attach_pid == 0 ||
                    run->place.unified != NULL || run->place.memory != NULL;

    memory->oom_kills = grown(cgroup_oom_kills(&run->place), run->oom_kills);
    run_exact_fill(run);
    /* Nobody asks for it: the end of a step has nothing to wait for. */
    if (!is_known || (run->outputs.summary_path == NULL &&
                      run->outputs.plot_path == NULL && memory->oom_kills <= 0))
        return;
    memory->limit_bytes = cgroup_memory_limit(&run->place);
    memory->limit_is_of_cgroup =
        memory->limit_bytes != NUM_UNKNOWN &&
        (run->host.mem_total_bytes == NUM_UNKNOWN ||
         memory->limit_bytes < run->host.mem_total_bytes);
    if (!memory->limit_is_of_cgroup)
        memory->limit_bytes = run->host.mem_total_bytes;
}

static void
fill_summary(struct run *run)
{
    struct moment now = run_now(run);
    struct rusage usage;

    if (run->is_finished)
        now = run->measure.last;
    run->summary.time.start_epoch_ns = run->start_epoch_ns;
    measure_summarize(&run->measure, &now, &run->summary);
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        run->summary.quality.monitor_cpu_ns =
            num_timeval(&usage.ru_utime) + num_timeval(&usage.ru_stime);
    fill_place(run);
    if (run->outputs.summary_path == NULL && !run->options.is_verbose)
        return;
    run->summary.quality.monitor_peak_rss_bytes = host_own_high_water_mark();
    host_watch_memory(&run->host);
}

/* 0 or negative, said in error; the same failure only once. */
static int
write_summary(struct run *run, struct error *error)
{
    STRBUF_AUTO text = {0};
    static const char *const formats[] = {
        [LOG_PLAIN] = "plain", [LOG_CSV] = "csv", [LOG_JSONL] = "jsonl"};
    char *shown[3];
    struct run_facts facts = {
        .argv = run->options.argv,
        .cwd = run->cwd,
        .step = run->names.step,
        .rank = names_rank(&run->names),
        .job = names_job(&run->names),
        .pid = run->root > 0 ? run->root : NUM_UNKNOWN,
        .log = run->outputs.log_path,
        .log_format = run->outputs.log_path != NULL
                          ? formats[run->options.log_format]
                          : NULL,
        .profile = run->outputs.profile_path,
        .plot = run->outputs.plot_path,
        .regions = run->regions.name,
    };
    int rc;

    if (run->outputs.summary_path == NULL)
        return 0;
    /* Other arguments may be secrets, and summaries are often public. */
    if (facts.argv != NULL && !run->options.full_commands) {
        at_peak_arguments(facts.argv, shown);
        facts.argv = shown;
    }
    if (run->monitor.pid == 0)
        monitor_init(&run->monitor);
    facts.monitor = run->monitor;
    rc = summary_json_append(&text, &run->summary, &run->host, &facts);
    if (rc == 0)
        rc = outputs_write_summary(&run->outputs, strbuf_text(&text), text.size,
                                   error);
    else
        error_set(error, rc, "%s: out of memory", run->outputs.summary_path);
    return rc;
}

static void
run_write_final(struct run *run)
{
    struct error error = {0};

    if (write_summary(run, &error) < 0)
        say("%s", error.text);
}

void
run_write_first_summary(struct run *run)
{
    struct error error = {0};

    if (!outputs_replaces_summary(&run->outputs))
        return;
    replace_remove_stale(AT_FDCWD, run->outputs.summary_path);
    run->summary.time = (struct summary_time){
        .start_epoch_ns = run->start_epoch_ns, .wall_ns = 0, .suspended_ns = 0};
    run->summary.quality.interval_ns = run->options.interval_ns;
    if (write_summary(run, &error) == 0)
        return;
    say("%s%s", error.text,
        outputs_remove_summary(&run->outputs) ? ", the older one is removed"
                                              : "");
}

void
run_write_summary(struct run *run)
{
    run->summary_at_ns = run_monotonic(run) + summary_every_ns;
    if (!outputs_replaces_summary(&run->outputs))
        return;
    fill_summary(run);
    run_write_final(run);
}

/* The peak that could not be appended, so that it is not lost. */
static void
say_block(const char *block)
{
    const char *figures = strrchr(block, ')');

    if (figures != NULL)
        say("the peak would be: %.*s", (int)strcspn(figures + 2, "\n"),
            figures + 2);
}

static void
say_notes(const struct run *run, const char *notes)
{
    size_t size;

    for (; *notes != '\0' && !run->options.is_quiet; notes += size + 1) {
        size = strcspn(notes, "\n");
        say("%.*s", (int)size, notes);
    }
}

/* Why the peak is more than the log's largest row. */
static void
say_raised(const struct run *run)
{
    const struct summary_memory *memory = &run->summary.memory;
    STRBUF_AUTO text = {0};

    if (run->options.is_quiet ||
        memory->peak_rss_bytes <= run->summary.peak_row.rss_bytes / 100 * 101)
        return;
    human_bytes(&text, memory->peak_rss_bytes);
    strbuf_puts(&text, " was reached between two rows, the largest of which "
                       "has ");
    human_bytes(&text, run->summary.peak_row.rss_bytes);
    say("%s: the peak of %s (%s)", run->outputs.profile_path,
        strbuf_text(&text), metrics_peak_source(memory->peak_rss_source));
}

static void
append_peak(struct run *run)
{
    const struct row *row = &run->summary.peak_row;
    struct psrecord_row block_row = {
        .elapsed_s = num_seconds(row->elapsed_ns),
        .cpu_percent = row->cpu_percent,
        .rss_mib = num_mib(run->summary.memory.peak_rss_bytes),
        .vms_mib = num_mib(row->vms_bytes),
    };
    STRBUF_AUTO block = {0};
    STRBUF_AUTO notes = {0};
    struct error error = {0};
    int rc;

    if (run->outputs.profile_path == NULL)
        return;
    peak_block_append(&block, &block_row);
    rc = outputs_append_peak(&run->outputs, strbuf_text(&block), block.size,
                             run->start_epoch_ns, &notes, &error);
    say_notes(run, strbuf_text(&notes));
    if (rc == 0) {
        run->profile_is_appended = true;
        say_raised(run);
        return;
    }
    say("%s", error.text);
    say_block(strbuf_text(&block));
}

/*
 * Whether the step ended by the TERM or KILL that --duration asked for; some,
 * as Java, take TERM and exit with what a shell says of it.
 */
static bool
has_ended_as_asked(const struct run *run, int64_t shell_status)
{
    return run->is_stopped_as_asked && run->has_stopped_root &&
           (shell_status == 128 + SIGTERM || shell_status == 128 + SIGKILL);
}

static void
fill_outcome(struct run *run)
{
    struct summary_outcome *outcome = &run->summary.outcome;

    outcome->survivors = NUM_UNKNOWN;
    if (run->options.attach_pid != 0) {
        outcome->reason = run->is_detached ? REASON_DETACHED : REASON_EXITED;
        outcome->pmon_status = 0;
        return;
    }
    if (!run->options.root_only)
        outcome->survivors = run->survivors.count;
    outcome->pmon_status = ending_shell_status(run->status);
    if (WIFSIGNALED(run->status)) {
        outcome->reason = REASON_SIGNALED;
        outcome->signal = WTERMSIG(run->status);
    } else {
        outcome->reason = REASON_EXITED;
        outcome->exit_status = WEXITSTATUS(run->status);
    }
    if (has_ended_as_asked(run, outcome->pmon_status))
        outcome->pmon_status = 0;
}

/* --duration may have ended the rows, also while survivors were waited for. */
static int64_t
recorded_for(const struct run *run)
{
    int64_t wall_ns = run->summary.time.wall_ns;
    int64_t duration_ns = run->options.duration_ns;

    return duration_ns != NUM_UNKNOWN && duration_ns < wall_ns ? duration_ns
                                                               : wall_ns;
}

static void
say_closing_words(struct run *run)
{
    STRBUF_AUTO text = {0};
    struct closing_facts facts = {
        .name = strbuf_text(&run->title),
        .is_quiet = run->options.is_quiet,
        .is_verbose = run->options.is_verbose,
        .root_ns = run->root_ended_ns - run->start_ns,
        .recorded_ns = recorded_for(run),
        .log = run->outputs.log_path,
        .log_failed = run->outputs.log.failed < 0,
        .log_rows = run->outputs.rows,
        .profile = run->profile_is_appended ? run->outputs.profile_path : NULL,
        .summary = run->outputs.summary_path,
        .plot = run->plot.is_drawn ? run->outputs.plot_path : NULL,
        .has_blocks = terminal_is_utf8(run->context),
        .columns = isatty(STDERR_FILENO)
                       ? terminal_width(run->context, STDERR_FILENO)
                       : 0,
        .survivors = &run->survivors,
        .ended = run->stopping.has_begun && !run->is_stopping
                     ? &run->first_survivors
                     : NULL,
        .exact_note = run->exact_note[0] != '\0' ? run->exact_note : NULL,
        .mem_total_bytes = run->host.mem_total_bytes,
    };

    closing_words(&text, &run->summary, &facts);
    say_text(strbuf_text(&text), text.size);
}

void
run_end_unstarted(struct run *run, int status)
{
    run->summary.outcome.pmon_status = status;
    run->summary.quality.interval_ns = run->options.interval_ns;
    fill_place(run);
    run_write_final(run);
}

/* Asked for, and null in the summary: never without a word. */
static void
say_lost_io(const struct run *run)
{
    if (!run->measure.sampler.lost_io || !run->has_proc ||
        run->options.is_quiet ||
        !(run->options.include_io || run->options.is_verbose))
        return;
    say("I/O is not known: /proc/self/io, which tells what an ended process "
        "has done, cannot be read");
}

/* Only at the end it is known what the step has become. */
static void
say_elsewhere(const struct run *run)
{
    const char *name = measure_launcher(&run->measure);

    if (name != NULL && !run->options.is_quiet)
        say("%s: the work runs elsewhere; run pmon inside it", name);
}

void
run_end(struct run *run)
{
    struct error error = {0};
    bool is_replaced;

    if (outputs_end_log(&run->outputs, &error) < 0)
        say("%s", error.text);
    fill_outcome(run);
    fill_summary(run);
    run_budgets_end(run);
    run_regions_collect(run);
    run_exact_end(run);
    append_peak(run);
    /* gnuplot takes its time; but a reader is given one summary, the last. */
    is_replaced = outputs_replaces_summary(&run->outputs);
    if (is_replaced)
        run_write_final(run);
    if (run_plot_end(run) || !is_replaced)
        run_write_final(run);
    say_lost_io(run);
    say_elsewhere(run);
    say_closing_words(run);
}
