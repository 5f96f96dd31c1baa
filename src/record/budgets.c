/* SPDX-License-Identifier: MIT */
/*
 * Checks --max-rss, --max-time, --max-cpu-time and --min-free while the step
 * runs and at its end.
 */
#include "base/num.h"
#include "record/recorder_state.h"
#include "step/wait.h"

/*
 * Ends the step: TERM to the tree now, KILL later.  A step that has ended by
 * itself, and is not yet reaped, was not stopped.
 */
static void
stop(struct recorder *recorder, enum budget_kind kind, int64_t now_ns)
{
    if (!phase_runs(recorder->phase) || wait_is_zombie(recorder->root))
        return;
    recorder->stopped_by = kind;
    recorder->run.budgets.list[kind].has_stopped = true;
    recorder_stop_begin(recorder, now_ns, STOP_FOR_BUDGET);
    if (recorder->options.is_quiet)
        return; /* one line at the end reports it */
    recorder_say(recorder,
                 "--%s exceeded: stopping the step with SIGTERM, then SIGKILL",
                 budgets_name(kind));
}

static void
take(struct recorder *recorder, enum budget_kind kind, int64_t value,
     int64_t now_ns)
{
    if (budgets_take(&recorder->run.budgets, kind, value))
        stop(recorder, kind, now_ns);
}

static void
take_memory(struct recorder *recorder, int64_t now_ns)
{
    struct budget_memory memory;

    measure_budget_memory(&recorder->measure, &memory);
    if (budgets_take_memory(&recorder->run.budgets, &memory))
        stop(recorder, BUDGET_RSS, now_ns);
}

void
recorder_budgets_prepare(struct recorder *recorder)
{
    struct budget *budget = &recorder->run.budgets.list[BUDGET_FREE];
    int64_t limit;
    int64_t total;

    if (!budgets_is_set(budget) || budget->percent == 0)
        return;
    recorder_look_around(recorder);
    total = recorder->host.mem_total_bytes;
    limit = cgroup_memory_limit(&recorder->place);
    if (limit != NUM_UNKNOWN && (total == NUM_UNKNOWN || limit < total))
        total = limit;
    budget->limit = num_max(total, 0) / 100 * budget->percent;
    budget->percent = 0;
}

/*
 * Reads what the host, and the groups around the step, have left; at least
 * once, also for a step that has already ended.
 */
static void
take_free(struct recorder *recorder, int64_t now_ns)
{
    const struct budget *budget = &recorder->run.budgets.list[BUDGET_FREE];
    int64_t left;
    int64_t room;

    if (!budgets_is_set(budget) ||
        (!phase_runs(recorder->phase) && budget->value != NUM_UNKNOWN))
        return;
    recorder_look_around(recorder);
    left = host_watch_memory(&recorder->host);
    room = cgroup_memory_room(&recorder->place);
    if (left == NUM_UNKNOWN || (room != NUM_UNKNOWN && room < left))
        left = room;
    take(recorder, BUDGET_FREE, left, now_ns);
}

void
recorder_budgets_row(struct recorder *recorder, const struct row *row)
{
    int64_t now_ns = recorder->start_ns + row->elapsed_ns;

    take(recorder, BUDGET_CPU_TIME, row->cpu_ns, now_ns);
    take_memory(recorder, now_ns);
    take_free(recorder, now_ns);
}

void
recorder_budgets_time(struct recorder *recorder, int64_t now_ns)
{
    if (!recorder_root_has_ended(recorder))
        take(recorder, BUDGET_TIME, now_ns - recorder->start_ns, now_ns);
}

int64_t
recorder_budgets_deadline(const struct recorder *recorder)
{
    const struct budget *time = &recorder->run.budgets.list[BUDGET_TIME];

    if (!budgets_is_set(time) || !phase_runs(recorder->phase) ||
        time->action != BUDGET_STOP)
        return INT64_MAX;
    return num_add(recorder->start_ns, time->limit) + 1;
}

/* Takes figures that are known only at the end: rusage and high-water marks. */
static void
take_final(struct recorder *recorder)
{
    const struct run *run = &recorder->run;
    struct budget_memory memory;
    int64_t wall_ns = recorder->root_ended_ns > 0
                          ? recorder->root_ended_ns - recorder->start_ns
                          : run->time.wall_ns;

    budgets_take(&recorder->run.budgets, BUDGET_TIME, wall_ns);
    budgets_take(&recorder->run.budgets, BUDGET_CPU_TIME, run->cpu.total_ns);
    measure_budget_memory(&recorder->measure, &memory);
    memory.rss_bytes = run->memory.peak_rss_bytes;
    memory.alone_bytes = num_max(run->memory.largest_process_rss_bytes -
                                     recorder->measure.pss.shared_bytes,
                                 memory.alone_bytes);
    budgets_take_memory(&recorder->run.budgets, &memory);
}

int
recorder_budgets_end(struct recorder *recorder, int status)
{
    static const enum reason reasons[] = {
        [BUDGET_RSS] = REASON_MAX_RSS,
        [BUDGET_TIME] = REASON_MAX_TIME,
        [BUDGET_CPU_TIME] = REASON_MAX_CPU_TIME,
        [BUDGET_FREE] = REASON_MIN_FREE,
    };
    struct run_outcome *outcome = &recorder->run.outcome;

    take_final(recorder);
    if (recorder->stopped_by != BUDGET_KINDS) {
        outcome->reason = reasons[recorder->stopped_by];
        return recorder->stopped_by == BUDGET_TIME ? STATUS_MAX_TIME
                                                   : STATUS_BUDGET;
    }
    return status == 0 && !budgets_are_kept(&recorder->run.budgets)
               ? STATUS_BUDGET
               : status;
}
