/* SPDX-License-Identifier: MIT */
/* Reads CPU, memory and processes of the step's own control group. */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "host/cgroup.h"
#include "host/cgroup_file.h"

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
    uint64_t ns;

    file_read_head(leaf->cpu_fd, text, sizeof(text));
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

/* The folder of the hierarchy that counts memory, or of another. */
static const char *
main_folder(const struct cgroup_leaf *leaf)
{
    if (leaf->memory != NULL)
        return leaf->memory;
    return leaf->unified != NULL ? leaf->unified : leaf->cpuacct;
}

/* Appends the ids in folder, and in the groups that were made below it. */
static int
append_pids(const char *folder, struct strbuf *text)
{
    enum { NO_FOLDERS = 2 };
    int rc = cgroup_file_read_all(folder, "cgroup.procs", text);
    const struct dirent *entry;
    struct stat status;
    DIR *dir;

    if (rc < 0 || stat(folder, &status) < 0 || status.st_nlink == NO_FOLDERS)
        return rc;
    dir = opendir(folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        STRBUF_AUTO path = {0};

        if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
            continue;
        strbuf_printf(&path, "%s/%s", folder, entry->d_name);
        append_pids(strbuf_text(&path), text);
    }
    if (dir != NULL)
        closedir(dir);
    return 0;
}

int
cgroup_leaf_pids(const struct cgroup_leaf *leaf, struct strbuf *text)
{
    const char *folder = main_folder(leaf);

    return folder == NULL ? -ENOENT : append_pids(folder, text);
}

bool
cgroup_leaf_holds(const struct cgroup_leaf *leaf, pid_t pid)
{
    const char *folder = main_folder(leaf);
    size_t size = folder != NULL ? strlen(folder) : 0;
    struct cgroup_place place;
    const char *group;
    bool holds;

    if (folder == NULL || folder == leaf->cpuacct ||
        cgroup_place_init(&place, pid) < 0)
        return true;
    group = folder == leaf->memory ? place.memory : place.unified;
    holds = group != NULL && strncmp(group, folder, size) == 0 &&
            (group[size] == '/' || group[size] == '\0');
    cgroup_place_done(&place);
    return holds;
}
