/* SPDX-License-Identifier: MIT */
/*
 * What a workload tells its checker: lines of TRUTH_OUT, each one write to a
 * descriptor that is open for that moment only, and a byte when it is ready.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workload.h"

void
truth_text(const char *key, const char *value)
{
    const char *path = getenv("TRUTH_OUT");
    char line[8192];
    int length;
    int fd;

    if (!path || !*path)
        return;
    length = snprintf(line, sizeof(line), "%s=%s\n", key, value);
    if (length < 0 || (size_t)length >= sizeof(line))
        arg_die("line of TRUTH_OUT too long");
    fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        arg_die(path);
    if (write(fd, line, (size_t)length) != length)
        arg_die(path);
    close(fd);
}

void
truth_int(const char *key, int64_t value)
{
    char text[32];

    snprintf(text, sizeof(text), "%" PRId64, value);
    truth_text(key, text);
}

static void
join(char *joined, size_t size, const char *prefix, const char *key)
{
    if (prefix && *prefix)
        snprintf(joined, size, "%s.%s", prefix, key);
    else
        snprintf(joined, size, "%s", key);
}

void
truth_int_of(const char *prefix, const char *key, int64_t value)
{
    char joined[128];

    join(joined, sizeof(joined), prefix, key);
    truth_int(joined, value);
}

void
truth_hex_of(const char *prefix, const char *key, const char *value)
{
    char joined[128];
    char digits[512];
    size_t at = 0;

    for (; *value && at + 3 < sizeof(digits); value++, at += 2)
        snprintf(digits + at, 3, "%02x", (unsigned)(unsigned char)*value);
    digits[at] = '\0';
    join(joined, sizeof(joined), prefix, key);
    truth_text(joined, digits);
}

void
truth_cpu(const char *prefix)
{
    struct rusage usage;

    if (getrusage(RUSAGE_CHILDREN, &usage) < 0)
        arg_die("getrusage");
    truth_int_of(prefix, "children_cpu_ns", use_rusage_ns(&usage));
    truth_int_of(prefix, "self_cpu_ns", use_cpu_ns());
}

/* A descriptor for what a variable names; *own says whether to close it. */
static int
open_named(const char *variable, int flags, bool *own)
{
    const char *text = getenv(variable);
    int fd;

    if (!text || !*text)
        return -1;
    *own = strspn(text, "0123456789") != strlen(text);
    if (!*own)
        return atoi(text);
    fd = open(text, flags | O_CLOEXEC, 0666);
    if (fd < 0)
        arg_die(text);
    return fd;
}

void
truth_ready(void)
{
    bool own;
    int fd = open_named("TRUTH_READY", O_WRONLY | O_CREAT | O_APPEND, &own);

    if (fd < 0)
        return;
    child_tell(fd);
    if (own)
        close(fd);
}

void
truth_go(void)
{
    bool own;
    int fd = open_named("TRUTH_GO", O_RDONLY, &own);

    if (fd < 0)
        return;
    child_hear(fd);
    if (own)
        close(fd);
}
