/* SPDX-License-Identifier: MIT */
/* Reads memory limits, room and OOM kills from a group up to its mount. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "host/cgroup.h"
#include "host/cgroup_file.h"

/* Version 1 shows this for no limit: LONG_MAX in whole pages. */
static const int64_t no_limit = INT64_MAX / 65536 * 65536 - 65536;

static int64_t
smaller_known(int64_t one, int64_t other)
{
    if (one == NUM_UNKNOWN || (other != NUM_UNKNOWN && other < one))
        return other;
    return one;
}

/* The files of a version with the memory figures of a group. */
struct memory_files {
    const char *limit;
    const char *usage;
    const char *inactive; /* the key in memory.stat */
};

static const struct memory_files unified = {"memory.max", "memory.current",
                                            "inactive_file"};
static const struct memory_files old = {
    "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

/* A figure of one group; NUM_UNKNOWN where it has no limit. */
typedef int64_t figure_of(const char *folder, const struct memory_files *files);

static int64_t
limit_of(const char *folder, const struct memory_files *files)
{
    int64_t limit = cgroup_file_number(folder, files->limit);

    return limit >= no_limit ? NUM_UNKNOWN : limit;
}

static int64_t
room_of(const char *folder, const struct memory_files *files)
{
    int64_t limit = limit_of(folder, files);
    int64_t usage;
    int64_t inactive;

    if (limit == NUM_UNKNOWN)
        return NUM_UNKNOWN;
    usage = cgroup_file_number(folder, files->usage);
    if (usage == NUM_UNKNOWN)
        return NUM_UNKNOWN;
    inactive = cgroup_file_keyed(folder, "memory.stat", files->inactive);
    return num_max(limit - usage + num_max(inactive, 0), 0);
}

/* The smallest from folder up to the mount's own folder. */
static int64_t
smallest_above(const char *folder, const char *mount,
               const struct memory_files *files, figure_of *figure)
{
    FREE_AUTO char *path = folder != NULL ? strdup(folder) : NULL;
    int64_t smallest = NUM_UNKNOWN;

    if (path == NULL)
        return NUM_UNKNOWN;
    do
        smallest = smaller_known(smallest, figure(path, files));
    while (cgroup_climb(path, mount));
    return smallest;
}

static int64_t
smallest_of(const struct cgroup_place *place, figure_of *figure)
{
    return smaller_known(
        smallest_above(place->unified, place->unified_mount, &unified, figure),
        smallest_above(place->memory, place->memory_mount, &old, figure));
}

int64_t
cgroup_memory_limit(const struct cgroup_place *place)
{
    return smallest_of(place, limit_of);
}

int64_t
cgroup_memory_room(const struct cgroup_place *place)
{
    return smallest_of(place, room_of);
}

/*
 * The count behind oom_kill in the nearest file from folder up: a kill counts
 * for the group that memory is charged to, and in version 2 for all above.
 */
static int64_t
nearest_kills(const char *folder, const char *mount, const char *file)
{
    FREE_AUTO char *path = strdup(folder);
    int64_t kills;

    if (path == NULL)
        return NUM_UNKNOWN;
    do
        kills = cgroup_file_keyed(path, file, "oom_kill");
    while (kills == NUM_UNKNOWN && mount != NULL && cgroup_climb(path, mount));
    return kills;
}

int64_t
cgroup_oom_kills(const struct cgroup_place *place)
{
    int64_t kills = NUM_UNKNOWN;

    if (place->unified != NULL)
        kills = nearest_kills(place->unified, place->unified_mount,
                              "memory.events");
    if (kills == NUM_UNKNOWN && place->memory != NULL)
        kills = nearest_kills(place->memory, place->memory_mount,
                              "memory.oom_control");
    return kills;
}
