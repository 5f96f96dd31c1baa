/* SPDX-License-Identifier: MIT */
/* Finds and reads the control groups of a process; changes nothing. */
#include "host/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/num.h"
#include "host/cgroup_file.h"

/* One line of mountinfo, cut into what is needed. */
struct mount_line {
    char *root;  /* of the hierarchy, as this mount shows it */
    char *point; /* where it is mounted */
    char *type;
    char *options; /* of the super block */
};

/* 36 35 0:31 /root /point rw,nosuid shared:9 - cgroup cgroup rw,memory */
static bool
parse_mount(char *line, struct mount_line *ret_mount)
{
    enum { ROOT = 3, POINT = 4 };
    struct mount_line mount = {0};
    char *rest;
    char *word;
    int field = 0;

    for (word = strtok_r(line, " ", &rest);
         word != NULL && strcmp(word, "-") != 0;
         word = strtok_r(NULL, " ", &rest), field++) {
        if (field == ROOT)
            mount.root = word;
        else if (field == POINT)
            mount.point = word;
    }
    mount.type = strtok_r(NULL, " ", &rest);
    strtok_r(NULL, " ", &rest); /* the source */
    mount.options = strtok_r(NULL, " ", &rest);
    *ret_mount = mount;
    return mount.root != NULL && mount.point != NULL && mount.type != NULL &&
           mount.options != NULL;
}

/* Whether word stands in a list with commas, which a ':' ends as well. */
static bool
has_word(const char *list, const char *word)
{
    size_t size = strlen(word);

    for (;;) {
        size_t length = strcspn(list, ",:");

        if (length == size && strncmp(list, word, size) == 0)
            return true;
        if (list[length] != ',')
            return false;
        list += length + 1;
    }
}

/* Whether path is outside of this cgroup namespace: /../other.service */
static bool
is_outside(const char *path, size_t size)
{
    return size >= 3 && strncmp(path, "/..", 3) == 0 &&
           (size == 3 || path[3] == '/');
}

/*
 * The path of a process's group in one hierarchy, from /proc/PID/cgroup; an
 * empty controller means version 2.  The caller's to free; NULL for none.
 */
static char *
find_group(const char *groups, const char *controller)
{
    const char *line = groups;

    while (line != NULL && *line != '\0') {
        const char *list = strchr(line, ':');
        const char *path = list != NULL ? strchr(list + 1, ':') : NULL;
        size_t size;

        if (path == NULL)
            return NULL;
        if (controller[0] == '\0' ? path == list + 1 && line[0] == '0'
                                  : has_word(list + 1, controller)) {
            path++;
            size = strcspn(path, "\n");
            return is_outside(path, size) ? NULL : strndup(path, size);
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return NULL;
}

/* The folder of group below a mount that shows root; NULL for outside it. */
static char *
join(const struct mount_line *mount, const char *group)
{
    STRBUF_AUTO path = {0};
    size_t size = strcmp(mount->root, "/") == 0 ? 0 : strlen(mount->root);

    if (strncmp(group, mount->root, size) != 0 ||
        (group[size] != '/' && group[size] != '\0'))
        return NULL;
    strbuf_puts(&path, mount->point);
    if (strcmp(group + size, "/") != 0)
        strbuf_puts(&path, group + size);
    return strbuf_steal(&path);
}

/* The mount's own folder; a group without it is not known. */
static void
take_point(char **group, char **point, const struct mount_line *mount)
{
    if (*group == NULL)
        return;
    *point = strdup(mount->point);
    if (*point != NULL)
        return;
    free(*group);
    *group = NULL;
}

/* The group in that hierarchy, and where climbing from it ends. */
static void
take_group(char **group, char **point, const struct mount_line *mount,
           const char *groups, const char *controller)
{
    FREE_AUTO char *name = find_group(groups, controller);

    *group = name != NULL ? join(mount, name) : NULL;
    take_point(group, point, mount);
}

static void
take_mount(struct cgroup_place *place, const struct mount_line *mount,
           const char *groups)
{
    bool is_old = strcmp(mount->type, "cgroup") == 0;

    if (place->unified == NULL && strcmp(mount->type, "cgroup2") == 0)
        take_group(&place->unified, &place->unified_mount, mount, groups, "");
    if (is_old && place->memory == NULL && has_word(mount->options, "memory"))
        take_group(&place->memory, &place->memory_mount, mount, groups,
                   "memory");
    if (is_old && place->cpu == NULL && has_word(mount->options, "cpu"))
        take_group(&place->cpu, &place->cpu_mount, mount, groups, "cpu");
    if (is_old && place->cpuacct == NULL &&
        has_word(mount->options, "cpuacct")) {
        FREE_AUTO char *group = find_group(groups, "cpuacct");

        place->cpuacct = group != NULL ? join(mount, group) : NULL;
        place->cpuacct_with_cpu = has_word(mount->options, "cpu");
    }
}

int
cgroup_place_parse(struct cgroup_place *place, const char *groups,
                   const char *mountinfo)
{
    FREE_AUTO char *copy = strdup(mountinfo);
    struct mount_line mount;
    char *rest;

    *place = (struct cgroup_place){0};
    if (copy == NULL)
        return -ENOMEM;
    for (char *line = strtok_r(copy, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        if (parse_mount(line, &mount))
            take_mount(place, &mount, groups);
    return 0;
}

int
cgroup_place_init(struct cgroup_place *place, pid_t pid)
{
    STRBUF_AUTO groups = {0};
    STRBUF_AUTO mountinfo = {0};
    char folder[32] = "/proc/self";

    *place = (struct cgroup_place){0};
    if (pid != 0)
        snprintf(folder, sizeof(folder), "/proc/%d", (int)pid);
    if (cgroup_file_read_all(folder, "cgroup", &groups) < 0 ||
        cgroup_file_read_all("/proc/self", "mountinfo", &mountinfo) < 0)
        return -ENOENT;
    return cgroup_place_parse(place, strbuf_text(&groups),
                              strbuf_text(&mountinfo));
}

void
cgroup_place_done(struct cgroup_place *place)
{
    free(place->unified);
    free(place->unified_mount);
    free(place->memory);
    free(place->memory_mount);
    free(place->cpu);
    free(place->cpu_mount);
    free(place->cpuacct);
    *place = (struct cgroup_place){0};
}

bool
cgroup_place_exists(const struct cgroup_place *place)
{
    return (place->unified == NULL || access(place->unified, F_OK) == 0) &&
           (place->memory == NULL || access(place->memory, F_OK) == 0);
}

/* Version 1 shows this for no limit: LONG_MAX in whole pages. */
static const int64_t no_limit = INT64_MAX / 65536 * 65536 - 65536;

static int64_t
smaller_known(int64_t one, int64_t other)
{
    if (one == NUM_UNKNOWN || (other != NUM_UNKNOWN && other < one))
        return other;
    return one;
}

bool
cgroup_climb(char *path, const char *mount)
{
    char *slash = strrchr(path, '/');

    if (strcmp(path, mount) == 0 || slash == NULL || slash == path)
        return false;
    *slash = '\0';
    return true;
}

/* The smallest value of file from folder up to the mount's own folder. */
static int64_t
smallest_above(const char *folder, const char *mount, const char *file)
{
    FREE_AUTO char *path = folder != NULL ? strdup(folder) : NULL;
    int64_t smallest = NUM_UNKNOWN;

    if (path == NULL)
        return NUM_UNKNOWN;
    do
        smallest = smaller_known(smallest, cgroup_file_number(path, file));
    while (cgroup_climb(path, mount));
    return smallest;
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
cgroup_memory_limit(const struct cgroup_place *place)
{
    int64_t limit =
        smallest_above(place->unified, place->unified_mount, "memory.max");
    int64_t old = smallest_above(place->memory, place->memory_mount,
                                 "memory.limit_in_bytes");

    if (old >= no_limit)
        old = NUM_UNKNOWN;
    return smaller_known(limit, old);
}

/* The files of a version with the memory figures of a group. */
struct memory_files {
    const char *limit;
    const char *usage;
    const char *inactive; /* the key in memory.stat */
};

/* Room in one group; NUM_UNKNOWN where it has no limit. */
static int64_t
room_of(const char *folder, const struct memory_files *files)
{
    int64_t limit = cgroup_file_number(folder, files->limit);
    int64_t usage;
    int64_t inactive;

    if (limit == NUM_UNKNOWN || limit >= no_limit)
        return NUM_UNKNOWN;
    usage = cgroup_file_number(folder, files->usage);
    if (usage == NUM_UNKNOWN)
        return NUM_UNKNOWN;
    inactive = cgroup_file_keyed(folder, "memory.stat", files->inactive);
    return num_max(limit - usage + num_max(inactive, 0), 0);
}

static int64_t
smallest_room(const char *folder, const char *mount,
              const struct memory_files *files)
{
    FREE_AUTO char *path = folder != NULL ? strdup(folder) : NULL;
    int64_t smallest = NUM_UNKNOWN;

    if (path == NULL)
        return NUM_UNKNOWN;
    do
        smallest = smaller_known(smallest, room_of(path, files));
    while (cgroup_climb(path, mount));
    return smallest;
}

int64_t
cgroup_memory_room(const struct cgroup_place *place)
{
    static const struct memory_files unified = {"memory.max", "memory.current",
                                                "inactive_file"};
    static const struct memory_files old = {"memory.limit_in_bytes",
                                            "memory.usage_in_bytes",
                                            "total_inactive_file"};

    return smaller_known(
        smallest_room(place->unified, place->unified_mount, &unified),
        smallest_room(place->memory, place->memory_mount, &old));
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

/* Names that systemd gives to groups that are units. */
static bool
is_unit(const char *name)
{
    static const char *const types[] = {".service", ".scope", ".slice",
                                        ".socket",  ".mount", ".swap"};
    size_t size = strlen(name);

    for (size_t i = 0; i < ARRAY_SIZE(types); i++)
        if (size > strlen(types[i]) &&
            strcmp(name + size - strlen(types[i]), types[i]) == 0)
            return true;
    return false;
}

/* Older versions of systemd set the one that only root can read. */
static bool
has_delegate_mark(const char *folder)
{
    char value = '\0';

    return (getxattr(folder, "user.delegate", &value, 1) == 1 ||
            getxattr(folder, "trusted.delegate", &value, 1) == 1) &&
           value == '1';
}

bool
cgroup_is_delegated(const char *folder, const char *mount)
{
    FREE_AUTO char *path = strdup(folder);
    struct stat status;

    if (path == NULL || stat(folder, &status) < 0)
        return false;
    if (geteuid() != 0 && status.st_uid == geteuid())
        return true;
    do {
        const char *slash = strrchr(path, '/');

        if (has_delegate_mark(path))
            return true;
        if (strcmp(path, mount) != 0 && slash != NULL && is_unit(slash + 1))
            return false;
    } while (cgroup_climb(path, mount));
    /*
     * Without systemd, a container owns its group; the root group has no owner.
     */
    return strcmp(folder, mount) != 0 ||
           cgroup_file_exists(mount, "cgroup.type");
}
