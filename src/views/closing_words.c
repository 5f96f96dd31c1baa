/* SPDX-License-Identifier: MIT */
/* The closing words; text only, the caller prints it. */
#include "views/closing_words.h"

#include <string.h>

#include "base/escape.h"
#include "base/num.h"
#include "views/closing_parts.h"
#include "views/human.h"

static void
append_text(struct strbuf *out, const char *text)
{
    escape_terminal(out, text, strlen(text));
}

static void
say_outcome(struct strbuf *out, const struct run *run,
            const struct closing_facts *facts)
{
    const struct run_outcome *outcome = &run->outcome;

    strbuf_puts(out, "pmon: ");
    closing_name(out, run, facts->name);
    if (outcome->reason == REASON_DETACHED) {
        strbuf_puts(out, ": recorded for ");
    } else if (outcome->signal != NUM_UNKNOWN) {
        strbuf_puts(out, ": ended by signal ");
        human_signal(out, (int)outcome->signal);
        strbuf_puts(out, " after ");
    } else if (outcome->exit_status != NUM_UNKNOWN) {
        strbuf_printf(out, ": exit status %lld after ",
                      (long long)outcome->exit_status);
    } else {
        strbuf_puts(out, ": ended after ");
    }
    human_duration(out,
                   facts->root_ns > 0 ? facts->root_ns : run->time.wall_ns);
    if (outcome->reason == REASON_DETACHED)
        strbuf_puts(out, ", still running");
    if (facts->root_ns > 0 &&
        facts->recorded_ns - facts->root_ns > NUM_NS_PER_MS * 100) {
        strbuf_puts(out, ", recorded for ");
        human_duration(out, facts->recorded_ns);
    }
    if (run->memory.oom_kills > 0) {
        strbuf_printf(out,
                      "; the kernel's OOM killer killed %lld process%s "
                      "in this control group; the limit is ",
                      (long long)run->memory.oom_kills,
                      run->memory.oom_kills == 1 ? "" : "es");
        human_bytes(out, run->memory.limit_bytes);
    }
    if (run->time.suspended_ns > NUM_NS_PER_S) {
        strbuf_puts(out, " (and ");
        human_duration(out, run->time.suspended_ns);
        strbuf_puts(out, " suspended)");
    }
    strbuf_putc(out, '\n');
}

/* Seconds, or milliseconds for a short step; all of a line in one unit. */
static void
say_cpu(struct strbuf *out, const struct run_cpu *cpu)
{
    bool is_short = cpu->total_ns < 100 * NUM_NS_PER_MS;
    double scale = is_short ? 1e6 : 1e9;
    int digits = is_short || cpu->total_ns >= 10 * NUM_NS_PER_S ? 1 : 2;

    strbuf_printf(out, "pmon: CPU      %s%.*f %s",
                  cpu->total_word == WORD_EXACT ? "" : "at least ", digits,
                  (double)cpu->total_ns / scale, is_short ? "ms" : "s");
    if (cpu->user_ns != NUM_UNKNOWN && cpu->total_word == WORD_EXACT)
        strbuf_printf(out, " (%.*f user, %.*f system)", digits,
                      (double)cpu->user_ns / scale, digits,
                      (double)cpu->system_ns / scale);
    if (cpu->mean_percent >= 0)
        strbuf_printf(out, ", mean %.0f %%, max %.0f %%", cpu->mean_percent,
                      cpu->max_percent);
}

static void
say_pss(struct strbuf *out, const struct run_memory *memory)
{
    if (memory->peak_pss_bytes != NUM_UNKNOWN) {
        strbuf_printf(out, "; PSS %s",
                      memory->peak_pss_word == WORD_EXACT ? "" : "at least ");
        human_bytes(out, memory->peak_pss_bytes);
    }
    if (memory->pss_unreadable > 0)
        strbuf_printf(out, "; PSS of %lld process%s could not be read",
                      (long long)memory->pss_unreadable,
                      memory->pss_unreadable == 1 ? "" : "es");
}

static void
say_memory(struct strbuf *out, const struct run_memory *memory,
           int64_t mem_total_bytes, const char *at_peak)
{
    strbuf_puts(out, "pmon: memory   peak ");
    human_peak(out, memory->peak_rss_bytes, memory->peak_rss_upper_bytes,
               memory->peak_rss_word);
    if (memory->peak_rss_elapsed_ns == 0) {
        strbuf_puts(out, ", at the start");
    } else if (memory->peak_rss_elapsed_ns != NUM_UNKNOWN) {
        strbuf_puts(out, ", ");
        human_duration(out, memory->peak_rss_elapsed_ns);
        strbuf_puts(out, " in");
    }
    if (memory->peak_rss_processes > 1)
        strbuf_printf(out, ", sum of %lld processes",
                      (long long)memory->peak_rss_processes);
    if (memory->peak_rss_shared_counted > 0)
        strbuf_puts(out, ", shared pages counted in each");
    if (memory->peak_rss_shared_counted > 0 &&
        memory->peak_pss_bytes == NUM_UNKNOWN)
        strbuf_puts(out, " (--pss counts them once)");
    if (mem_total_bytes != NUM_UNKNOWN &&
        memory->peak_rss_bytes > mem_total_bytes) {
        strbuf_puts(out, "; more than the memory of the machine (");
        human_bytes(out, mem_total_bytes);
        strbuf_puts(out, "), because it is a sum");
    }
    say_pss(out, memory);
    if (at_peak != NULL)
        strbuf_printf(out, "; at the peak %s", at_peak);
}

/* `python3 train.py 1.2 GiB, … and 12 more 300 MiB`; nothing for one alone */
static void
say_at_peak(struct strbuf *out, const struct run *run)
{
    enum { NAMED = 3 };
    const struct run_at_peak *at_peak = &run->at_peak;
    int64_t all = (int64_t)at_peak->count + at_peak->others;
    size_t named;
    int64_t more_bytes;

    if (at_peak->count == 0 || all < 2 ||
        run->memory.peak_rss_elapsed_ns == NUM_UNKNOWN)
        return;
    named = at_peak->count < NAMED ? at_peak->count : NAMED;
    more_bytes = at_peak->others_rss_bytes;
    for (size_t i = 0; i < at_peak->count; i++) {
        const struct run_process *process = &at_peak->list[i];

        if (i >= named) {
            more_bytes = num_add(more_bytes, process->rss_bytes);
            continue;
        }
        strbuf_puts(out, i > 0 ? ", " : "");
        append_text(out, process->command != NULL ? process->command
                                                  : process->name);
        strbuf_putc(out, ' ');
        human_bytes(out, process->rss_bytes);
    }
    if (all > (int64_t)named) {
        strbuf_printf(out, " and %lld more ",
                      (long long)(all - (int64_t)named));
        human_bytes(out, more_bytes);
    }
}

static void
list_survivors(struct strbuf *out, const struct survivors *survivors)
{
    for (int i = 0; i < survivors->named; i++) {
        strbuf_puts(out, i > 0 ? ", " : "");
        append_text(out, survivors->list[i].name);
        strbuf_printf(out, " (%d)", (int)survivors->list[i].pid);
    }
    if (survivors->count > survivors->named)
        strbuf_printf(out, " and %lld more",
                      (long long)(survivors->count - survivors->named));
    strbuf_putc(out, '\n');
}

static const char *
state_of(const struct survivors *survivors, bool was_killing)
{
    if (was_killing)
        return "cannot be ended";
    if (survivors->stopped == survivors->count)
        return survivors->count == 1 ? "is stopped" : "are stopped";
    return survivors->count == 1 ? "still runs" : "still run";
}

/* Survivors of the step and their fate; reported even if quiet. */
static void
say_survivors(struct strbuf *out, const struct closing_facts *facts)
{
    const struct survivors *survivors = facts->survivors;

    if (survivors->count > 0) {
        strbuf_printf(out, "pmon: left     %lld process%s of the step %s, ",
                      (long long)survivors->count,
                      survivors->count == 1 ? "" : "es",
                      state_of(survivors, facts->ended != NULL));
        human_bytes(out, survivors->rss_bytes);
        strbuf_puts(out, ": ");
        list_survivors(out, survivors);
    } else if (facts->ended != NULL && facts->ended->count > 0) {
        strbuf_printf(out,
                      "pmon: ended    %lld process%s that outlived the "
                      "step: ",
                      (long long)facts->ended->count,
                      facts->ended->count == 1 ? "" : "es");
        list_survivors(out, facts->ended);
    }
}

static void
say_files(struct strbuf *out, const struct closing_facts *facts)
{
    strbuf_puts(out, "pmon: log      ");
    if (facts->log == NULL) {
        strbuf_puts(out, "no log: add --log memory_log.txt");
    } else {
        append_text(out, facts->log);
        strbuf_printf(out, ", %lld row%s%s", (long long)facts->log_rows,
                      facts->log_rows == 1 ? "" : "s",
                      facts->log_failed ? " (incomplete)" : "");
    }
    if (facts->processes != NULL) {
        strbuf_puts(out, "; processes ");
        append_text(out, facts->processes);
        strbuf_puts(out, facts->processes_failed ? " (incomplete)" : "");
    }
    if (facts->profile != NULL) {
        strbuf_puts(out, "; peak appended to ");
        append_text(out, facts->profile);
    }
    if (facts->plot != NULL) {
        strbuf_puts(out, "; picture ");
        append_text(out, facts->plot);
    }
    if (facts->summary != NULL && facts->is_verbose) {
        strbuf_puts(out, "; summary ");
        append_text(out, facts->summary);
    }
    strbuf_putc(out, '\n');
}

/* `the step ran in its own control group; peak charged memory 5.0 MiB` */
static void
say_exact(struct strbuf *out, const struct run_memory *memory, const char *note)
{
    append_text(out, note);
    if (memory->cgroup_peak_bytes != NUM_UNKNOWN) {
        strbuf_printf(out, "; peak charged memory %s",
                      memory->cgroup_peak_word == WORD_EXACT ? ""
                                                             : "at least ");
        human_bytes(out, memory->cgroup_peak_bytes);
        strbuf_puts(out, ", page cache included");
    }
    strbuf_putc(out, '\n');
}

/* With -v, also the result of --exact. */
static void
say_quality(struct strbuf *out, const struct run *run, const char *exact_note)
{
    const struct run_quality *quality = &run->quality;

    strbuf_puts(out, "pmon: quality  interval ");
    if (quality->interval_ns == NUM_UNKNOWN)
        strbuf_puts(out, "auto");
    else
        human_duration(out, quality->interval_ns);
    if (quality->achieved_interval_ns != NUM_UNKNOWN) {
        strbuf_puts(out, " (achieved ");
        human_duration(out, quality->achieved_interval_ns);
        strbuf_puts(out, ", longest gap ");
        human_duration(out, quality->longest_gap_ns);
        strbuf_puts(out, ")");
    }
    strbuf_printf(out,
                  ", %lld missed ticks; processes: %lld seen, %lld skipped, "
                  "%lld never sampled; %lld impossible CPU rows; pmon itself ",
                  (long long)quality->missed_ticks,
                  (long long)run->processes.seen,
                  (long long)quality->skipped_processes,
                  (long long)quality->unsampled_processes,
                  (long long)quality->impossible_cpu_rows);
    human_duration(out, quality->monitor_cpu_ns);
    strbuf_puts(out, " CPU, ");
    human_bytes(out, quality->monitor_peak_rss_bytes);
    if (exact_note == NULL) {
        strbuf_putc(out, '\n');
        return;
    }
    strbuf_puts(out, "; exact: ");
    say_exact(out, &run->memory, exact_note);
}

/* The lines after that of memory, without the processes at the peak. */
static void
say_rest(struct strbuf *out, const struct run *run,
         const struct closing_facts *facts)
{
    closing_regions(out, run);
    closing_budgets(out, run);
    say_survivors(out, facts);
    if (facts->is_verbose) {
        say_quality(out, run, facts->exact_note);
    } else if (facts->exact_note != NULL) {
        strbuf_puts(out, "pmon: exact    ");
        say_exact(out, &run->memory, facts->exact_note);
    }
    say_files(out, facts);
}

/* What is reported even if quiet, and of which rank or job it is. */
static void
say_quietly(struct strbuf *out, const struct run *run,
            const struct closing_facts *facts)
{
    STRBUF_AUTO lines = {0};
    STRBUF_AUTO job = {0};

    if (!budgets_are_kept(&run->budgets))
        closing_budgets(&lines, run);
    say_survivors(&lines, facts);
    run_job_words(&job, run);
    if (lines.size > 0 && job.size > 0) {
        strbuf_puts(out, "pmon: step     ");
        closing_name(out, run, facts->name);
        strbuf_putc(out, '\n');
    }
    strbuf_append(out, strbuf_text(&lines), lines.size);
}

/* Whether what there is to say has no line left for it; else it takes one. */
static bool
takes_no_line(const struct strbuf *text, int *lines)
{
    enum { MOST_LINES = 8 };

    if (text->size > 0 && *lines >= MOST_LINES)
        return true;
    *lines += text->size > 0;
    return false;
}

static void
say_line(struct strbuf *out, const char *label, const struct strbuf *text,
         bool is_elsewhere)
{
    if (text->size > 0 && !is_elsewhere)
        strbuf_printf(out, "pmon: %s%s\n", label, strbuf_text(text));
}

void
closing_words(struct strbuf *out, const struct run *run,
              const struct closing_facts *facts)
{
    enum { ABOVE_THE_REST = 3 };
    const struct run_series *series = facts->has_blocks ? &run->series : NULL;
    STRBUF_AUTO at_peak = {0};
    STRBUF_AUTO commands = {0};
    STRBUF_AUTO slowed = {0};
    STRBUF_AUTO rest = {0};
    int lines = ABOVE_THE_REST;
    bool is_crowded;
    bool is_full;
    bool is_tight;

    if (facts->is_quiet) {
        say_quietly(out, run, facts);
        return;
    }
    say_at_peak(&at_peak, run);
    closing_commands(&commands, run);
    closing_slowed(&slowed, run);
    say_rest(&rest, run, facts);
    for (size_t i = 0; i < rest.size; i++)
        lines += strbuf_text(&rest)[i] == '\n';
    is_crowded = takes_no_line(&slowed, &lines);
    is_full = takes_no_line(&at_peak, &lines);
    is_tight = takes_no_line(&commands, &lines);
    say_outcome(out, run, facts);
    say_cpu(out, &run->cpu);
    if (is_tight)
        strbuf_printf(out, "; commands: %s", strbuf_text(&commands));
    if (is_crowded)
        strbuf_printf(out, "; slowed: %s", strbuf_text(&slowed));
    closing_curve(out, series, true, facts->columns);
    say_memory(out, &run->memory, facts->mem_total_bytes,
               is_full ? strbuf_text(&at_peak) : NULL);
    closing_curve(out, series, false, facts->columns);
    say_line(out, "at peak  ", &at_peak, is_full);
    say_line(out, "commands ", &commands, is_tight);
    say_line(out, "slowed   ", &slowed, is_crowded);
    strbuf_append(out, strbuf_text(&rest), rest.size);
    if (!facts->has_blocks)
        closing_replace_signs(out);
}
