/* SPDX-License-Identifier: MIT */
/* What /proc and uname(2) say of the machine. */
#include "host/host.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
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

/* model name	: AMD EPYC 7571 */
static void
read_cpu_model(struct host *host)
{
    /* The first processor is enough: there may be hundreds. */
    FD_AUTO fd = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    char text[4096];
    const char *at;
    const char *colon;

    file_read_head(fd, text, sizeof(text));
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
    const char *digits;
    char *end;
    long long kib;

    if (at == NULL || at[strlen(label)] != ':')
        return NUM_UNKNOWN;
    digits = at + strlen(label) + 1;
    kib = strtoll(digits, &end, 10);
    return end == digits ? NUM_UNKNOWN : num_mul(kib, 1024);
}

int64_t
host_watch_memory(struct host *host)
{
    STRBUF_AUTO text = {0};
    int64_t available;

    file_read_all("/proc/meminfo", &text);
    if (host->mem_total_bytes == NUM_UNKNOWN)
        host->mem_total_bytes =
            host_parse_meminfo(strbuf_text(&text), "MemTotal");
    available = host_parse_meminfo(strbuf_text(&text), "MemAvailable");
    if (available != NUM_UNKNOWN &&
        (host->mem_available_min_bytes == NUM_UNKNOWN ||
         available < host->mem_available_min_bytes))
        host->mem_available_min_bytes = available;
    return available;
}

void
host_init(struct host *host)
{
    struct utsname uts;

    *host = (struct host){.cores = sysconf(_SC_NPROCESSORS_ONLN),
                          .mem_total_bytes = NUM_UNKNOWN,
                          .mem_available_min_bytes = NUM_UNKNOWN};
    if (uname(&uts) == 0) {
        copy_text(host->name, sizeof(host->name), uts.nodename,
                  strlen(uts.nodename));
        copy_text(host->kernel, sizeof(host->kernel), uts.release,
                  strlen(uts.release));
    }
}

void
host_look(struct host *host)
{
    read_cpu_model(host);
    host_watch_memory(host);
}

int64_t
host_own_high_water_mark(void)
{
    struct proc_status status;
    STRBUF_AUTO text = {0};

    if (file_read_all("/proc/self/status", &text) < 0 ||
        proc_parse_status(strbuf_text(&text), &status) < 0)
        return 0;
    return num_max(status.hwm_bytes, 0);
}
