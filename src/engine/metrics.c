/* SPDX-License-Identifier: MIT */
/* Tables of the field's words. */
#include "engine/metrics.h"

const char *
metrics_word(enum word word)
{
    static const char *const words[] = {
        [WORD_EXACT] = "exact",
        [WORD_BETWEEN] = "between",
        [WORD_AT_LEAST] = "at least",
    };

    return words[word];
}

const char *
metrics_peak_source(enum peak_source source)
{
    static const char *const sources[] = {
        [PEAK_SAMPLED] = "sampled",
        [PEAK_HIGH_WATER_MARK] = "high_water_mark",
        [PEAK_RUSAGE] = "rusage",
        [PEAK_EXIT_RECORD] = "exit_record",
    };

    return sources[source];
}

const char *
metrics_reason(enum reason reason)
{
    static const char *const reasons[] = {
        [REASON_RUNNING] = "running",
        [REASON_EXITED] = "exited",
        [REASON_SIGNALED] = "signaled",
        [REASON_NOT_FOUND] = "not_found",
        [REASON_NOT_EXECUTABLE] = "not_executable",
        [REASON_MAX_TIME] = "max_time",
        [REASON_MAX_RSS] = "max_rss",
        [REASON_MAX_CPU_TIME] = "max_cpu_time",
        [REASON_DETACHED] = "detached",
    };

    return reasons[reason];
}

const char *
metrics_budget(enum budget_kind kind)
{
    static const char *const names[] = {
        [BUDGET_RSS] = "max-rss",
        [BUDGET_TIME] = "max-time",
        [BUDGET_CPU_TIME] = "max-cpu-time",
    };

    return names[kind];
}
