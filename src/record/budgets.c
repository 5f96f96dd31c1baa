/* SPDX-License-Identifier: MIT */
/* --max-rss, --max-time, --max-cpu-time while the step runs and at its end. */
#include "base/num.h"
#include "record/recorder_state.h"
#include "base/message.h"
#include "engine/metrics.h"

/* The step is ended: TERM to the tree now, KILL later. */
static void
stop(struct run *run, enum budget_kind kind, int64_t now_ns)
{
    if (run->stopping.has_begun || run->has_ended)
        return;
    run->stopped_by = kind;
    run_stop_begin(run, now_ns);
    say("--%s is exceeded: the step is ended, TERM now and KILL later",
        metrics_budget(kind));
}

static void
take(struct run *run, enum budget_kind kind, int64_t value, int64_t now_ns)
{
    if (budgets_take(&run->budgets, kind, value))
        stop(run, kind, now_ns);
}

void
run_budgets_row(struct run *run, const struct row *row)
{
    int64_t now_ns = run->start_ns + row->elapsed_ns;

    take(run, BUDGET_CPU_TIME, row->cpu_ns, now_ns);
    take(run, BUDGET_RSS,
         run->options.pss ? run->measure.pss.peak.pss_bytes
                          : row->rss_unique_bytes,
         now_ns);
}

void
run_budgets_time(struct run *run, int64_t now_ns)
{
    if (!run->has_ended)
        take(run, BUDGET_TIME, now_ns - run->start_ns, now_ns);
}

int64_t
run_budgets_deadline(const struct run *run)
{
    const struct budget *time = &run->budgets.list[BUDGET_TIME];

    if (!budgets_is_set(time) || run->has_ended || run->is_stopping ||
        time->action != BUDGET_STOP)
        return INT64_MAX;
    return num_add(run->start_ns, time->limit) + 1;
}

/* What is known only at the end: rusage and high-water marks. */
static void
take_final(struct run *run)
{
    const struct summary *summary = &run->summary;
    const struct summary_memory *memory = &summary->memory;
    int64_t wall_ns = run->root_ended_ns > 0
                          ? run->root_ended_ns - run->start_ns
                          : summary->time.wall_ns;

    budgets_take(&run->budgets, BUDGET_TIME, wall_ns);
    budgets_take(&run->budgets, BUDGET_CPU_TIME, summary->cpu.total_ns);
    if (run->options.pss)
        budgets_take(&run->budgets, BUDGET_RSS, memory->peak_pss.pss_bytes);
    else
        budgets_take(&run->budgets, BUDGET_RSS,
                     num_max(memory->peak_rss_without_copies_bytes,
                             memory->largest_process_rss_bytes));
}

void
run_budgets_end(struct run *run)
{
    static const enum reason reasons[] = {
        [BUDGET_RSS] = REASON_MAX_RSS,
        [BUDGET_TIME] = REASON_MAX_TIME,
        [BUDGET_CPU_TIME] = REASON_MAX_CPU_TIME,
    };
    struct summary_outcome *outcome = &run->summary.outcome;

    take_final(run);
    run->summary.budgets = &run->budgets;
    if (run->stopped_by != BUDGET_KINDS) {
        outcome->reason = reasons[run->stopped_by];
        outcome->pmon_status =
            run->stopped_by == BUDGET_TIME ? STATUS_MAX_TIME : STATUS_BUDGET;
    } else if (outcome->pmon_status == 0 && !budgets_are_kept(&run->budgets)) {
        outcome->pmon_status = STATUS_BUDGET;
    }
}
