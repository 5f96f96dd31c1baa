/* SPDX-License-Identifier: MIT */
/*
 * Plays scripted processes.  Returns the texts that the kernel would give, to
 * test the parsers too.  Not linked into pmon.
 */
#include "lib/recorded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/num.h"
#include "base/strbuf.h"

struct recorded_process {
    long pid;
    long ppid;
    long clock; /* ms */
    long rss;   /* pages */
    long live_rss;
    long pss;    /* pages */
    long shared; /* pages of rss */
    long mm;     /* 0: its own */
    long size;
    long code;
    long hwm;
    long start;
    long cutime;
    long cminflt;
    long flags;
    long threads;
    long ignored;
    long pending;
    long read_bytes;
    long dies_after;
    long pays;
    char state[2];
    char name[32];
    char args[256]; /* with a NUL byte for each comma */
    size_t args_size;
    bool is_gone;
    bool is_hidden;
};

static struct proc_recorded *
recorded_of(struct proc_source *source)
{
    return (struct proc_recorded *)source;
}

static struct recorded_process *
find(struct proc_recorded *recorded, long pid)
{
    for (size_t i = recorded->count; i > 0; i--)
        if (recorded->list[i - 1].pid == pid && !recorded->list[i - 1].is_gone)
            return &recorded->list[i - 1];
    return NULL;
}

/* Counts a read of a process; the last one may end it. */
static struct recorded_process *
touch(struct proc_recorded *recorded, pid_t pid)
{
    struct recorded_process *process = find(recorded, pid);
    struct recorded_process *parent;

    recorded->reads++;
    if (process == NULL || process->dies_after < 0)
        return process;
    if (process->dies_after-- > 0)
        return process;
    process->is_gone = true;
    parent = find(recorded, process->ppid);
    if (parent != NULL)
        parent->cutime += process->pays;
    return NULL;
}

static int
format_stat(const struct recorded_process *process, char *text, size_t size)
{
    return snprintf(text, size,
                    "%ld (%s) %s %ld 1 1 0 -1 %ld 0 %ld 0 0 %ld 0 %ld 0 20 0 "
                    "%ld 0 %ld 0 0\n",
                    process->pid, process->name, process->state, process->ppid,
                    process->flags, process->cminflt, process->clock / 10,
                    process->cutime, process->threads, process->start);
}

static int
format_status(const struct recorded_process *process, char *text, size_t size)
{
    return snprintf(
        text, size,
        "Name:\tx\nVmHWM:\t%ld kB\nSigPnd:\t%016lx\nSigIgn:\t%016lx\n",
        process->hwm * 4, (unsigned long)process->pending,
        (unsigned long)process->ignored);
}

static int
format_io(const struct recorded_process *process, char *text, size_t size)
{
    return snprintf(text, size,
                    "rchar: 0\nwchar: 0\nsyscr: 1\nsyscw: 1\n"
                    "read_bytes: %ld\nwrite_bytes: 0\n"
                    "cancelled_write_bytes: 0\n",
                    process->read_bytes);
}

static int
format_smaps(const struct recorded_process *process, char *text, size_t size)
{
    return snprintf(text, size,
                    "00400000-7fff0000 ---p 00000000 00:00 0 [rollup]\n"
                    "Rss: %ld kB\nPss: %ld kB\nPss_Anon: %ld kB\n"
                    "Pss_File: 0 kB\nPss_Shmem: 0 kB\nSwapPss: 0 kB\n",
                    process->rss * 4, process->pss * 4, process->pss * 4);
}

static int
format_statm(const struct recorded_process *process, bool of_leader, char *text,
             size_t size)
{
    bool leader_gone = process->live_rss > 0;

    if (of_leader && (leader_gone || process->state[0] == 'Z'))
        return snprintf(text, size, "0 0 0 0 0 0 0\n");
    return snprintf(text, size, "%ld %ld %ld %ld 0 0 0\n", process->size,
                    leader_gone ? process->live_rss : process->rss,
                    process->shared, process->code);
}

static ssize_t
copy_args(const struct recorded_process *process, char *text, size_t size)
{
    if (process->args_size >= size)
        abort();
    memcpy(text, process->args, process->args_size);
    text[process->args_size] = '\0';
    return (ssize_t)process->args_size;
}

static ssize_t
recorded_read(struct proc_source *source, struct proc_handle *handle,
              enum proc_file file, char *text, size_t size)
{
    struct proc_recorded *recorded = recorded_of(source);
    const struct recorded_process *process = touch(recorded, handle->pid);

    if (process == NULL || process->is_hidden)
        return -ESRCH;
    switch (file) {
    case PROC_STATM:
        recorded->statm_reads++;
        return format_statm(process, handle->tid == handle->pid, text, size);
    case PROC_STAT:
        return format_stat(process, text, size);
    case PROC_STATUS:
        return format_status(process, text, size);
    case PROC_IO:
        return format_io(process, text, size);
    case PROC_SMAPS_ROLLUP:
        return format_smaps(process, text, size);
    case PROC_CMDLINE:
        recorded->cmdline_reads++;
        if (process->state[0] != 'Z' && process->args_size > 0)
            return copy_args(process, text, size);
        return -ENOENT;
    case PROC_FILES:
    default:
        return -ENOENT;
    }
}

static int
recorded_clock(struct proc_source *source, pid_t pid, int64_t *ret_ns)
{
    const struct recorded_process *process = touch(recorded_of(source), pid);

    if (process == NULL)
        return -ESRCH;
    *ret_ns = process->clock * NUM_NS_PER_MS;
    return 0;
}

static int
recorded_children(struct proc_source *source, struct proc_handle *handle,
                  int threads, struct strbuf *text)
{
    struct proc_recorded *recorded = recorded_of(source);
    const struct recorded_process *process = find(recorded, handle->pid);

    (void)threads;
    recorded->children_reads++;
    if (!recorded->has_children_files)
        return -ENOENT;
    for (size_t i = 0; i < recorded->count; i++)
        if (recorded->list[i].ppid == handle->pid && !recorded->list[i].is_gone)
            strbuf_printf(text, "%ld ", recorded->list[i].pid);
    if (process == NULL)
        return 1;
    return (int)process->threads;
}

static int
recorded_live_thread(struct proc_source *source, pid_t pid, pid_t *ret_tid)
{
    const struct recorded_process *process = find(recorded_of(source), pid);

    if (process == NULL || process->live_rss == 0)
        return -ESRCH;
    *ret_tid = pid + 1;
    return 0;
}

static int
recorded_same_memory(struct proc_source *source, pid_t a, pid_t b)
{
    struct proc_recorded *recorded = recorded_of(source);
    const struct recorded_process *one = find(recorded, a);
    const struct recorded_process *two = find(recorded, b);

    recorded->comparisons++;
    if (!recorded->has_kcmp)
        return -EPERM;
    return one != NULL && two != NULL && one->mm != 0 && one->mm == two->mm;
}

static int
recorded_newest(struct proc_source *source, pid_t *ret_tid)
{
    struct proc_recorded *recorded = recorded_of(source);

    if (!recorded->has_loadavg)
        return -ENOENT;
    *ret_tid = recorded->newest;
    return 0;
}

static int
recorded_pids(struct proc_source *source, struct strbuf *text)
{
    struct proc_recorded *recorded = recorded_of(source);

    for (size_t i = 0; i < recorded->count; i++)
        if (!recorded->list[i].is_gone && !recorded->list[i].is_hidden)
            strbuf_printf(text, "%ld ", recorded->list[i].pid);
    return 0;
}

static void
recorded_release(struct proc_source *source, struct proc_handle *handle)
{
    (void)source;
    (void)handle;
}

void
proc_recorded_init(struct proc_recorded *recorded, const char *script)
{
    *recorded = (struct proc_recorded){
        .source = {.page_bytes = 4096,
                   .ticks_per_s = 100,
                   .read = recorded_read,
                   .clock = recorded_clock,
                   .children = recorded_children,
                   .live_thread = recorded_live_thread,
                   .same_memory = recorded_same_memory,
                   .newest = recorded_newest,
                   .pids = recorded_pids,
                   .release = recorded_release},
        .script = script,
        .has_children_files = true,
        .has_loadavg = true,
        .has_kcmp = true,
    };
}

void
proc_recorded_done(struct proc_recorded *recorded)
{
    free(recorded->list);
    recorded->list = NULL;
    recorded->count = 0;
}

static struct recorded_process *
add(struct proc_recorded *recorded, long pid)
{
    struct recorded_process *list =
        realloc(recorded->list, (recorded->count + 1) * sizeof(*list));

    if (list == NULL)
        abort();
    recorded->list = list;
    list[recorded->count] = (struct recorded_process){.pid = pid,
                                                      .ppid = 1,
                                                      .rss = 1,
                                                      .size = 1000,
                                                      .threads = 1,
                                                      .start = 1,
                                                      .dies_after = -1,
                                                      .state = "S",
                                                      .name = "x"};
    if (pid > recorded->newest)
        recorded->newest = (pid_t)pid;
    return &list[recorded->count++];
}

static void
set_args(struct recorded_process *process, const char *value)
{
    process->args_size =
        (size_t)snprintf(process->args, sizeof(process->args), "%s", value) + 1;
    for (char *at = process->args; *at != '\0'; at++)
        if (*at == ',')
            *at = '\0';
}

static void
set(struct recorded_process *process, const char *key, const char *value)
{
    const struct {
        const char *key;
        long *where;
    } numbers[] = {
        {"ppid", &process->ppid},
        {"clock", &process->clock},
        {"rss", &process->rss},
        {"live_rss", &process->live_rss},
        {"pss", &process->pss},
        {"shared", &process->shared},
        {"mm", &process->mm},
        {"size", &process->size},
        {"code", &process->code},
        {"hwm", &process->hwm},
        {"start", &process->start},
        {"cutime", &process->cutime},
        {"cminflt", &process->cminflt},
        {"flags", &process->flags},
        {"threads", &process->threads},
        {"ignored", &process->ignored},
        {"pending", &process->pending},
        {"read_bytes", &process->read_bytes},
        {"dies_after", &process->dies_after},
        {"pays", &process->pays},
    };

    for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
        if (strcmp(numbers[i].key, key) == 0) {
            *numbers[i].where = strtol(value, NULL, 0);
            return;
        }
    if (strcmp(key, "state") == 0)
        process->state[0] = value[0];
    else if (strcmp(key, "name") == 0)
        snprintf(process->name, sizeof(process->name), "%s", value);
    else if (strcmp(key, "args") == 0)
        set_args(process, value);
    else if (strcmp(key, "gone") == 0)
        process->is_gone = true;
    else if (strcmp(key, "hidden") == 0)
        process->is_hidden = true;
    else
        abort(); /* a mistake in the script */
}

static void
play_line(struct proc_recorded *recorded, char *line)
{
    struct recorded_process *process;
    char *rest;
    char *word = strtok_r(line, " ", &rest);

    if (strcmp(word, "no") == 0) {
        if (strcmp(rest, "loadavg") == 0)
            recorded->has_loadavg = false;
        else if (strcmp(rest, "kcmp") == 0)
            recorded->has_kcmp = false;
        else
            recorded->has_children_files = false;
        return;
    }
    process = find(recorded, strtol(word, NULL, 10));
    if (process == NULL)
        process = add(recorded, strtol(word, NULL, 10));
    while ((word = strtok_r(NULL, " ", &rest)) != NULL) {
        char *value = strchr(word, '=');

        if (value != NULL)
            *value++ = '\0';
        set(process, word, value != NULL ? value : "");
    }
}

bool
proc_recorded_next(struct proc_recorded *recorded)
{
    const char *at = recorded->script;
    char line[256];

    if (*at == '\0')
        return false;
    at += strcspn(at, "\n") + 1; /* the line `tick` */
    while (*at != '\0' && strncmp(at, "tick\n", 5) != 0) {
        size_t size = strcspn(at, "\n");

        snprintf(line, sizeof(line), "%.*s", (int)size, at);
        if (size > 0)
            play_line(recorded, line);
        at += size + 1;
    }
    recorded->script = at;
    return true;
}
