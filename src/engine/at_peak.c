/* SPDX-License-Identifier: MIT */
/* Keeps the largest members of the largest row. */
#include "engine/at_peak.h"

#include <string.h>

#include "base/num.h"
#include "base/strbuf.h"
#include "host/command_name.h"

static const int64_t name_every_ns = NUM_NS_PER_S;

static size_t
append(char *command, size_t size, size_t used, const char *text)
{
    size_t length = strlen(text);

    if (used > 0 && used + 1 < size)
        command[used++] = ' ';
    if (length > size - 1 - used)
        length = size - 1 - used;
    memcpy(command + used, text, length);
    command[used + length] = '\0';
    return used + length;
}

void
at_peak_command(char *cmdline, size_t length, bool whole, char *command,
                size_t size)
{
    enum { ROOM = 512 };
    char *argv[ROOM];
    STRBUF_AUTO label = {0};
    size_t used = 0;

    command[0] = '\0';
    if (command_split(cmdline, length, argv, ROOM) == 0)
        return;
    if (!whole)
        command_label(&label, argv);
    if (!whole)
        append(command, size, 0, strbuf_text(&label));
    for (char **at = argv; whole && *at != NULL; at++)
        used = append(command, size, used, *at);
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
