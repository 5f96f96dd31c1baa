/* SPDX-License-Identifier: MIT */
/* Keeps the largest members of the largest row. */
#include "engine/at_peak.h"

#include <string.h>

#include "base/num.h"

static const int64_t name_every_ns = NUM_NS_PER_S;

/* The next argument; NULL behind the last. */
static const char *
next_argument(const char *argument, const char *end)
{
    const char *next = argument + strnlen(argument, (size_t)(end - argument));

    return next + 1 < end ? next + 1 : NULL;
}

static size_t
append(char *command, size_t size, size_t used, const char *text,
       const char *end)
{
    size_t length = strnlen(text, (size_t)(end - text));

    if (used > 0 && used + 1 < size)
        command[used++] = ' ';
    if (length > size - 1 - used)
        length = size - 1 - used;
    memcpy(command + used, text, length);
    command[used + length] = '\0';
    return used + length;
}

/* A script on the command line, rather than the name of something. */
static bool
has_blank(const char *argument, const char *end)
{
    for (; argument < end && *argument != '\0'; argument++)
        if (*argument == ' ' || *argument == '\n' || *argument == '\t')
            return true;
    return false;
}

static const char *
base_of(const char *argument, const char *end)
{
    const char *base = argument;

    for (const char *at = argument; at < end && *at != '\0'; at++)
        if (*at == '/' && at + 1 < end && at[1] != '\0')
            base = at + 1;
    return base;
}

void
at_peak_command(const char *cmdline, size_t length, bool whole, char *command,
                size_t size)
{
    const char *end = cmdline + length;
    const char *argument = length > 0 ? cmdline : NULL;
    size_t used = 0;

    command[0] = '\0';
    if (argument == NULL)
        return;
    used = append(command, size, used,
                  whole ? argument : base_of(argument, end), end);
    while ((argument = next_argument(argument, end)) != NULL) {
        if (!whole && *argument == '-')
            continue;
        if (!whole && has_blank(argument, end))
            return;
        used = append(command, size, used, argument, end);
        if (!whole)
            return;
    }
}

void
at_peak_arguments(char *const *argv, char *shown[3])
{
    const char *end = argv[0] + strlen(argv[0]);
    int count = 0;

    shown[count++] = argv[0] + (base_of(argv[0], end) - argv[0]);
    for (argv++; *argv != NULL && **argv == '-'; argv++)
        ;
    if (*argv != NULL && !has_blank(*argv, *argv + strlen(*argv)))
        shown[count++] = *argv;
    shown[count] = NULL;
}

static void
read_command(const struct at_peak *at_peak, struct sampler *sampler,
             struct member *member, struct at_peak_process *process)
{
    char text[PROC_TEXT_SIZE];
    ssize_t got = sampler->source->read(sampler->source, &member->handle,
                                        PROC_CMDLINE, text, sizeof(text));

    if (got > 0)
        at_peak_command(text, (size_t)got, at_peak->whole_commands,
                        process->command, sizeof(process->command));
}

/* Reads the name; true when it is another one than before. */
static bool
read_name(struct sampler *sampler, struct member *member,
          struct at_peak_process *process)
{
    char text[PROC_TEXT_SIZE];
    struct proc_stat stat;
    bool changed;

    process->named_at_ns = sampler->now_ns;
    process->named_rss_bytes = process->rss_bytes;
    if (sampler->source->read(sampler->source, &member->handle, PROC_STAT, text,
                              sizeof(text)) <= 0 ||
        proc_parse_stat(text, &stat) < 0)
        return false;
    changed = strcmp(process->name, stat.name) != 0;
    memcpy(process->name, stat.name, sizeof(process->name));
    return changed;
}

/* Whether a process of such a size may be the one that was looked at. */
static bool
is_alike(int64_t rss_bytes, int64_t named_rss_bytes)
{
    return rss_bytes <= named_rss_bytes / 4 * 5 &&
           rss_bytes >= named_rss_bytes / 5 * 4;
}

static const struct at_peak_process *
find(const struct at_peak *at_peak, const struct member *member)
{
    for (int i = 0; i < at_peak->count; i++)
        if (at_peak->list[i].pid == member->handle.pid &&
            at_peak->list[i].start_ticks == member->start_ticks)
            return &at_peak->list[i];
    return NULL;
}

/* The names of one who stood here before, or those that are read. */
static void
name_process(const struct at_peak *before, struct sampler *sampler,
             struct member *member, struct at_peak_process *process)
{
    const struct at_peak_process *known = find(before, member);
    bool may_be_another = true;

    if (known != NULL) {
        may_be_another = !is_alike(process->rss_bytes, known->named_rss_bytes);
        memcpy(process->name, known->name, sizeof(process->name));
        memcpy(process->command, known->command, sizeof(process->command));
        process->named_at_ns = known->named_at_ns;
        process->named_rss_bytes = known->named_rss_bytes;
        if (sampler->now_ns - known->named_at_ns < name_every_ns &&
            !may_be_another)
            return;
    }
    /* A wrapper script and what it executes may have the same name. */
    if (read_name(sampler, member, process) || may_be_another)
        read_command(before, sampler, member, process);
}

/* The largest counted members, largest first. */
static int
find_largest(struct sampler *sampler, struct member **largest)
{
    int count = 0;

    for (size_t i = 0; i < sampler->tree.count; i++) {
        struct member *member = sampler->tree.list[i];
        int at;

        if (!sampler_is_counted(member) ||
            (count == AT_PEAK_MOST &&
             member->rss_bytes <= largest[count - 1]->rss_bytes))
            continue;
        at = count < AT_PEAK_MOST ? count++ : count - 1;
        for (; at > 0 && largest[at - 1]->rss_bytes < member->rss_bytes; at--)
            largest[at] = largest[at - 1];
        largest[at] = member;
    }
    return count;
}

static void
count_others(struct at_peak *at_peak, struct sampler *sampler)
{
    at_peak->others = -at_peak->count;
    at_peak->others_rss_bytes = 0;
    for (size_t i = 0; i < sampler->tree.count; i++)
        if (sampler_is_counted(sampler->tree.list[i])) {
            at_peak->others++;
            at_peak->others_rss_bytes += sampler->tree.list[i]->rss_bytes;
        }
    for (int i = 0; i < at_peak->count; i++)
        at_peak->others_rss_bytes -= at_peak->list[i].rss_bytes;
}

void
at_peak_take(struct at_peak *at_peak, struct sampler *sampler)
{
    struct member *largest[AT_PEAK_MOST];
    struct at_peak before = *at_peak;
    int64_t tick_ns = NUM_NS_PER_S / sampler->source->ticks_per_s;

    at_peak->count = find_largest(sampler, largest);
    for (int i = 0; i < at_peak->count; i++) {
        struct at_peak_process *process = &at_peak->list[i];

        *process = (struct at_peak_process){
            .pid = largest[i]->handle.pid,
            .start_ticks = largest[i]->start_ticks,
            .rss_bytes = largest[i]->rss_bytes,
            .age_ns = num_max(
                0, sampler->boot_ns -
                       num_mul((int64_t)largest[i]->start_ticks, tick_ns))};
        name_process(&before, sampler, largest[i], process);
    }
    count_others(at_peak, sampler);
}
