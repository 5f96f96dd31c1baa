/* SPDX-License-Identifier: MIT */
/* The step's own control group: made, entered, read, and removed. */
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

#include "base/cleanup.h"
#include "base/num.h"
#include "place/cgroup.h"
#include "place/cgroup_file.h"

static const char prefix[] = "pmon-";

/* Removes what a pmon that was killed left behind here, if it is empty. */
static void
remove_stale(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    int pid;

    if (dir == NULL)
        return;
    while ((entry = readdir(dir)) != NULL)
        if (strncmp(entry->d_name, prefix, sizeof(prefix) - 1) == 0 &&
            num_parse_pid(entry->d_name + sizeof(prefix) - 1, &pid) == 0 &&
            kill(pid, 0) < 0 && errno == ESRCH)
            unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
    closedir(dir);
}

/* A new group in folder; NULL and a negative errno in *ret_rc. */
static char *
make_in(const char *folder, int *ret_rc)
{
    STRBUF_AUTO path = {0};
    char *made;

    remove_stale(folder);
    strbuf_printf(&path, "%s/%s%d", folder, prefix, (int)getpid());
    if (mkdir(strbuf_text(&path), 0755) < 0) {
        *ret_rc = -errno;
        return NULL;
    }
    made = strbuf_steal(&path);
    *ret_rc = made != NULL ? 0 : -ENOMEM;
    return made;
}

static bool
has_file(const char *folder, const char *file)
{
    STRBUF_AUTO path = {0};

    strbuf_printf(&path, "%s/%s", folder, file);
    return access(strbuf_text(&path), R_OK) == 0;
}

static void
remove_folder(char **folder)
{
    if (*folder != NULL)
        rmdir(*folder);
    free(*folder);
    *folder = NULL;
}

/*
 * Beside the own group, where its parent gives the memory controller to its
 * children, but not cpu: that would change the step's share.
 */
static char *
make_beside(const struct cgroup_place *place)
{
    FREE_AUTO char *parent = strdup(place->unified);
    STRBUF_AUTO control = {0};
    char *slash = parent != NULL ? strrchr(parent, '/') : NULL;
    int rc;

    if (slash == NULL || strcmp(place->unified, place->unified_mount) == 0)
        return NULL;
    *slash = '\0';
    if (cgroup_file_read_all(parent, "cgroup.subtree_control", &control) < 0 ||
        strstr(strbuf_text(&control), "memory") == NULL ||
        strncmp(strbuf_text(&control), "cpu ", 4) == 0 ||
        strstr(strbuf_text(&control), " cpu ") != NULL)
        return NULL;
    return make_in(parent, &rc);
}

static int
make_unified(struct cgroup_leaf *leaf, const struct cgroup_place *place)
{
    char *beside;
    int rc;

    if (place->unified == NULL)
        return -ENOENT;
    leaf->unified = make_in(place->unified, &rc);
    if (leaf->unified != NULL && has_file(leaf->unified, "memory.current"))
        return 0;
    beside = make_beside(place);
    if (beside == NULL)
        return leaf->unified != NULL ? 0 : rc;
    remove_folder(&leaf->unified);
    leaf->unified = beside;
    return 0;
}

/* CPU through version 2 where possible, memory where there is a controller. */
static int
make_all(struct cgroup_leaf *leaf, const struct cgroup_place *place)
{
    int rc = make_unified(leaf, place);
    int unused;

    if (place->memory != NULL) {
        leaf->memory = make_in(place->memory, &unused);
        rc = rc < 0 && leaf->memory == NULL ? unused : rc;
    }
    if (leaf->unified == NULL && place->cpuacct != NULL &&
        !place->cpuacct_with_cpu)
        leaf->cpuacct = make_in(place->cpuacct, &unused);
    if (leaf->unified == NULL && leaf->memory == NULL && leaf->cpuacct == NULL)
        return rc < 0 ? rc : -ENOENT;
    return 0;
}

static void
copy_limit(const struct cgroup_leaf *leaf, const struct cgroup_place *place)
{
    int64_t limit = cgroup_memory_limit(place);

    if (limit == NUM_UNKNOWN)
        return;
    if (leaf->unified != NULL)
        cgroup_file_write(leaf->unified, "memory.max", limit);
    if (leaf->memory != NULL)
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
        return error_set(error, rc, "no control group can be made in %s: %s",
                         place->unified != NULL  ? place->unified
                         : place->memory != NULL ? place->memory
                                                 : place->cpuacct,
                         error_name(rc));
    copy_limit(leaf, place);
    leaf->cpu_fd = open_cpu(leaf);
    return 0;
}

int
cgroup_leaf_enter(const struct cgroup_leaf *leaf, pid_t pid)
{
    const char *const folders[] = {leaf->unified, leaf->memory, leaf->cpuacct};
    int rc = 0;

    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        if (folders[i] != NULL && rc == 0)
            rc = cgroup_file_write(folders[i], "cgroup.procs", pid);
    return rc;
}

static int64_t
keyed_usec(const char *text, const char *key)
{
    int64_t usec = cgroup_file_parse_keyed(text, key);

    return usec == NUM_UNKNOWN ? usec : num_mul(usec, NUM_NS_PER_US);
}

void
cgroup_leaf_cpu(const struct cgroup_leaf *leaf, struct cgroup_cpu *ret_cpu)
{
    struct cgroup_cpu cpu = {NUM_UNKNOWN, NUM_UNKNOWN, NUM_UNKNOWN};
    char text[1024];
    ssize_t got = -1;
    uint64_t ns;

    if (leaf->cpu_fd >= 0)
        got = pread(leaf->cpu_fd, text, sizeof(text) - 1, 0);
    text[got < 0 ? 0 : got] = '\0';
    if (leaf->unified != NULL) {
        cpu.total_ns = keyed_usec(text, "usage_usec");
        cpu.user_ns = keyed_usec(text, "user_usec");
        cpu.system_ns = keyed_usec(text, "system_usec");
    } else {
        text[strcspn(text, "\n")] = '\0';
        if (num_parse_u64(text, &ns) == 0)
            cpu.total_ns = (int64_t)ns;
    }
    *ret_cpu = cpu;
}

int64_t
cgroup_leaf_memory_peak(const struct cgroup_leaf *leaf)
{
    int64_t peak = NUM_UNKNOWN;

    if (leaf->unified != NULL)
        peak = cgroup_file_number(leaf->unified, "memory.peak");
    if (peak == NUM_UNKNOWN && leaf->memory != NULL)
        peak = cgroup_file_number(leaf->memory, "memory.max_usage_in_bytes");
    return peak;
}

int64_t
cgroup_leaf_oom_kills(const struct cgroup_leaf *leaf)
{
    struct cgroup_place inside = {.unified = leaf->unified,
                                  .memory = leaf->memory};

    return cgroup_oom_kills(&inside);
}

static const char *
any_folder(const struct cgroup_leaf *leaf)
{
    if (leaf->unified != NULL)
        return leaf->unified;
    return leaf->memory != NULL ? leaf->memory : leaf->cpuacct;
}

int
cgroup_leaf_pids(const struct cgroup_leaf *leaf, struct strbuf *text)
{
    const char *folder = any_folder(leaf);

    if (folder == NULL)
        return -ENOENT;
    return cgroup_file_read_all(folder, "cgroup.procs", text);
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

/* An ended process may hold its group for a moment; others fork meanwhile. */
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
                  "%s: cannot be removed: processes run on in a group that the "
                  "step has made there; rmdir both when they have ended",
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
    rcs[0] = empty_and_remove(&leaf->unified, place->unified, error);
    rcs[1] = empty_and_remove(&leaf->memory, place->memory, error);
    rcs[2] = empty_and_remove(&leaf->cpuacct, place->cpuacct, error);
    for (int i = 0; i < 3; i++)
        if (rcs[i] < 0)
            return rcs[i];
    return 0;
}
