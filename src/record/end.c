/* SPDX-License-Identifier: MIT */
/* Closes a run: outcome, profile CSV, summary, closing words. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "base/num.h"
#include "base/replace.h"
#include "base/terminal.h"
#include "formats/peak_block.h"
#include "formats/summary.h"
#include "model/run_fields.h"
#include "record/recorder_state.h"
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
fill_place(struct recorder *recorder)
{
    struct run_memory *memory = &recorder->run.memory;
    bool is_known = recorder->options.attach_pid == 0 ||
                    recorder->place.unified != NULL ||
                    recorder->place.memory != NULL;

    memory->oom_kills =
        grown(cgroup_oom_kills(&recorder->place), recorder->oom_kills);
    recorder_exact_fill(recorder);
    /* Nobody asks for it: the end of a step has nothing to wait for. */
    if (!is_known ||
        (recorder->outputs.summary_path == NULL &&
         recorder->outputs.plot_path == NULL && memory->oom_kills <= 0))
        return;
    memory->limit_bytes = cgroup_memory_limit(&recorder->place);
    memory->limit_source = LIMIT_OF_CGROUP;
    if (memory->limit_bytes != NUM_UNKNOWN &&
        (recorder->host.mem_total_bytes == NUM_UNKNOWN ||
         memory->limit_bytes < recorder->host.mem_total_bytes))
        return;
    memory->limit_bytes = recorder->host.mem_total_bytes;
    memory->limit_source = memory->limit_bytes != NUM_UNKNOWN
                               ? LIMIT_OF_HOST
                               : LIMIT_SOURCE_UNKNOWN;
}

static void
fill_summary(struct recorder *recorder)
{
    struct moment now = recorder_now(recorder);
    struct rusage usage;

    if (recorder->phase == PHASE_DONE)
        now = recorder->measure.last;
    recorder->run.time.start_epoch_ns = recorder->start_epoch_ns;
    if (measure_summarize(&recorder->measure, &now, &recorder->run) < 0)
        message_print("out of memory: the summary is not whole");
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        recorder->run.quality.monitor_cpu_ns =
            num_timeval(&usage.ru_utime) + num_timeval(&usage.ru_stime);
    fill_place(recorder);
    if (recorder->outputs.summary_path == NULL && !recorder->options.is_verbose)
        return;
    recorder->run.quality.monitor_peak_rss_bytes = host_own_high_water_mark();
    host_watch_memory(&recorder->host);
}

/* The texts of the host are copied at each writing: they may have changed. */
static int
fill_host(struct run_host *ret_host, const struct host *host)
{
    const struct {
        char **where;
        const char *text; /* empty: not known */
    } texts[] = {{&ret_host->name, host->name},
                 {&ret_host->kernel, host->kernel},
                 {&ret_host->cpu_model, host->cpu_model}};

    ret_host->cores = host->cores;
    ret_host->mem_total_bytes = host->mem_total_bytes;
    ret_host->mem_available_min_bytes = host->mem_available_min_bytes;
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        if (run_set_text(texts[i].where,
                         texts[i].text[0] != '\0' ? texts[i].text : NULL) < 0)
            return -ENOMEM;
    return 0;
}

/* Which pmon writes the summary, so that a lost run can be recognised. */
static int
fill_monitor(struct recorder *recorder)
{
    struct run_monitor *ret_monitor = &recorder->run.monitor;
    const char *boot_id = recorder->monitor.boot_id;

    if (recorder->monitor.pid == 0)
        monitor_init(&recorder->monitor);
    ret_monitor->pid = recorder->monitor.pid;
    ret_monitor->start_ticks = recorder->monitor.start_ticks;
    ret_monitor->pid_namespace = recorder->monitor.pid_namespace;
    return run_set_text(&ret_monitor->boot_id,
                        boot_id[0] != '\0' ? boot_id : NULL);
}

/* What the step was asked to do, and into which files. */
static int
fill_facts(struct recorder *recorder)
{
    static const char *const formats[] = {
        [LOG_PLAIN] = "plain", [LOG_CSV] = "csv", [LOG_JSONL] = "jsonl"};
    struct run *run = &recorder->run;
    char *const *argv = recorder->options.argv;
    char *shown[3];
    const char *log = recorder->outputs.log_path;
    const struct {
        char **where;
        const char *text;
    } texts[] = {
        {&run->command.cwd, recorder->cwd},
        {&run->command.step, recorder->names.step},
        {&run->command.rank, names_rank(&recorder->names)},
        {&run->command.job, names_job(&recorder->names)},
        {&run->files.log, log},
        {&run->files.log_format,
         log != NULL ? formats[recorder->options.log_format] : NULL},
        {&run->files.profile, recorder->outputs.profile_path},
        {&run->files.plot, recorder->outputs.plot_path},
        {&run->files.regions, recorder->regions.name},
        {&run->memory.cgroup_note,
         recorder->exact.note[0] != '\0' ? recorder->exact.note : NULL},
    };

    run->command.pid = recorder->root > 0 ? recorder->root : NUM_UNKNOWN;
    /* Other arguments may be secrets, and summaries are often public. */
    if (argv != NULL && !recorder->options.full_commands) {
        at_peak_arguments(argv, shown);
        argv = shown;
    }
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        if (run_set_text(texts[i].where, texts[i].text) < 0)
            return -ENOMEM;
    if (run_set_texts(&run->command.argv, argv) < 0 ||
        fill_monitor(recorder) < 0)
        return -ENOMEM;
    return fill_host(&run->host, &recorder->host);
}

/* 0 or negative, said in error; the same failure only once. */
static int
write_summary(struct recorder *recorder, struct error *error)
{
    STRBUF_AUTO text = {0};
    int rc;

    if (recorder->outputs.summary_path == NULL)
        return 0;
    rc = fill_facts(recorder);
    if (rc == 0)
        rc = summary_write(&text, &recorder->run);
    if (rc == 0)
        rc = outputs_write_summary(&recorder->outputs, strbuf_text(&text),
                                   text.size, error);
    else
        error_set(error, rc, "%s: out of memory",
                  recorder->outputs.summary_path);
    return rc;
}

static void
recorder_write_final(struct recorder *recorder)
{
    struct error error = {0};

    if (write_summary(recorder, &error) < 0)
        message_print("%s", error.text);
}

void
recorder_write_first_summary(struct recorder *recorder)
{
    struct error error = {0};

    if (!outputs_replaces_summary(&recorder->outputs))
        return;
    replace_remove_stale(AT_FDCWD, recorder->outputs.summary_path);
    recorder->run.time =
        (struct run_time){.start_epoch_ns = recorder->start_epoch_ns,
                          .wall_ns = 0,
                          .suspended_ns = 0};
    recorder->run.quality.interval_ns = recorder->options.interval_ns;
    if (write_summary(recorder, &error) == 0)
        return;
    message_print("%s%s", error.text,
                  outputs_remove_summary(&recorder->outputs)
                      ? ", the older one is removed"
                      : "");
}

void
recorder_write_summary(struct recorder *recorder)
{
    recorder->summary_at_ns = recorder_monotonic(recorder) + summary_every_ns;
    if (!outputs_replaces_summary(&recorder->outputs))
        return;
    fill_summary(recorder);
    recorder_write_final(recorder);
}

/* The peak that could not be appended, so that it is not lost. */
static void
say_block(const char *block)
{
    const char *figures = strrchr(block, ')');

    if (figures != NULL)
        message_print("the peak would be: %.*s",
                      (int)strcspn(figures + 2, "\n"), figures + 2);
}

static void
say_notes(const struct recorder *recorder, const char *notes)
{
    size_t size;

    for (; *notes != '\0' && !recorder->options.is_quiet; notes += size + 1) {
        size = strcspn(notes, "\n");
        message_print("%.*s", (int)size, notes);
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
    strbuf_puts(&text, " was reached between two rows, the largest of which "
                       "has ");
    human_bytes(&text, recorder->run.peak_row.rss_bytes);
    message_print("%s: the peak of %s (%s)", recorder->outputs.profile_path,
                  strbuf_text(&text),
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
    peak_block_append(&block, &block_row);
    rc =
        outputs_append_peak(&recorder->outputs, strbuf_text(&block), block.size,
                            recorder->start_epoch_ns, &notes, &error);
    say_notes(recorder, strbuf_text(&notes));
    if (rc == 0) {
        recorder->outputs.profile_is_appended = true;
        say_raised(recorder);
        return;
    }
    message_print("%s", error.text);
    say_block(strbuf_text(&block));
}

/*
 * Whether the step ended by the TERM or KILL that --duration asked for; some,
 * as Java, take TERM and exit with what a shell says of it.
 */
static bool
has_ended_as_asked(const struct recorder *recorder, int64_t shell_status)
{
    return recorder->stop_cause == STOP_FOR_DURATION &&
           recorder->root_signal != 0 &&
           (shell_status == 128 + SIGTERM || shell_status == 128 + SIGKILL);
}

/* What has become of the step; the status for pmon to exit with. */
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

/* --duration may have ended the rows, also while survivors were waited for. */
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
        .log = recorder->outputs.log_path,
        .log_failed = recorder->outputs.log.failed < 0,
        .log_rows = recorder->outputs.rows,
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
    fill_place(recorder);
    recorder_write_final(recorder);
}

/* Asked for, and null in the summary: never without a word. */
static void
say_lost_io(const struct recorder *recorder)
{
    if (!recorder->measure.sampler.lost_io || !recorder->has_proc ||
        recorder->options.is_quiet ||
        !(recorder->options.include_io || recorder->options.is_verbose))
        return;
    message_print(
        "I/O is not known: /proc/self/io, which tells what an ended process "
        "has done, cannot be read");
}

/* Only at the end it is known what the step has become. */
static void
say_elsewhere(const struct recorder *recorder)
{
    const char *name = measure_launcher(&recorder->measure);

    if (name != NULL && !recorder->options.is_quiet)
        message_print("%s: the work runs elsewhere; run pmon inside it", name);
}

int
recorder_end(struct recorder *recorder)
{
    struct error error = {0};
    bool is_replaced;
    int status;

    if (outputs_end_log(&recorder->outputs, &error) < 0)
        message_print("%s", error.text);
    status = fill_outcome(recorder);
    fill_summary(recorder);
    status = recorder_budgets_end(recorder, status);
    recorder->run.outcome.pmon_status = status;
    recorder_regions_collect(recorder);
    recorder_exact_end(recorder);
    append_peak(recorder);
    /* gnuplot takes its time; but a reader is given one summary, the last. */
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
