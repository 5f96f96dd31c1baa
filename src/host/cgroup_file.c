/* SPDX-License-Identifier: MIT */
/* Files of one value, of keys and values, and lists. */
#include "host/cgroup_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/num.h"

static int
open_in(const char *folder, const char *file, int flags)
{
    STRBUF_AUTO path = {0};
    int fd;

    strbuf_printf(&path, "%s/%s", folder, file);
    fd = open(strbuf_text(&path), flags | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int
cgroup_file_read_all(const char *folder, const char *file, struct strbuf *text)
{
    STRBUF_AUTO path = {0};

    strbuf_printf(&path, "%s/%s", folder, file);
    return file_read_all(strbuf_text(&path), text);
}

/* Digits up to the line's end; NUM_UNKNOWN for `max`, larger or no number. */
static int64_t
parse_number(const char *text)
{
    char digits[24];
    size_t size = strcspn(text, "\n ");
    uint64_t value;

    if (size >= sizeof(digits))
        return NUM_UNKNOWN;
    memcpy(digits, text, size);
    digits[size] = '\0';
    if (num_parse_u64(digits, &value) < 0 || value > INT64_MAX)
        return NUM_UNKNOWN;
    return (int64_t)value;
}

int64_t
cgroup_file_number(const char *folder, const char *file)
{
    STRBUF_AUTO text = {0};

    if (cgroup_file_read_all(folder, file, &text) < 0)
        return NUM_UNKNOWN;
    return parse_number(strbuf_text(&text));
}

int64_t
cgroup_file_parse_keyed(const char *text, const char *key)
{
    size_t size = strlen(key);

    while (text != NULL && *text != '\0') {
        if (strncmp(text, key, size) == 0 && text[size] == ' ')
            return parse_number(text + size + 1);
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return NUM_UNKNOWN;
}

int64_t
cgroup_file_keyed(const char *folder, const char *file, const char *key)
{
    STRBUF_AUTO text = {0};

    if (cgroup_file_read_all(folder, file, &text) < 0)
        return NUM_UNKNOWN;
    return cgroup_file_parse_keyed(strbuf_text(&text), key);
}

bool
cgroup_file_exists(const char *folder, const char *file)
{
    STRBUF_AUTO path = {0};

    strbuf_printf(&path, "%s/%s", folder, file);
    return access(strbuf_text(&path), R_OK) == 0;
}

int
cgroup_file_write_text(const char *folder, const char *file, const char *text)
{
    FD_AUTO fd = open_in(folder, file, O_WRONLY);

    return fd < 0 ? fd : file_write_all(fd, text, strlen(text));
}

int
cgroup_file_write(const char *folder, const char *file, int64_t value)
{
    char text[24];

    snprintf(text, sizeof(text), "%lld\n", (long long)value);
    return cgroup_file_write_text(folder, file, text);
}
