/* SPDX-License-Identifier: MIT */
/* The summary of a run of which nothing is known. */
#include "engine/summary.h"

#include "base/num.h"

static const int64_t unknown = NUM_UNKNOWN;

void
summary_init(struct summary *summary)
{
    *summary = (struct summary){
        .outcome = {.reason = REASON_RUNNING,
                    .exit_status = unknown,
                    .signal = unknown,
                    .pmon_status = unknown,
                    .survivors = unknown},
        .time = {unknown, unknown, unknown},
        .cpu = {.user_ns = unknown,
                .system_ns = unknown,
                .total_ns = unknown,
                .total_word = WORD_AT_LEAST,
                .mean_percent = -1,
                .max_percent = -1},
        .memory = {.peak_rss_bytes = unknown,
                   .peak_rss_upper_bytes = unknown,
                   .peak_rss_word = WORD_AT_LEAST,
                   .peak_rss_elapsed_ns = unknown,
                   .peak_rss_processes = unknown,
                   .peak_rss_without_copies_bytes = unknown,
                   .sampled_peak_rss_bytes = unknown,
                   .largest_process_rss_bytes = unknown,
                   .peak_vms_bytes = unknown,
                   .peak_pss = {unknown, unknown, unknown, unknown, unknown},
                   .peak_swap_bytes = unknown,
                   .cgroup_peak_bytes = unknown,
                   .limit_bytes = unknown,
                   .oom_kills = unknown},
        .processes = {unknown, unknown, unknown},
        .io = {.word = WORD_AT_LEAST,
               .io.value = {unknown, unknown, unknown, unknown},
               .minor_faults = unknown,
               .major_faults = unknown},
        .quality = {unknown, unknown, unknown, unknown, unknown, unknown,
                    unknown, unknown, unknown, unknown},
    };
}
