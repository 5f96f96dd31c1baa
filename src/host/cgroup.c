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

bool
cgroup_climb(char *path, const char *mount)
{
    char *slash = strrchr(path, '/');

    if (strcmp(path, mount) == 0 || slash == NULL || slash == path)
        return false;
    *slash = '\0';
    return true;
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
