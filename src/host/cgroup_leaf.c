/* SPDX-License-Identifier: MIT */
/* Creates, enters and removes the step's own control group. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/num.h"
#include "host/cgroup.h"
#include "host/cgroup_file.h"

static const char prefix[] = "pmon-";
static const char self_suffix[] = "-self";

/* The pmon that made a group, by its name; 0 for another's group. */
static pid_t
maker_of(const char *name)
{
    char digits[16];
    size_t size;
    int pid;

    if (strncmp(name, prefix, sizeof(prefix) - 1) != 0)
        return 0;
    name += sizeof(prefix) - 1;
    size = strcspn(name, "-");
    if (size >= sizeof(digits) ||
        (name[size] != '\0' && strcmp(name + size, self_suffix) != 0))
        return 0;
    memcpy(digits, name, size);
    digits[size] = '\0';
    return num_parse_pid(digits, &pid) == 0 ? pid : 0;
}

/* Removes empty groups of a pmon that was killed. */
static void
remove_stale(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    pid_t pid;

    if (dir == NULL)
        return;
    while ((entry = readdir(dir)) != NULL) {
        pid = maker_of(entry->d_name);
        if (pid > 0 && kill(pid, 0) < 0 && errno == ESRCH)
            unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
    }
    closedir(dir);
}

/* A new group in folder; NULL and a negative errno in *ret_rc. */
static char *
make_in(const char *folder, const char *suffix, int *ret_rc)
{
    STRBUF_AUTO path = {0};
    char *made;

    remove_stale(folder);
    strbuf_printf(&path, "%s/%s%d%s", folder, prefix, (int)getpid(), suffix);
    if (mkdir(strbuf_text(&path), 0755) < 0) {
        *ret_rc = -errno;
        return NULL;
    }
    made = strbuf_steal(&path);
    *ret_rc = made != NULL ? 0 : -ENOMEM;
    return made;
}

/* CPU through version 2 where possible, memory where there is a controller. */
static int
make_all(struct cgroup_leaf *leaf, const struct cgroup_place *place)
{
    int rc = -ENOENT;
    int unused;

    if (place->unified != NULL)
        leaf->unified = make_in(place->unified, "", &rc);
    if (place->memory != NULL) {
        leaf->memory = make_in(place->memory, "", &unused);
        rc = rc < 0 && leaf->memory == NULL ? unused : rc;
    }
    if (leaf->unified == NULL && place->cpuacct != NULL &&
        !place->cpuacct_with_cpu)
        leaf->cpuacct = make_in(place->cpuacct, "", &unused);
    if (leaf->unified == NULL && leaf->memory == NULL && leaf->cpuacct == NULL)
        return rc < 0 ? rc : -ENOENT;
    return 0;
}

/* Version 1 may not charge the parent groups, so the limit is copied. */
static void
copy_limit(const struct cgroup_leaf *leaf, const struct cgroup_place *place)
{
    int64_t limit = cgroup_memory_limit(place);

    if (limit != NUM_UNKNOWN && leaf->memory != NULL)
        cgroup_file_write(leaf->memory, "memory.limit_in_bytes", limit);
}

static int
open_cpu(const struct cgroup_leaf *leaf)
{
    STRBUF_AUTO path = {0};

    if (leaf->unified != NULL)
        strbuf_printf(&path, "%s/cpu.stat", leaf->unified);
    else if (leaf->cpuacct != NULL)
        strbuf_printf(&path, "%s/cpuacct.usage", leaf->cpuacct);
    else
        return -1;
    return open(strbuf_text(&path), O_RDONLY | O_CLOEXEC);
}

int
cgroup_leaf_init(struct cgroup_leaf *leaf, const struct cgroup_place *place,
                 struct error *error)
{
    int rc;

    *leaf = (struct cgroup_leaf){.cpu_fd = -1};
    if (place->unified == NULL && place->memory == NULL &&
        place->cpuacct == NULL)
        return error_set(error, -ENOENT, "no control groups are mounted here");
    rc = make_all(leaf, place);
    if (rc < 0)
        return error_set(error, rc, "no control group can be created in %s: %s",
                         place->unified != NULL  ? place->unified
                         : place->memory != NULL ? place->memory
                                                 : place->cpuacct,
                         error_name(rc));
    copy_limit(leaf, place);
    leaf->cpu_fd = open_cpu(leaf);
    return 0;
}

/* Whether word is one of those in folder/file, which have blanks between. */
static bool
lists(const char *folder, const char *file, const char *word)
{
    STRBUF_AUTO text = {0};
    char *rest;

    if (cgroup_file_read_all(folder, file, &text) < 0 || text.size == 0)
        return false;
    for (const char *at = strtok_r(text.text, " \n", &rest); at != NULL;
         at = strtok_r(NULL, " \n", &rest))
        if (strcmp(at, word) == 0)
            return true;
    return false;
}

/* Moves pmon back to home, which must then not control its children. */
static void
come_back(struct cgroup_leaf *leaf, const char *home)
{
    if (leaf->self == NULL)
        return;
    cgroup_file_write_text(home, "cgroup.subtree_control", "-memory");
    cgroup_file_write(home, "cgroup.procs", getpid());
    rmdir(leaf->self);
    free(leaf->self);
    leaf->self = NULL;
}

/* Empties the own group and enables memory for those below it. */
static int
enable_memory(struct cgroup_leaf *leaf, const char *home)
{
    int rc;

    leaf->self = make_in(home, self_suffix, &rc);
    if (leaf->self == NULL)
        return rc;
    rc = cgroup_file_write(leaf->self, "cgroup.procs", getpid());
    if (rc == 0)
        rc = cgroup_file_write_text(home, "cgroup.subtree_control", "+memory");
    if (rc < 0)
        come_back(leaf, home);
    return rc;
}

/* Enables charged memory for the group, or returns why it is unknown. */
static void
count_memory(struct cgroup_leaf *leaf, const struct cgroup_place *place)
{
    const char *home = place->unified;
    bool is_counted = leaf->unified != NULL &&
                      cgroup_file_exists(leaf->unified, "memory.current");

    if (leaf->memory != NULL)
        return;
    if (leaf->unified == NULL ||
        (!is_counted && !lists(home, "cgroup.controllers", "memory"))) {
        leaf->missing = CGROUP_MISSING_CONTROLLER;
        return;
    }
    if (!is_counted && !cgroup_is_delegated(home, place->unified_mount)) {
        leaf->missing = CGROUP_MISSING_DELEGATION;
        return;
    }
    if (!is_counted) {
        leaf->missing_rc = enable_memory(leaf, home);
        if (leaf->missing_rc < 0) {
            leaf->missing = leaf->missing_rc == -EBUSY ? CGROUP_MISSING_PLACE
                                                       : CGROUP_MISSING_OTHER;
            return;
        }
    }
    if (!cgroup_file_exists(leaf->unified, "memory.peak"))
        leaf->missing = CGROUP_MISSING_PEAK;
}

int
cgroup_leaf_enter(struct cgroup_leaf *leaf, const struct cgroup_place *place,
                  pid_t pid)
{
    const char *const folders[] = {leaf->unified, leaf->memory, leaf->cpuacct};
    int rc = 0;

    for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
        if (folders[i] != NULL && rc == 0)
            rc = cgroup_file_write(folders[i], "cgroup.procs", pid);
    if (rc == 0)
        count_memory(leaf, place);
    return rc;
}

/* Moves all processes of folder to home. */
static void
move_home(const char *folder, const char *home)
{
    STRBUF_AUTO pids = {0};
    char *rest;

    if (cgroup_file_read_all(folder, "cgroup.procs", &pids) < 0 ||
        pids.size == 0)
        return;
    for (char *pid = strtok_r(pids.text, "\n", &rest); pid != NULL;
         pid = strtok_r(NULL, "\n", &rest))
        cgroup_file_write(home, "cgroup.procs", strtol(pid, NULL, 10));
}

/* Removes the groups in folder in which nothing lives. */
static void
remove_inner(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        STRBUF_AUTO path = {0};

        if (entry->d_type != DT_DIR || strcmp(entry->d_name, ".") == 0 ||
            strcmp(entry->d_name, "..") == 0)
            continue;
        strbuf_printf(&path, "%s/%s", folder, entry->d_name);
        remove_inner(strbuf_text(&path));
        rmdir(strbuf_text(&path));
    }
    if (dir != NULL)
        closedir(dir);
}

/* An exited process may keep its group busy for a moment, and others fork. */
static int
empty_and_remove(char **folder, const char *home, struct error *error)
{
    enum { TRIES = 200 };
    struct timespec pause = {.tv_nsec = NUM_NS_PER_MS};
    int rc = 0;

    if (*folder == NULL)
        return 0;
    for (int i = 0; i < TRIES; i++) {
        rc = rmdir(*folder) < 0 ? -errno : 0;
        if (rc != -EBUSY)
            break;
        move_home(*folder, home);
        remove_inner(*folder);
        nanosleep(&pause, NULL);
    }
    if (rc == -EBUSY)
        error_set(error, rc,
                  "%s: cannot be removed: processes still run in a group that "
                  "the step created there; rmdir both when they have ended",
                  *folder);
    else if (rc < 0)
        error_set(error, rc, "%s: cannot be removed: %s", *folder,
                  error_name(rc));
    free(*folder);
    *folder = NULL;
    return rc;
}

int
cgroup_leaf_remove(struct cgroup_leaf *leaf, const struct cgroup_place *place,
                   struct error *error)
{
    int rcs[3];

    cleanup_close(&leaf->cpu_fd);
    if (leaf->self != NULL && leaf->unified != NULL)
        remove_inner(leaf->unified);
    come_back(leaf, place->unified);
    rcs[0] = empty_and_remove(&leaf->unified, place->unified, error);
    rcs[1] = empty_and_remove(&leaf->memory, place->memory, error);
    rcs[2] = empty_and_remove(&leaf->cpuacct, place->cpuacct, error);
    for (int i = 0; i < 3; i++)
        if (rcs[i] < 0)
            return rcs[i];
    return 0;
}
