/* SPDX-License-Identifier: MIT */
/* What the keys of the summary hold: null for what is not known, lists. */
#include "formats/summary_values.h"

#include <string.h>

#include "base/escape.h"
#include "base/json_build.h"
#include "base/num.h"
#include "engine/metrics.h"

json_t *
summary_text(const char *text)
{
    STRBUF_AUTO buf = {0};

    if (text == NULL)
        return json_null();
    escape_utf8(&buf, text, strlen(text));
    if (buf.failed)
        return NULL;
    return json_stringn(strbuf_text(&buf), buf.size);
}

json_t *
summary_integer(int64_t value)
{
    return value == NUM_UNKNOWN ? json_null() : json_integer(value);
}

json_t *
summary_seconds(int64_t ns)
{
    return ns == NUM_UNKNOWN ? json_null() : json_real(num_seconds(ns));
}

/* Percent is never negative but where it is unknown. */
json_t *
summary_percent(double percent)
{
    return percent < 0
               ? json_null()
               : json_real((double)num_from_double(percent * 1000) / 1000);
}

const char *
summary_known(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

static json_t *
at_peak_process_json(const struct at_peak_process *process)
{
    json_t *object = json_object();

    json_build_put(&object, "pid", json_integer(process->pid));
    json_build_put(&object, "name", summary_text(process->name));
    json_build_put(&object, "command",
                   summary_text(summary_known(process->command)));
    json_build_put(&object, "rss_bytes", json_integer(process->rss_bytes));
    json_build_put(&object, "age_s", summary_seconds(process->age_ns));
    return object;
}

json_t *
summary_at_peak(const struct at_peak *at_peak)
{
    json_t *object = json_object();
    json_t *list = json_array();

    for (int i = 0; at_peak != NULL && i < at_peak->count; i++)
        json_build_add(&list, at_peak_process_json(&at_peak->list[i]));
    json_build_put(&object, "processes", list);
    json_build_put(
        &object, "others",
        summary_integer(at_peak != NULL ? at_peak->others : NUM_UNKNOWN));
    json_build_put(&object, "others_rss_bytes",
                   summary_integer(at_peak != NULL ? at_peak->others_rss_bytes
                                                   : NUM_UNKNOWN));
    return object;
}

static json_t *
region_json(const struct region_stats *stats)
{
    json_t *object = json_object();

    json_build_put(&object, "name", summary_text(stats->name));
    json_build_put(&object, "count", json_integer(stats->count));
    json_build_put(&object, "total_s", summary_seconds(stats->total_ns));
    json_build_put(&object, "mean_s", summary_seconds(stats->mean_ns));
    json_build_put(&object, "min_s", summary_seconds(stats->min_ns));
    json_build_put(&object, "max_s", summary_seconds(stats->max_ns));
    json_build_put(&object, "p50_s", summary_seconds(stats->p50_ns));
    json_build_put(&object, "p95_s", summary_seconds(stats->p95_ns));
    json_build_put(&object, "cpu_s", summary_seconds(stats->cpu_ns));
    json_build_put(&object, "peak_rss_bytes",
                   summary_integer(stats->peak_rss_bytes));
    json_build_put(&object, "peak_rss_word",
                   stats->peak_rss_bytes == NUM_UNKNOWN
                       ? json_null()
                       : json_string(metrics_word(WORD_AT_LEAST)));
    json_build_put(&object, "unended", json_integer(stats->unended));
    return object;
}

json_t *
summary_regions(const struct regions *regions)
{
    json_t *list = json_array();

    for (size_t i = 0; regions != NULL && i < regions->count; i++)
        json_build_add(&list, region_json(&regions->stats[i]));
    return list;
}

static json_t *
budget_json(const struct budget *budget, enum budget_kind kind)
{
    json_t *object = json_object();
    bool is_size = kind == BUDGET_RSS;

    json_build_put(&object, "name", json_string(metrics_budget(kind)));
    json_build_put(&object, "limit",
                   is_size ? summary_integer(budget->limit)
                           : summary_seconds(budget->limit));
    json_build_put(&object, "value",
                   is_size ? summary_integer(budget->value)
                           : summary_seconds(budget->value));
    json_build_put(&object, "passed", json_boolean(budgets_is_kept(budget)));
    json_build_put(
        &object, "action",
        json_string(budget->action == BUDGET_STOP ? "stop" : "fail"));
    return object;
}

json_t *
summary_budgets(const struct budgets *budgets)
{
    json_t *list = json_array();

    for (int i = 0; budgets != NULL && i < BUDGET_KINDS; i++)
        if (budgets_is_set(&budgets->list[i]))
            json_build_add(&list,
                           budget_json(&budgets->list[i], (enum budget_kind)i));
    return list;
}

json_t *
summary_series(const struct series *series)
{
    json_t *object = json_object();
    json_t *elapsed = json_array();
    json_t *cpu = json_array();
    json_t *rss = json_array();

    for (size_t i = 0; series != NULL && i < series->count; i++) {
        const struct series_slot *slot = &series->slots[i];

        if (slot->elapsed_ns == NUM_UNKNOWN)
            continue;
        json_build_add(&elapsed, summary_seconds(slot->elapsed_ns));
        json_build_add(&cpu, summary_percent(slot->cpu_percent));
        json_build_add(&rss, json_integer(slot->rss_bytes));
    }
    json_build_put(&object, "elapsed_s", elapsed);
    json_build_put(&object, "cpu_percent", cpu);
    json_build_put(&object, "rss_bytes", rss);
    return object;
}
