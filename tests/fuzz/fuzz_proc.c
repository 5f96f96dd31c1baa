/* SPDX-License-Identifier: MIT */
/* Files of /proc: parsers of any text, and of a stat with any name in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "fuzz/fuzz.h"
#include "host/cgroup_file.h"
#include "host/host.h"
#include "proc/parse.h"

static void
check_texts(const char *text)
{
    struct proc_statm statm;
    struct proc_status status;
    struct proc_io io;
    struct proc_pss pss;
    struct proc_stat stat;
    pid_t pid;

    if (proc_parse_statm(text, &statm) == 0)
        FUZZ_CHECK(statm.size_pages >= 0 && statm.resident_pages >= 0 &&
                   statm.shared_pages >= 0);
    if (proc_parse_stat(text, &stat) == 0)
        FUZZ_CHECK(memchr(stat.name, '\0', sizeof(stat.name)) != NULL);
    if (proc_parse_status(text, &status) == 0)
        FUZZ_CHECK(status.hwm_bytes >= NUM_UNKNOWN);
    if (proc_parse_pss(text, &pss) == 0)
        FUZZ_CHECK(pss.pss_bytes >= 0 && pss.swap_bytes >= NUM_UNKNOWN);
    if (proc_parse_io(text, &io) == 0)
        for (int i = 0; i < PROC_IO_FIELDS; i++)
            FUZZ_CHECK(io.value[i] >= 0);
    while (proc_parse_next_pid(&text, &pid) == 0)
        FUZZ_CHECK(pid > 0);
}

static void
check_host_texts(const char *text)
{
    pid_t newest;

    if (proc_parse_loadavg(text, &newest) == 0)
        FUZZ_CHECK(newest >= 0);
    FUZZ_CHECK(host_parse_meminfo(text, "MemTotal") >= NUM_UNKNOWN);
    FUZZ_CHECK(cgroup_file_parse_keyed(text, "usage_usec") >= NUM_UNKNOWN);
}

/* A process may be called `foo) Z 1`: the kernel does not quote it. */
static void
check_name(const uint8_t *data, size_t size)
{
    char name[PROC_NAME_SIZE] = "";
    struct proc_stat stat;
    char text[256];

    for (size_t i = 0; i < size && i < sizeof(name) - 1 && data[i] != 0; i++)
        name[i] = (char)data[i];
    snprintf(text, sizeof(text),
             "77 (%s) S 3 4 5 0 -1 64 11 12 13 14 15 16 17 18 20 0 9 0 8214 "
             "1000000 55 18446744073709551615 1 1 0\n",
             name);
    FUZZ_CHECK(proc_parse_stat(text, &stat) == 0);
    FUZZ_CHECK(strcmp(stat.name, name) == 0);
    FUZZ_CHECK(stat.pid == 77 && stat.state == 'S' && stat.ppid == 3);
    FUZZ_CHECK(stat.flags == 64 && stat.minflt == 11 && stat.cmajflt == 14);
    FUZZ_CHECK(stat.utime_ticks == 15 && stat.cstime_ticks == 18);
    FUZZ_CHECK(stat.num_threads == 9 && stat.start_ticks == 8214);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);

    check_texts(text);
    check_host_texts(text);
    check_name(data, size);
    free(text);
    return 0;
}
