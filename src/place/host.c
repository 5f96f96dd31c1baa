/* SPDX-License-Identifier: MIT */
/* What /proc and uname(2) say of the machine. */
#include "place/host.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/num.h"
#include "proc/parse.h"

static void
copy_text(char *where, size_t size, const char *text, size_t length)
{
    if (length >= size)
        length = size - 1;
    memcpy(where, text, length);
    where[length] = '\0';
}

static ssize_t
read_file(const char *path, char *text, size_t size)
{
    FD_AUTO fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);

    text[got < 0 ? 0 : got] = '\0';
    return got;
}

/* model name	: AMD EPYC 7571 */
static void
read_cpu_model(struct host *host)
{
    char text[4096];
    const char *at;
    const char *colon;

    read_file("/proc/cpuinfo", text, sizeof(text));
    at = strstr(text, "model name");
    if (at == NULL)
        at = strstr(text, "Model");
    colon = at != NULL ? strchr(at, ':') : NULL;
    if (colon == NULL)
        return;
    colon += strspn(colon, ": \t");
    copy_text(host->cpu_model, sizeof(host->cpu_model), colon,
              strcspn(colon, "\n"));
}

/* MemAvailable:   24158640 kB */
int64_t
host_parse_meminfo(const char *text, const char *label)
{
    const char *at = strstr(text, label);
    long long kib;

    if (at == NULL || sscanf(at + strlen(label), ": %lld", &kib) != 1)
        return NUM_UNKNOWN;
    return num_mul(kib, 1024);
}

void
host_watch_memory(struct host *host)
{
    char text[512];
    int64_t available;

    read_file("/proc/meminfo", text, sizeof(text));
    available = host_parse_meminfo(text, "MemAvailable");
    if (available != NUM_UNKNOWN &&
        (host->mem_available_min_bytes == NUM_UNKNOWN ||
         available < host->mem_available_min_bytes))
        host->mem_available_min_bytes = available;
}

void
host_init(struct host *host)
{
    struct utsname uts;
    char text[512];

    *host = (struct host){.cores = sysconf(_SC_NPROCESSORS_ONLN),
                          .mem_available_min_bytes = NUM_UNKNOWN};
    if (uname(&uts) == 0) {
        copy_text(host->name, sizeof(host->name), uts.nodename,
                  strlen(uts.nodename));
        copy_text(host->kernel, sizeof(host->kernel), uts.release,
                  strlen(uts.release));
    }
    read_cpu_model(host);
    read_file("/proc/meminfo", text, sizeof(text));
    host->mem_total_bytes = host_parse_meminfo(text, "MemTotal");
    host_watch_memory(host);
}

int64_t
host_own_high_water_mark(void)
{
    struct proc_status status;
    char text[4096];

    if (read_file("/proc/self/status", text, sizeof(text)) <= 0 ||
        proc_parse_status(text, &status) < 0)
        return 0;
    return num_max(status.hwm_bytes, 0);
}
