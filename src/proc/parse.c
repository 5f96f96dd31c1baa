/* SPDX-License-Identifier: MIT */
/*
 * Parsers for /proc's files.  They take hostile text: a name may hold blanks,
 * line ends and parentheses, so stat is read from its last ')'.
 */
#include "proc/parse.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/num.h"

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Digits after blanks, with a sign if any; moves *text behind them. */
static int
next_number(const char **text, bool *ret_negative, uint64_t *ret_value)
{
    const char *at = *text;
    uint64_t value = 0;

    while (is_blank(*at))
        at++;
    *ret_negative = *at == '-';
    if (*at == '-')
        at++;
    if (*at < '0' || *at > '9')
        return -EINVAL;
    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');

        if (value > (UINT64_MAX - digit) / 10)
            return -EINVAL;
        value = value * 10 + digit;
    }
    *text = at;
    *ret_value = value;
    return 0;
}

static int
next_signed(const char **text, int64_t *ret_value)
{
    bool negative;
    uint64_t value;

    if (next_number(text, &negative, &value) < 0 || value > INT64_MAX)
        return -EINVAL;
    *ret_value = negative ? -(int64_t)value : (int64_t)value;
    return 0;
}

/* A field that the kernel prints unsigned; a negative one reads as 0. */
static int
next_unsigned(const char **text, uint64_t *ret_value)
{
    bool negative;

    if (next_number(text, &negative, ret_value) < 0)
        return -EINVAL;
    if (negative)
        *ret_value = 0;
    return 0;
}

/* 8306 1404 1116 221 0 350 0 */
int
proc_parse_statm(const char *text, struct proc_statm *ret_statm)
{
    int64_t size;
    int64_t resident;
    int64_t shared;
    int64_t code;

    if (next_signed(&text, &size) < 0 || next_signed(&text, &resident) < 0 ||
        next_signed(&text, &shared) < 0)
        return -EINVAL;
    if (size < 0 || resident < 0 || shared < 0)
        return -EINVAL;
    ret_statm->size_pages = size;
    ret_statm->resident_pages = resident;
    ret_statm->shared_pages = shared;
    ret_statm->text_pages = next_signed(&text, &code) < 0 ? 0 : code;
    return 0;
}

static int
next_pid(const char **text, pid_t *ret_pid)
{
    int64_t value;

    if (next_signed(text, &value) < 0 || value < INT_MIN || value > INT_MAX)
        return -EINVAL;
    *ret_pid = (pid_t)value;
    return 0;
}

/* Field 3 and on, from behind the blank that follows the name. */
static int
parse_stat_fields(const char *text, struct proc_stat *stat)
{
    int64_t unused;
    uint64_t flags;

    stat->state = *text;
    if (*text == '\0')
        return -EINVAL;
    text++;
    if (next_pid(&text, &stat->ppid) < 0)
        return -EINVAL;
    for (int field = 5; field <= 8; field++) /* pgrp session tty_nr tpgid */
        if (next_signed(&text, &unused) < 0)
            return -EINVAL;
    if (next_unsigned(&text, &flags) < 0)
        return -EINVAL;
    stat->flags = (uint32_t)flags;
    if (next_unsigned(&text, &stat->minflt) < 0 ||
        next_unsigned(&text, &stat->cminflt) < 0 ||
        next_unsigned(&text, &stat->majflt) < 0 ||
        next_unsigned(&text, &stat->cmajflt) < 0 ||
        next_unsigned(&text, &stat->utime_ticks) < 0 ||
        next_unsigned(&text, &stat->stime_ticks) < 0 ||
        next_unsigned(&text, &stat->cutime_ticks) < 0 ||
        next_unsigned(&text, &stat->cstime_ticks) < 0)
        return -EINVAL;
    if (next_signed(&text, &unused) < 0 || next_signed(&text, &unused) < 0 ||
        next_signed(&text, &stat->num_threads) < 0 ||
        next_signed(&text, &unused) < 0 ||
        next_unsigned(&text, &stat->start_ticks) < 0)
        return -EINVAL;
    return 0;
}

/* 42 (a b) R 1 2) S 1 42 42 0 -1 4194304 109 0 0 0 1 2 0 0 20 0 1 0 8214 … */
int
proc_parse_stat(const char *text, struct proc_stat *ret_stat)
{
    struct proc_stat stat = {0};
    const char *at = text;
    const char *name;
    const char *end;
    size_t size;

    if (next_pid(&at, &stat.pid) < 0)
        return -EINVAL;
    name = strchr(at, '(');
    end = strrchr(at, ')');
    if (name == NULL || end == NULL || end < name || end[1] != ' ')
        return -EINVAL;
    size = (size_t)(end - name) - 1;
    if (size >= sizeof(stat.name))
        size = sizeof(stat.name) - 1;
    memcpy(stat.name, name + 1, size);
    if (parse_stat_fields(end + 2, &stat) < 0)
        return -EINVAL;
    *ret_stat = stat;
    return 0;
}

/* What follows `label` at the start of a line; NULL without such a line. */
static const char *
find_line(const char *text, const char *label)
{
    size_t size = strlen(label);

    while (strncmp(text, label, size) != 0) {
        text = strchr(text, '\n');
        if (text == NULL)
            return NULL;
        text++;
    }
    return text + size;
}

/* VmHWM:	    5616 kB */
static int64_t
find_kib(const char *text, const char *label)
{
    const char *at = find_line(text, label);
    int64_t value;

    if (at == NULL || next_signed(&at, &value) < 0 || value < 0)
        return NUM_UNKNOWN;
    return num_mul(value, 1024);
}

/* SigIgn:	0000000000011000 */
static int
find_mask(const char *text, const char *label, uint64_t *ret_mask)
{
    const char *at = find_line(text, label);
    uint64_t mask = 0;
    int digits = 0;

    if (at == NULL)
        return -EINVAL;
    while (is_blank(*at))
        at++;
    for (; digits < 16; at++, digits++) {
        if (*at >= '0' && *at <= '9')
            mask = mask << 4 | (uint64_t)(*at - '0');
        else if (*at >= 'a' && *at <= 'f')
            mask = mask << 4 | (uint64_t)(*at - 'a' + 10);
        else
            break;
    }
    if (digits == 0)
        return -EINVAL;
    *ret_mask = mask;
    return 0;
}

int
proc_parse_status(const char *text, struct proc_status *ret_status)
{
    struct proc_status status = {.hwm_bytes = find_kib(text, "VmHWM:"),
                                 .swap_bytes = find_kib(text, "VmSwap:")};

    if (find_mask(text, "SigIgn:", &status.ignored) < 0)
        return -EINVAL;
    find_mask(text, "SigPnd:", &status.pending);
    *ret_status = status;
    return 0;
}

/* Pss:                1843 kB */
int
proc_parse_pss(const char *text, struct proc_pss *ret_pss)
{
    struct proc_pss pss = {.pss_bytes = find_kib(text, "Pss:"),
                           .rss_bytes = find_kib(text, "Rss:"),
                           .anon_bytes = find_kib(text, "Pss_Anon:"),
                           .file_bytes = find_kib(text, "Pss_File:"),
                           .shmem_bytes = find_kib(text, "Pss_Shmem:"),
                           .swap_bytes = find_kib(text, "SwapPss:")};

    if (pss.pss_bytes == NUM_UNKNOWN || pss.rss_bytes == NUM_UNKNOWN)
        return -EINVAL;
    *ret_pss = pss;
    return 0;
}

int
proc_parse_io(const char *text, struct proc_io *ret_io)
{
    static const char *const labels[PROC_IO_FIELDS] = {
        [PROC_IO_READ_CALLS] = "syscr:",
        [PROC_IO_WRITE_CALLS] = "syscw:",
        [PROC_IO_READ_BYTES] = "read_bytes:",
        [PROC_IO_WRITE_BYTES] = "write_bytes:",
    };
    struct proc_io io;

    for (int i = 0; i < PROC_IO_FIELDS; i++) {
        const char *at = find_line(text, labels[i]);

        if (at == NULL || next_signed(&at, &io.value[i]) < 0 || io.value[i] < 0)
            return -EINVAL;
    }
    *ret_io = io;
    return 0;
}

int
proc_parse_next_pid(const char **text, pid_t *ret_pid)
{
    const char *at = *text;
    pid_t pid;

    while (is_blank(*at) || *at == '\n')
        at++;
    if (*at == '\0')
        return 1;
    if (next_pid(&at, &pid) < 0 || pid <= 0)
        return -EINVAL;
    *text = at;
    *ret_pid = pid;
    return 0;
}

/* 0.20 0.18 0.12 1/80 11206 */
int
proc_parse_loadavg(const char *text, pid_t *ret_newest)
{
    const char *at = strrchr(text, ' ');
    pid_t pid;

    if (at == NULL || next_pid(&at, &pid) < 0 || pid <= 0)
        return -EINVAL;
    *ret_newest = pid;
    return 0;
}
