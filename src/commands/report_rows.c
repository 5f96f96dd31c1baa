/* SPDX-License-Identifier: MIT */
/* Resource rows and profiles for pmon report. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "base/num.h"
#include "commands/report_state.h"
#include "formats/profile_csv.h"
#include "formats/resource_rows.h"

/* One process of a file of resource rows. */
struct watched {
    char *command;
    double running_since_s;
    int64_t pid;     /* NUM_UNKNOWN: the rows have none */
    bool is_several; /* CPU time fell: these are rows of several processes */
    int64_t rows;
    int64_t first_ns;
    int64_t last_ns;
    double first_cpu_s;
    double cpu_s;
    double memory_percent; /* of the last row */
    double memory_max;
    double memory_area; /* percent × ns, each until the next row */
    size_t next;        /* index + 1 of the next one in the slot; 0: none */
};

/* Months of rows have many processes, so they are found by hash. */
struct watched_list {
    struct watched *list;
    size_t count;
    size_t allocated;
    size_t *slots; /* index + 1 of the last one in each slot; 0: none */
    size_t slot_count;
};

/* Whether two times are equal; both come from the same text. */
static bool
is_same_time(double a, double b)
{
    return a - b < 0.001 && b - a < 0.001;
}

/* Hashes the command and the hundredth of a second of the start. */
static size_t
hash_of(const char *command, double running_since_s, int64_t pid)
{
    uint64_t hash =
        (uint64_t)num_from_double(running_since_s * 100) ^ (uint64_t)pid << 32;

    for (; *command != '\0'; command++)
        hash = (hash ^ (unsigned char)*command) * 0x100000001b3; /* FNV-1a */
    return (size_t)(hash ^ hash >> 32);
}

static size_t *
slot_of(const struct watched_list *all, const char *command,
        double running_since_s, int64_t pid)
{
    return &all->slots[hash_of(command, running_since_s, pid) %
                       all->slot_count];
}

static int
grow(struct watched_list *all)
{
    size_t *slots;

    if (array_grow(&all->list, all->count, &all->allocated,
                   sizeof(*all->list)) < 0)
        return -ENOMEM;
    if (all->slot_count == all->allocated)
        return 0;
    slots = calloc(all->allocated, sizeof(*slots));
    if (slots == NULL)
        return -ENOMEM;
    free(all->slots);
    all->slots = slots;
    all->slot_count = all->allocated;
    for (size_t i = 0; i < all->count; i++) {
        struct watched *one = &all->list[i];
        size_t *slot =
            slot_of(all, one->command, one->running_since_s, one->pid);

        one->next = *slot;
        *slot = i + 1;
    }
    return 0;
}

static struct watched *
find_watched(struct watched_list *all, const struct resource_row *row)
{
    int64_t pid = row->is_extended ? row->pid : NUM_UNKNOWN;
    struct watched *one;
    size_t *slot;

    if (grow(all) < 0)
        return NULL;
    slot = slot_of(all, row->command, row->running_since_s, pid);
    for (size_t at = *slot; at > 0; at = one->next) {
        one = &all->list[at - 1];
        if (one->pid == pid &&
            is_same_time(one->running_since_s, row->running_since_s) &&
            strcmp(one->command, row->command) == 0)
            return one;
    }
    one = &all->list[all->count];
    *one = (struct watched){.command = strdup(row->command),
                            .running_since_s = row->running_since_s,
                            .pid = pid,
                            .first_ns = row->query_ns,
                            .last_ns = row->query_ns,
                            .first_cpu_s = row->user_s + row->system_s,
                            .next = *slot};
    if (one->command == NULL)
        return NULL;
    *slot = ++all->count;
    return one;
}

static int
take_resource(struct watched_list *all, const struct resource_row *row)
{
    struct watched *one = find_watched(all, row);

    if (one == NULL)
        return -ENOMEM;
    if (row->query_ns > one->last_ns) {
        one->memory_area +=
            one->memory_percent * (double)(row->query_ns - one->last_ns);
        one->last_ns = row->query_ns;
    }
    one->rows++;
    if (row->user_s + row->system_s < one->cpu_s)
        one->is_several = true;
    one->cpu_s = row->user_s + row->system_s;
    one->memory_percent = row->memory_percent;
    one->memory_max = num_max_double(one->memory_max, row->memory_percent);
    return 0;
}

static void
add_processes(struct report *report, const char *path, struct watched_list *all)
{
    int64_t several = 0;
    struct sheet *sheet = &report->sheets[REPORT_PROCESSES];

    for (size_t i = 0; i < all->count; i++) {
        struct watched *one = &all->list[i];
        double span_ns = (double)(one->last_ns - one->first_ns);
        bool has_span = span_ns > 0;
        bool has_cpu = has_span && !one->is_several;

        sheet_text(sheet, one->command);
        sheet_number(sheet, one->running_since_s);
        sheet_number(sheet, (double)one->rows);
        sheet_number(sheet, span_ns / 1e9);
        sheet_number(sheet, one->is_several ? (double)NAN : one->cpu_s);
        sheet_number(sheet,
                     has_cpu ? (one->cpu_s - one->first_cpu_s) * 1e11 / span_ns
                             : (double)NAN);
        sheet_number(sheet,
                     has_span ? one->memory_area / span_ns : (double)NAN);
        sheet_number(sheet, one->memory_max);
        sheet_number(sheet,
                     one->pid != NUM_UNKNOWN ? (double)one->pid : (double)NAN);
        several += one->is_several ? 1 : 0;
        free(one->command);
    }
    free(all->list);
    free(all->slots);
    if (several > 0)
        message_print("%s: CPU time unknown for %lld command%s: several "
                      "processes have the same command and start; pmon watch "
                      "--extended writes their pids",
                      path, (long long)several, several == 1 ? "" : "s");
}

int
report_read_resources(struct report *report, const char *path,
                      struct error *error)
{
    struct resource_reader reader;
    struct resource_row row;
    struct watched_list all = {0};
    int rc = resource_reader_open(&reader, path, &report->bad, error);

    if (rc < 0)
        return rc;
    while ((rc = resource_reader_next(&reader, &row, error)) == 0) {
        rc = take_resource(&all, &row);
        if (rc < 0)
            break;
    }
    resource_reader_close(&reader);
    if (rc == 1 && all.count == 0)
        rc = error_set(error, -EINVAL, "%s: has no rows", path);
    add_processes(report, path, &all);
    return rc < 0 ? rc : 0;
}

enum { TOP = 10 };

/* The functions of a profile with the most cumulative time, of TOP at most. */
struct top {
    struct profile_function list[TOP];
    size_t count;
};

static int
take_function(struct top *top, const struct profile_function *function)
{
    size_t at = top->count;
    char *name;

    while (at > 0 && top->list[at - 1].cumulative_s < function->cumulative_s)
        at--;
    if (at == TOP)
        return 0;
    name = strdup(function->name);
    if (name == NULL)
        return -ENOMEM;
    if (top->count == TOP)
        free((void *)(uintptr_t)top->list[--top->count].name);
    memmove(top->list + at + 1, top->list + at,
            (top->count - at) * sizeof(*function));
    top->list[at] = *function;
    top->list[at].name = name;
    top->count++;
    return 0;
}

static void
add_functions(struct report *report, const char *path, struct top *top)
{
    struct sheet *sheet = &report->sheets[REPORT_FUNCTIONS];

    for (size_t i = 0; i < top->count; i++) {
        sheet_text(sheet, top->list[i].name);
        sheet_text(sheet, path);
        sheet_number(sheet, (double)top->list[i].calls);
        sheet_number(sheet, (double)top->list[i].primitive_calls);
        sheet_number(sheet, top->list[i].total_s);
        sheet_number(sheet, top->list[i].cumulative_s);
        free((void *)(uintptr_t)top->list[i].name);
    }
}

static void
add_peak(struct report *report, const char *path,
         const struct psrecord_row *peak)
{
    struct sheet *sheet = &report->sheets[REPORT_PEAKS];

    sheet_text(sheet, path);
    sheet_number(sheet, peak->elapsed_s);
    sheet_number(sheet, peak->cpu_percent);
    sheet_number(sheet,
                 sheet_value(UNIT_BYTES,
                             num_from_double(peak->rss_mib * (double)NUM_MIB)));
    sheet_text(sheet, "at least");
    sheet_number(sheet,
                 sheet_value(UNIT_BYTES,
                             num_from_double(peak->vms_mib * (double)NUM_MIB)));
}

int
report_read_profile(struct report *report, const char *path,
                    struct error *error)
{
    struct profile_reader reader;
    struct profile_function function;
    struct psrecord_row peak;
    struct top top = {0};
    enum profile_line kind;
    bool is_empty = true;
    int rc = profile_reader_open(&reader, path, &report->bad, error);

    while (rc == 0) {
        rc = profile_reader_next(&reader, &kind, &function, &peak, error);
        if (rc != 0)
            break;
        is_empty = false;
        if (kind == PROFILE_PEAK)
            add_peak(report, path, &peak);
        else
            rc = take_function(&top, &function);
    }
    profile_reader_close(&reader);
    add_functions(report, path, &top);
    if (rc == 1 && is_empty)
        return error_set(error, -EINVAL,
                         "%s: contains neither functions nor a peak", path);
    return rc < 0 ? rc : 0;
}
