/* SPDX-License-Identifier: MIT */
/* Compares the members of a pass with their last rows. */
#include "engine/tracks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "engine/at_peak.h"
#include "engine/reads.h"

/*
 * The time of a running thread is posted only every few ms, so CPU over less
 * time means nothing.  As in the window of CPU %, see cpu_window.c.
 */
static const int64_t least_span_ns = 75 * NUM_NS_PER_MS;

void
tracks_init(struct tracks *tracks)
{
    *tracks =
        (struct tracks){.tick_ns = NUM_UNKNOWN, .written_ns = NUM_UNKNOWN};
}

static void
free_one(struct track *track)
{
    if (track == NULL)
        return;
    free(track->command);
    free(track);
}

void
tracks_keep(struct track_list *list, struct track *track, int64_t clock_ns)
{
    if (track == NULL)
        return;
    track->ended_clock_ns = clock_ns;
    if (array_grow(&list->list, list->count, &list->allocated,
                   sizeof(struct track *)) < 0)
        free_one(track);
    else
        list->list[list->count++] = track;
}

void
tracks_forget(struct track_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_one(list->list[i]);
    free(list->list);
    *list = (struct track_list){0};
}

void
tracks_done(struct tracks *tracks)
{
    tracks_forget(&tracks->spent);
    free(tracks->now);
    free(tracks->before);
    free(tracks->fresh);
    tracks_init(tracks);
}

/* ---- commands ---- */

/* Whether it may run another program than when its command was read. */
static bool
needs_command(const struct track *track, const struct member *member)
{
    return track->command == NULL ||
           (!member->is_zombie && (track->is_copy != member->is_copy ||
                                   track->text_pages != member->text_pages));
}

/* Reads the command from cmdline, or from stat if cmdline is empty. */
static void
read_command(const struct tracks *tracks, struct sampler *sampler,
             struct member *member, char command[AT_PEAK_COMMAND_SIZE])
{
    char text[PROC_TEXT_SIZE];
    struct proc_stat stat;
    ssize_t got = sampler->source->read(sampler->source, &member->handle,
                                        PROC_CMDLINE, text, sizeof(text));

    command[0] = '\0';
    if (got > 0)
        at_peak_command(text, (size_t)got, tracks->whole_commands, command,
                        AT_PEAK_COMMAND_SIZE);
    if (command[0] == '\0' && reads_stat(sampler, member, &stat))
        memcpy(command, stat.name, sizeof(stat.name));
}

/* Whether the process has another command than before. */
static bool
update_command(const struct tracks *tracks, struct sampler *sampler,
               struct member *member, struct track *track)
{
    char command[AT_PEAK_COMMAND_SIZE];
    char *copy;

    if (!needs_command(track, member))
        return false;
    track->is_copy = member->is_copy;
    track->text_pages = member->text_pages;
    read_command(tracks, sampler, member, command);
    if (track->command != NULL &&
        (command[0] == '\0' || strcmp(command, track->command) == 0))
        return false;
    copy = strdup(command);
    if (copy == NULL)
        return false;
    free(track->command);
    track->command = copy;
    return true;
}

/* ---- rows ---- */

static int64_t
parent_of(const struct tracks *tracks, const struct sampler *sampler,
          const struct member *member)
{
    if (member->parent != NULL)
        return member->parent->handle.pid;
    return tracks->is_attached ? NUM_UNKNOWN : sampler->tree.self;
}

static struct process_row
row_of(const struct track *track, int64_t elapsed_ns, double cpu_percent)
{
    return (struct process_row){
        .elapsed_ns = elapsed_ns,
        .pid = track->pid,
        .ppid = track->ppid,
        .command = track->command != NULL ? track->command : "",
        .cpu_percent = cpu_percent,
        .rss_bytes = track->rss_bytes,
        .shared_bytes = track->shared_bytes};
}

static double
percent_of(int64_t used_ns, int64_t span_ns)
{
    return span_ns > 0 && used_ns > 0
               ? 100.0 * (double)used_ns / (double)span_ns
               : 0;
}

static int
push_before(struct tracks *tracks, const struct process_row *row)
{
    if (array_grow(&tracks->before, tracks->before_count,
                   &tracks->before_allocated, sizeof(*row)) < 0)
        return -ENOMEM;
    tracks->before[tracks->before_count++] = *row;
    return 0;
}

static int
push_now(struct tracks *tracks, const struct process_row *row)
{
    if (array_grow(&tracks->now, tracks->now_count, &tracks->now_allocated,
                   sizeof(*row)) < 0)
        return -ENOMEM;
    tracks->now[tracks->now_count++] = *row;
    return 0;
}

/* It ran after some idle ticks, which end at the last tick. */
static int
end_idle_time(struct tracks *tracks, struct track *track, int64_t clock_ns)
{
    int64_t span_ns = tracks->tick_ns - track->cpu_at_ns;
    struct process_row row;

    if (clock_ns == track->seen_clock_ns || span_ns < least_span_ns)
        return 0;
    row = row_of(track, tracks->tick_ns,
                 percent_of(track->seen_clock_ns - track->clock_ns, span_ns));
    track->clock_ns = track->seen_clock_ns;
    track->cpu_at_ns = tracks->tick_ns;
    return push_before(tracks, &row);
}

/* The first row: its use so far counts since the last tick. */
static int
push_first(struct tracks *tracks, struct track *track, int64_t elapsed_ns,
           int64_t clock_ns)
{
    struct process_row row = row_of(track, elapsed_ns, 0);
    struct fresh_row fresh = {tracks->now_count, clock_ns - track->clock_ns};

    if (array_grow(&tracks->fresh, tracks->fresh_count,
                   &tracks->fresh_allocated, sizeof(fresh)) < 0)
        return -ENOMEM;
    /* At the beginning no time has passed: it counts in the next row. */
    if (tracks->tick_ns != NUM_UNKNOWN) {
        tracks->fresh[tracks->fresh_count++] = fresh;
        track->clock_ns = clock_ns;
    }
    track->has_row = true;
    track->cpu_at_ns = elapsed_ns;
    return push_now(tracks, &row);
}

/* A later row, if something has changed. */
static int
push_next(struct tracks *tracks, struct track *track,
          const struct process_row *sizes, int64_t clock_ns, bool must)
{
    int64_t elapsed_ns = sizes->elapsed_ns;
    int64_t span_ns = elapsed_ns - track->cpu_at_ns;
    bool has_span = span_ns >= least_span_ns || track->has_ended;
    bool is_changed = must || sizes->rss_bytes != track->rss_bytes ||
                      sizes->shared_bytes != track->shared_bytes ||
                      (has_span && clock_ns != track->clock_ns);
    struct process_row row;
    int rc;

    if (!is_changed)
        return 0;
    rc = end_idle_time(tracks, track, clock_ns);
    span_ns = elapsed_ns - track->cpu_at_ns;
    track->rss_bytes = sizes->rss_bytes;
    track->shared_bytes = sizes->shared_bytes;
    row =
        row_of(track, elapsed_ns,
               has_span ? percent_of(clock_ns - track->clock_ns, span_ns) : -1);
    if (has_span) {
        track->clock_ns = clock_ns;
        track->cpu_at_ns = elapsed_ns;
    }
    return rc < 0 ? rc : push_now(tracks, &row);
}

/* The last row of an ended process. */
static int
push_last(struct tracks *tracks, struct track *track, int64_t elapsed_ns)
{
    struct process_row sizes = {.elapsed_ns = elapsed_ns};

    if (!track->has_row || track->has_ended)
        return 0;
    track->has_ended = true;
    return push_next(tracks, track, &sizes, track->ended_clock_ns, true);
}

static struct track *
new_track(const struct tracks *tracks, const struct sampler *sampler,
          struct member *member)
{
    struct track *track = calloc(1, sizeof(*track));

    if (track == NULL)
        return NULL;
    track->pid = member->handle.pid;
    if (tracks->tick_ns == NUM_UNKNOWN && tracks->is_attached)
        track->clock_ns = member->clock_ns;
    else if (tracks->tick_ns == NUM_UNKNOWN && member == sampler->root)
        track->clock_ns = tracks->base_clock_ns;
    member->track = track;
    return track;
}

/* Adds the rows of a member, if any. */
static int
take_member(struct tracks *tracks, struct sampler *sampler,
            struct member *member, int64_t elapsed_ns)
{
    struct track *track = member->track;
    bool has_sizes = sampler_is_counted(member) && !member->is_unreadable;
    struct process_row sizes = {
        .elapsed_ns = elapsed_ns,
        .rss_bytes = has_sizes ? member->rss_bytes : NUM_UNKNOWN,
        .shared_bytes = has_sizes ? member->shared_bytes : NUM_UNKNOWN};
    bool has_new_name;
    int rc;

    if (track == NULL)
        track = new_track(tracks, sampler, member);
    if (track == NULL)
        return -ENOMEM;
    if (track->has_ended)
        return 0;
    if (member->is_zombie)
        sizes.rss_bytes = sizes.shared_bytes = 0;
    track->ppid = parent_of(tracks, sampler, member);
    has_new_name = update_command(tracks, sampler, member, track);
    track->has_ended = member->is_zombie;
    if (track->has_row) {
        rc = push_next(tracks, track, &sizes, member->clock_ns,
                       has_new_name || track->has_ended);
    } else {
        track->rss_bytes = sizes.rss_bytes;
        track->shared_bytes = sizes.shared_bytes;
        rc = push_first(tracks, track, elapsed_ns, member->clock_ns);
    }
    track->seen_clock_ns = member->clock_ns;
    /* CPU time that is in no row yet is written when it spans long enough. */
    member->is_changed = member->clock_ns != track->clock_ns;
    return rc;
}

/*
 * Whether a member may have a row.  Most members of a large tree rest, and
 * only the first cache line of those is read.
 */
static bool
may_have_changed(const struct member *member)
{
    return !member->is_foreign && !member->is_gone &&
           (member->is_changed || member->is_copy || member->is_zombie);
}

/* Adds the rows of processes that ended since the last tick. */
static int
take_ended(struct tracks *tracks, struct tree *tree, int64_t elapsed_ns)
{
    int rc = 0;

    tracks_forget(&tracks->spent);
    tracks->spent = tree->ended_tracks;
    tree->ended_tracks = (struct track_list){0};
    for (size_t i = 0; i < tracks->spent.count && rc == 0; i++)
        rc = push_last(tracks, tracks->spent.list[i], elapsed_ns);
    return rc;
}

/* Fills the CPU of first rows, and puts all rows in the order of time. */
static int
join(struct tracks *tracks)
{
    int64_t from_ns =
        tracks->before_count > 0 ? tracks->tick_ns : tracks->written_ns;
    int rc = 0;

    for (size_t i = 0; i < tracks->fresh_count; i++) {
        struct process_row *row = &tracks->now[tracks->fresh[i].at];

        row->cpu_percent =
            percent_of(tracks->fresh[i].clock_ns, row->elapsed_ns - from_ns);
    }
    for (size_t i = 0; i < tracks->now_count && rc == 0; i++)
        rc = push_before(tracks, &tracks->now[i]);
    tracks->rows = tracks->before;
    tracks->count = tracks->before_count;
    if (tracks->count > 0)
        tracks->written_ns = tracks->rows[tracks->count - 1].elapsed_ns;
    return rc;
}

int
tracks_take(struct tracks *tracks, struct sampler *sampler, int64_t elapsed_ns)
{
    struct tree *tree = &sampler->tree;
    int rc;

    tracks->now_count = tracks->before_count = tracks->fresh_count = 0;
    rc = take_ended(tracks, tree, elapsed_ns);
    for (size_t i = 0; i < tree->count && rc == 0; i++)
        if (may_have_changed(tree->list[i]))
            rc = take_member(tracks, sampler, tree->list[i], elapsed_ns);
    if (rc == 0)
        rc = join(tracks);
    tracks->tick_ns = elapsed_ns;
    return rc;
}

int
tracks_first_row(struct tracks *tracks, struct sampler *sampler,
                 int64_t rss_bytes, int64_t clock_ns)
{
    struct track *track = calloc(1, sizeof(*track));
    struct process_row row;

    if (track == NULL)
        return -ENOMEM;
    *track = (struct track){
        .pid = tracks->root,
        .ppid = sampler->tree.self,
        .rss_bytes = rss_bytes,
        .shared_bytes = NUM_UNKNOWN,
        .has_row = true,
        .command =
            strdup(tracks->root_command != NULL ? tracks->root_command : "")};
    row = row_of(track, 0, 0);
    tracks->now_count = tracks->before_count = tracks->fresh_count = 0;
    tracks_keep(&sampler->tree.ended_tracks, track, clock_ns);
    return push_now(tracks, &row) < 0 || join(tracks) < 0 ? -ENOMEM : 0;
}
