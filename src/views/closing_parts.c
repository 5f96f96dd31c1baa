/* SPDX-License-Identifier: MIT */
/* The lines of the closing words that lists make, and their curves. */
#include "views/closing_parts.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/num.h"
#include "model/load_share.h"
#include "views/cells.h"
#include "views/human.h"

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

    for (size_t i = 0; i < ARRAY_SIZE(figures); i++) {
        strbuf_puts(out, figures[i].name);
        human_duration(out, figures[i].ns);
    }
    strbuf_putc(out, ')');
}

/* `SOLVE 3 × 1.2 s (total 3.6 s, …), CPU 3.4 s, peak at least 120 MiB` */
static void
say_region(struct strbuf *out, const struct region_stats *stats)
{
    escape_terminal(out, stats->name, strlen(stats->name));
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

void
closing_regions(struct strbuf *out, const struct run *run)
{
    enum { NAMED = 3 };
    const struct region_stats *named[NAMED];
    size_t count = 0;

    if (run->regions == NULL)
        return;
    for (size_t i = 0; i < run->region_count; i++) {
        const struct region_stats *stats = &run->regions[i];
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
    if (run->region_count > count)
        strbuf_printf(out, "; %zu more", run->region_count - count);
    strbuf_putc(out, '\n');
}

/* Who has used it up. */
static void
say_largest(struct strbuf *out, const struct run_at_peak *at_peak)
{
    const struct run_process *largest = at_peak->list;
    const char *name;

    if (at_peak->count == 0)
        return;
    name = largest->command != NULL ? largest->command : largest->name;
    strbuf_puts(out, "; the largest was ");
    escape_terminal(out, name, strlen(name));
    strbuf_putc(out, ' ');
    human_bytes(out, largest->rss_bytes);
}

void
closing_name(struct strbuf *out, const struct run *run, const char *name)
{
    STRBUF_AUTO job = {0};

    run_job_words(&job, run);
    escape_terminal(out, name, strlen(name));
    strbuf_puts(out, job.size > 0 ? ", " : "");
    escape_terminal(out, strbuf_text(&job), job.size);
}

void
closing_budgets(struct strbuf *out, const struct run *run)
{
    const struct budgets *budgets = &run->budgets;
    const char *before = "pmon: budgets  ";

    for (int i = 0; i < BUDGET_KINDS; i++) {
        const struct budget *budget = &budgets->list[i];
        void (*human)(struct strbuf *, int64_t) =
            budgets_is_size((enum budget_kind)i) ? human_bytes : human_duration;

        if (!budgets_is_set(budget))
            continue;
        strbuf_printf(out, "%s%s ", before, budgets_name((enum budget_kind)i));
        if (budget->value == NUM_UNKNOWN && budget->is_least)
            strbuf_puts(out, "unknown");
        else
            human(out, num_max(budget->value, 0));
        if (budget->figure != BUDGET_BY_UNKNOWN)
            strbuf_puts(out, budget->figure == BUDGET_BY_PSS ? " PSS" : " RSS");
        strbuf_puts(out, i == BUDGET_FREE ? " left of " : " of ");
        human(out, budget->limit);
        strbuf_puts(out, budgets_is_kept(budget) ? ", kept"
                         : budget->has_stopped   ? ", exceeded, step stopped"
                                                 : ", exceeded");
        if (i == BUDGET_FREE && !budgets_is_kept(budget))
            say_largest(out, &run->at_peak);
        before = "; ";
    }
    if (before[0] == ';')
        strbuf_putc(out, '\n');
}

static bool
explains(const struct run *run, enum load_share which)
{
    return load_share(run, which) > load_share_least(which);
}

static void
say_command(struct strbuf *out, const struct run_command_use *use)
{
    if (use->count > 1)
        strbuf_printf(out, "%lld \xC3\x97 ", (long long)use->count);
    escape_terminal(out, use->command, strlen(use->command));
    strbuf_putc(out, ' ');
    human_duration(out, use->cpu_ns);
    if (use->peak_rss_bytes == NUM_UNKNOWN)
        return;
    strbuf_puts(out, ", ");
    human_bytes(out, use->peak_rss_bytes);
}

void
closing_commands(struct strbuf *out, const struct run *run)
{
    enum { NAMED = 3 };
    const struct run_by_command *by_command = &run->by_command;
    int64_t others_ns = 0;
    size_t named = 0;

    if (!run_has_commands(run))
        return;
    for (size_t i = 0; i < by_command->count; i++) {
        const struct run_command_use *use = &by_command->list[i];

        if (use->kind != COMMAND_NAMED || named == NAMED) {
            others_ns = num_add(others_ns, num_max(use->cpu_ns, 0));
            continue;
        }
        strbuf_puts(out, named++ > 0 ? "; " : "");
        say_command(out, use);
    }
    if (others_ns == 0)
        return;
    strbuf_puts(out, "; others ");
    human_duration(out, others_ns);
}

/* `for 12 s of 20 s` */
static void
say_part(struct strbuf *out, int64_t part_ns, int64_t whole_ns)
{
    strbuf_puts(out, " for ");
    human_duration(out, part_ns < whole_ns ? part_ns : whole_ns);
    strbuf_puts(out, " of ");
    human_duration(out, whole_ns);
}

static void
say_throttled(struct strbuf *out, const struct run_load *load, int64_t wall_ns)
{
    strbuf_printf(out, "CPU quota of %.4g core%s held it back",
                  load->cpu_quota_cores, load->cpu_quota_cores == 1 ? "" : "s");
    if (load->throttled_ns <= wall_ns) {
        say_part(out, load->throttled_ns, wall_ns);
        return;
    }
    strbuf_puts(out, " for ");
    human_duration(out, load->throttled_ns);
    strbuf_puts(out, ", summed over processors, in ");
    human_duration(out, wall_ns);
}

void
closing_slowed(struct strbuf *out, const struct run *run)
{
    const struct run_load *load = &run->load;
    const struct {
        enum load_share which;
        int64_t ns;
        const char *what;
    } pressures[] = {
        {LOAD_SHARE_CPU, load->pressure_cpu_ns, "a processor"},
        {LOAD_SHARE_MEMORY, load->pressure_memory_ns, "memory"},
        {LOAD_SHARE_IO, load->pressure_io_ns, "I/O"},
    };
    int64_t wall_ns = run->time.wall_ns;
    double cores = (double)num_max(run->host.cores, 1);

    if (load->cpu_quota_cores > 0 && explains(run, LOAD_SHARE_THROTTLED))
        say_throttled(out, load, wall_ns);
    for (size_t i = 0; i < ARRAY_SIZE(pressures); i++) {
        if (!explains(run, pressures[i].which))
            continue;
        strbuf_printf(
            out, "%sthreads of the %s waited for %s", out->size > 0 ? "; " : "",
            load->pressure_source == PRESSURE_OF_CGROUP ? "control group"
                                                        : "host",
            pressures[i].what);
        say_part(out, pressures[i].ns, wall_ns);
    }
    if (explains(run, LOAD_SHARE_STEAL)) {
        strbuf_printf(out, "%sthe hypervisor took ", out->size > 0 ? "; " : "");
        human_duration(out, load->steal_ns);
        strbuf_printf(out, ", summed over %.0f processor%s, in ", cores,
                      cores > 1 ? "s" : "");
        human_duration(out, wall_ns);
    }
}

void
closing_curve(struct strbuf *out, const struct run_series *series, bool is_cpu,
              int columns)
{
    const char *line = strrchr(strbuf_text(out), '\n');
    int most = SPARKLINE_WIDTH;
    STRBUF_AUTO blocks = {0};

    line = line != NULL ? line + 1 : strbuf_text(out);
    if (columns > 0)
        most = columns - cells_width(line) - 2;
    if (series != NULL)
        closing_sparkline(&blocks, series, is_cpu, most);
    if (blocks.size > 0)
        strbuf_printf(out, "  %s", strbuf_text(&blocks));
    strbuf_putc(out, '\n');
}

/* The column of a point, by its time; the last point is in the last one. */
static int
column_of(const struct run_series *series, size_t point, int width)
{
    double last_ns = (double)series->elapsed_ns[series->count - 1];
    double place = (double)series->elapsed_ns[point] / (last_ns + 1);

    return (int)(place * width);
}

void
closing_sparkline(struct strbuf *out, const struct run_series *series,
                  bool is_cpu, int most)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄",
                                         "▅", "▆", "▇", "█"};
    const double *values = is_cpu ? series->cpu_percent : series->rss_bytes;
    int width = most < SPARKLINE_WIDTH ? most : SPARKLINE_WIDTH;
    double largest = 0;
    double value = 0;
    size_t at = 0;

    for (size_t i = 0; i < series->count; i++)
        largest = values[i] > largest ? values[i] : largest;
    if (series->count < SPARKLINE_LEAST_ROWS || width < SPARKLINE_LEAST_ROWS ||
        !(largest > 0))
        return;
    if (series->count < (size_t)width)
        width = (int)series->count;
    for (int i = 0; i < width; i++) {
        double before = value;
        bool is_empty = true;

        for (; at < series->count && column_of(series, at, width) <= i; at++) {
            value = is_empty || values[at] > value ? values[at] : value;
            is_empty = false;
        }
        value = is_empty ? before : value;
        strbuf_puts(out, blocks[num_to_int(value / largest * 7 + 0.5, 7)]);
    }
}

void
closing_replace_signs(struct strbuf *out)
{
    static const char *const signs[][2] = {{"\xC2\xB5s", "us"},
                                           {" \xC3\x97 ", " x "}};

    for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
        size_t size = strlen(signs[i][0]);
        size_t less = size - strlen(signs[i][1]);
        char *at = out->text;

        while (at != NULL && (at = strstr(at, signs[i][0])) != NULL) {
            memcpy(at, signs[i][1], size - less);
            at += size - less;
            memmove(at, at + less, strlen(at + less) + 1);
            out->size -= less;
        }
    }
}
