/* SPDX-License-Identifier: MIT */
/* The window of CPU %; a ring of the last rows. */
#include "engine/cpu_window.h"

#include <stdbool.h>

#include "base/num.h"

static const int64_t dense_span_ns = 99 * NUM_NS_PER_MS;
static const int64_t span_ns = 75 * NUM_NS_PER_MS;

void
cpu_window_init(struct cpu_window *window, int64_t interval_ns)
{
    bool is_dense = interval_ns != NUM_UNKNOWN && interval_ns < dense_span_ns;

    window->count = 0;
    window->span_ns = is_dense ? dense_span_ns : span_ns;
}

double
cpu_window_push(struct cpu_window *window, int64_t elapsed_ns, int64_t cpu_ns)
{
    size_t kept =
        window->count < CPU_WINDOW_SIZE ? window->count : CPU_WINDOW_SIZE;
    size_t slot = window->count % CPU_WINDOW_SIZE;
    int64_t since_ns = 0;
    int64_t used_ns = 0;

    for (size_t back = 1; back <= kept; back++) {
        size_t at = (window->count - back) % CPU_WINDOW_SIZE;

        since_ns = elapsed_ns - window->past[at].elapsed_ns;
        used_ns = cpu_ns - window->past[at].cpu_ns;
        if (since_ns >= (back == 1 ? window->span_ns : dense_span_ns))
            break;
    }
    window->past[slot].elapsed_ns = elapsed_ns;
    window->past[slot].cpu_ns = cpu_ns;
    window->count++;
    return since_ns > 0 ? 100.0 * (double)used_ns / (double)since_ns : 0;
}
