/* SPDX-License-Identifier: MIT */
/* Identifies a process by pid, start and boot together. */
#include "host/monitor.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "proc/parse.h"
#include "proc/source.h"

static bool
read_stat(int64_t pid, struct proc_stat *ret_stat)
{
    STRBUF_AUTO text = {0};
    char path[64];

    snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
    return file_read_all(path, &text) == 0 &&
           proc_parse_stat(strbuf_text(&text), ret_stat) == 0;
}

/* 0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9 */
static void
read_boot_id(struct monitor *monitor)
{
    STRBUF_AUTO text = {0};
    size_t size;

    if (file_read_all("/proc/sys/kernel/random/boot_id", &text) < 0)
        return;
    size = strcspn(strbuf_text(&text), "\n");
    if (size >= sizeof(monitor->boot_id))
        return;
    memcpy(monitor->boot_id, strbuf_text(&text), size);
    monitor->boot_id[size] = '\0';
}

void
monitor_init(struct monitor *monitor)
{
    struct proc_stat own;
    struct stat st;

    *monitor = (struct monitor){.pid = getpid(),
                                .start_ticks = NUM_UNKNOWN,
                                .pid_namespace = NUM_UNKNOWN};
    /* In /proc of another PID namespace the pid is another process's. */
    if (read_stat(monitor->pid, &own) && own.ppid == getppid())
        monitor->start_ticks = (int64_t)own.start_ticks;
    if (stat("/proc/self/ns/pid", &st) == 0)
        monitor->pid_namespace = (int64_t)st.st_ino;
    read_boot_id(monitor);
}

enum monitor_state
monitor_look(const struct monitor *monitor, const struct monitor *self)
{
    struct proc_stat stat;

    if (monitor->pid <= 0 || monitor->pid > INT32_MAX ||
        monitor->start_ticks == NUM_UNKNOWN ||
        monitor->pid_namespace == NUM_UNKNOWN || monitor->boot_id[0] == '\0' ||
        strcmp(monitor->boot_id, self->boot_id) != 0 ||
        monitor->pid_namespace != self->pid_namespace ||
        self->start_ticks == NUM_UNKNOWN)
        return MONITOR_UNKNOWN;
    if (kill((pid_t)monitor->pid, 0) < 0 && errno == ESRCH)
        return MONITOR_GONE;
    if (!read_stat(monitor->pid, &stat))
        return MONITOR_UNKNOWN;
    return (int64_t)stat.start_ticks == monitor->start_ticks &&
                   !proc_has_ended(&stat)
               ? MONITOR_RUNS
               : MONITOR_GONE;
}

void
monitor_append(struct strbuf *out, const struct monitor *monitor)
{
    strbuf_printf(out, "%s/%lld/%lld/%lld", monitor->boot_id,
                  (long long)monitor->pid_namespace, (long long)monitor->pid,
                  (long long)monitor->start_ticks);
}

bool
monitor_parse(const char *text, struct monitor *ret_monitor)
{
    size_t size = strcspn(text, "/");
    struct monitor monitor = {0};
    long long numbers[3];
    int length = 0;

    if (size == 0 || size >= sizeof(monitor.boot_id) ||
        sscanf(text + size, "/%18lld/%18lld/%18lld%n", &numbers[0], &numbers[1],
               &numbers[2], &length) != 3 ||
        text[size + (size_t)length] != '\0')
        return false;
    memcpy(monitor.boot_id, text, size);
    monitor.pid_namespace = numbers[0];
    monitor.pid = numbers[1];
    monitor.start_ticks = numbers[2];
    *ret_monitor = monitor;
    return true;
}
