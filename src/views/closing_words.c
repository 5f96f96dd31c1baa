/* SPDX-License-Identifier: MIT */
/* The closing words; text only, the caller prints it. */
#include "views/closing_words.h"

#include <string.h>

#include "base/escape.h"
#include "base/num.h"
#include "measure/budgets.h"
#include "measure/metrics.h"
#include "measure/regions.h"
#include "views/human.h"
#include "views/sparkline.h"

static void
append_text(struct strbuf *out, const char *text)
{
    escape_terminal(out, text, strlen(text));
}

static void
say_outcome(struct strbuf *out, const struct summary *summary,
            const struct closing_facts *facts)
{
    const struct summary_outcome *outcome = &summary->outcome;

    strbuf_puts(out, "pmon: ");
    append_text(out, facts->name);
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
                   facts->root_ns > 0 ? facts->root_ns : summary->time.wall_ns);
    if (outcome->reason == REASON_DETACHED)
        strbuf_puts(out, ", it goes on");
    if (facts->root_ns > 0 &&
        summary->time.wall_ns - facts->root_ns > NUM_NS_PER_MS * 100) {
        strbuf_puts(out, ", recorded for ");
        human_duration(out, summary->time.wall_ns);
    }
    if (summary->memory.oom_kills > 0) {
        strbuf_printf(out,
                      "; the kernel's OOM killer ended %lld process%s "
                      "here, the limit is ",
                      (long long)summary->memory.oom_kills,
                      summary->memory.oom_kills == 1 ? "" : "es");
        human_bytes(out, summary->memory.limit_bytes);
    }
    if (summary->time.suspended_ns > NUM_NS_PER_S) {
        strbuf_puts(out, " (and ");
        human_duration(out, summary->time.suspended_ns);
        strbuf_puts(out, " suspended)");
    }
    strbuf_putc(out, '\n');
}

/* The curve at the end of its line; nothing for a short run. */
static void
say_curve(struct strbuf *out, const struct series *series, bool is_cpu)
{
    STRBUF_AUTO blocks = {0};

    if (series != NULL)
        sparkline(&blocks, series, is_cpu);
    if (blocks.size > 0)
        strbuf_printf(out, "  %s", strbuf_text(&blocks));
}

/* Seconds, or milliseconds for a short step; all of a line in one unit. */
static void
say_cpu(struct strbuf *out, const struct summary_cpu *cpu,
        const struct series *series)
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
    say_curve(out, series, true);
    strbuf_putc(out, '\n');
}

static void
say_peak(struct strbuf *out, const struct summary_memory *memory)
{
    if (memory->peak_rss_word == WORD_BETWEEN) {
        strbuf_puts(out, "between ");
        human_bytes(out, memory->peak_rss_bytes);
        strbuf_puts(out, " and ");
        human_bytes(out, memory->peak_rss_upper_bytes);
        return;
    }
    if (memory->peak_rss_word == WORD_AT_LEAST)
        strbuf_puts(out, "at least ");
    human_bytes(out, memory->peak_rss_bytes);
    if (memory->peak_rss_word == WORD_EXACT)
        strbuf_puts(out, " (exact)");
}

static void
say_pss(struct strbuf *out, const struct summary_memory *memory)
{
    if (memory->peak_pss.pss_bytes != NUM_UNKNOWN) {
        strbuf_printf(out, "; PSS %s",
                      memory->peak_pss_word == WORD_EXACT ? "" : "at least ");
        human_bytes(out, memory->peak_pss.pss_bytes);
    }
    if (memory->pss_unreadable > 0)
        strbuf_printf(out, "; PSS of %lld processes could not be read",
                      (long long)memory->pss_unreadable);
}

static void
say_memory(struct strbuf *out, const struct summary_memory *memory,
           int64_t mem_total_bytes, const struct series *series)
{
    strbuf_puts(out, "pmon: memory   peak ");
    say_peak(out, memory);
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
    if (memory->peak_rss_shared_counted)
        strbuf_puts(out, ", shared pages counted in each");
    if (memory->peak_rss_shared_counted &&
        memory->peak_pss.pss_bytes == NUM_UNKNOWN)
        strbuf_puts(out, " (--pss counts them once)");
    if (mem_total_bytes != NUM_UNKNOWN &&
        memory->peak_rss_bytes > mem_total_bytes) {
        strbuf_puts(out, "; more than the machine has (");
        human_bytes(out, mem_total_bytes);
        strbuf_puts(out, "): it is a sum");
    }
    say_pss(out, memory);
    say_curve(out, series, false);
    strbuf_putc(out, '\n');
}

/* `pmon: there    python3 train.py 1.2 GiB, … and 12 more 300 MiB` */
static void
say_at_peak(struct strbuf *out, const struct summary *summary)
{
    enum { NAMED = 3 };
    const struct at_peak *at_peak = summary->at_peak;
    int64_t more_bytes;
    int named;

    if (at_peak == NULL || at_peak->count + at_peak->others < 2 ||
        summary->memory.peak_rss_elapsed_ns == NUM_UNKNOWN)
        return;
    named = at_peak->count < NAMED ? at_peak->count : NAMED;
    more_bytes = at_peak->others_rss_bytes;
    strbuf_puts(out, "pmon: there    ");
    for (int i = 0; i < at_peak->count; i++) {
        const struct at_peak_process *process = &at_peak->list[i];

        if (i >= named) {
            more_bytes = num_add(more_bytes, process->rss_bytes);
            continue;
        }
        strbuf_puts(out, i > 0 ? ", " : "");
        append_text(out, process->command[0] != '\0' ? process->command
                                                     : process->name);
        strbuf_putc(out, ' ');
        human_bytes(out, process->rss_bytes);
    }
    if (at_peak->count + at_peak->others > named) {
        strbuf_printf(out, " and %lld more ",
                      (long long)(at_peak->count + at_peak->others - named));
        human_bytes(out, more_bytes);
    }
    strbuf_putc(out, '\n');
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
    return survivors->count == 1 ? "runs on" : "run on";
}

/* Never silent: who outlived the step, and what became of them. */
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
say_spread(struct strbuf *out, const struct region_stats *stats)
{
    const struct {
        const char *name;
        int64_t ns;
    } figures[] = {{" (total ", stats->total_ns},
                   {", min ", stats->min_ns},
                   {", p50 ", stats->p50_ns},
                   {", p95 ", stats->p95_ns},
                   {", max ", stats->max_ns}};

    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
        strbuf_puts(out, figures[i].name);
        human_duration(out, figures[i].ns);
    }
    strbuf_putc(out, ')');
}

/* `SOLVE 3 × 1.2 s (total 3.6 s, …), CPU 3.4 s, peak at least 120 MiB` */
static void
say_region(struct strbuf *out, const struct region_stats *stats)
{
    append_text(out, stats->name);
    strbuf_printf(out, " %lld \xC3\x97 ", (long long)stats->count);
    human_duration(out, stats->mean_ns);
    if (stats->count > 1)
        say_spread(out, stats);
    if (stats->unended > 0)
        strbuf_printf(out, " (%lld not ended)", (long long)stats->unended);
    if (stats->cpu_ns != NUM_UNKNOWN) {
        strbuf_puts(out, ", CPU ");
        human_duration(out, stats->cpu_ns);
    }
    if (stats->peak_rss_bytes != NUM_UNKNOWN) {
        strbuf_puts(out, ", peak at least ");
        human_bytes(out, stats->peak_rss_bytes);
    }
}

/* The three names with the most time, on one line. */
static void
say_regions(struct strbuf *out, const struct regions *regions)
{
    enum { NAMED = 3 };
    const struct region_stats *named[NAMED];
    size_t count = 0;

    if (regions == NULL)
        return;
    for (size_t i = 0; i < regions->count; i++) {
        const struct region_stats *stats = &regions->stats[i];
        size_t at = count < NAMED ? count++ : NAMED;

        for (; at > 0 && named[at - 1]->total_ns < stats->total_ns; at--)
            if (at < NAMED)
                named[at] = named[at - 1];
        if (at < NAMED)
            named[at] = stats;
    }
    strbuf_puts(out, "pmon: regions  ");
    if (count == 0)
        strbuf_puts(out, "none were marked");
    for (size_t i = 0; i < count; i++) {
        strbuf_puts(out, i > 0 ? "; " : "");
        say_region(out, named[i]);
    }
    if (regions->count > count)
        strbuf_printf(out, "; %zu more", regions->count - count);
    strbuf_putc(out, '\n');
}

/* `max-rss 1.20 GiB of 4.00 GiB, kept; max-time 12.0 s of 10.0 s, passed` */
static void
say_budgets(struct strbuf *out, const struct budgets *budgets)
{
    const char *before = "pmon: budgets  ";

    for (int i = 0; budgets != NULL && i < BUDGET_KINDS; i++) {
        const struct budget *budget = &budgets->list[i];
        void (*human)(struct strbuf *, int64_t) =
            i == BUDGET_RSS ? human_bytes : human_duration;

        if (!budgets_is_set(budget))
            continue;
        strbuf_printf(out, "%s%s ", before,
                      metrics_budget((enum budget_kind)i));
        human(out, num_max(budget->value, 0));
        strbuf_puts(out, " of ");
        human(out, budget->limit);
        strbuf_puts(out, budgets_is_kept(budget) ? ", kept"
                         : budget->has_stopped   ? ", passed: stopped"
                                                 : ", passed: failed");
        before = "; ";
    }
    if (before[0] == ';')
        strbuf_putc(out, '\n');
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
                      facts->log_failed ? " (not whole)" : "");
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

static void
say_quality(struct strbuf *out, const struct summary *summary)
{
    const struct summary_quality *quality = &summary->quality;

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
                  (long long)summary->processes.seen,
                  (long long)quality->skipped_processes,
                  (long long)quality->unsampled_processes,
                  (long long)quality->impossible_cpu_rows);
    human_duration(out, quality->monitor_cpu_ns);
    strbuf_puts(out, " CPU, ");
    human_bytes(out, quality->monitor_peak_rss_bytes);
    strbuf_putc(out, '\n');
}

static void
say_exact(struct strbuf *out, const struct summary_memory *memory,
          const char *note)
{
    if (note == NULL)
        return;
    strbuf_puts(out, "pmon: exact    ");
    append_text(out, note);
    if (memory->cgroup_peak_bytes != NUM_UNKNOWN) {
        strbuf_puts(out, "; the most charged was ");
        human_bytes(out, memory->cgroup_peak_bytes);
        strbuf_puts(out, ", page cache included");
    }
    strbuf_putc(out, '\n');
}

void
closing_words(struct strbuf *out, const struct summary *summary,
              const struct closing_facts *facts)
{
    const struct series *series = facts->has_blocks ? summary->series : NULL;

    if (facts->is_quiet) {
        say_survivors(out, facts);
        return;
    }
    say_outcome(out, summary, facts);
    say_cpu(out, &summary->cpu, series);
    say_memory(out, &summary->memory, facts->mem_total_bytes, series);
    say_at_peak(out, summary);
    say_regions(out, summary->regions);
    say_budgets(out, summary->budgets);
    say_exact(out, &summary->memory, facts->exact_note);
    say_survivors(out, facts);
    if (facts->is_verbose)
        say_quality(out, summary);
    say_files(out, facts);
}
