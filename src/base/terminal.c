/* SPDX-License-Identifier: MIT */
/* Reads environment and window size; changes neither. */
#include "base/terminal.h"

#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/array.h"
#include "base/num.h"

enum { LEAST = 40, MOST = 1000, USUAL = 80 };

static int
within(uint64_t columns)
{
    return columns < LEAST ? LEAST : columns > MOST ? MOST : (int)columns;
}

int
terminal_width(const struct context *context, int fd)
{
    const char *columns = context->environment("COLUMNS");
    struct winsize window;
    uint64_t value;

    if (columns != NULL && num_parse_u64(columns, &value) == 0 && value > 0)
        return within(value);
    if (ioctl(fd, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        return within(window.ws_col);
    return USUAL;
}

bool
terminal_is_utf8(const struct context *context)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const char *value = context->environment(names[i]);

        if (value != NULL && *value != '\0')
            return strcasestr(value, "utf-8") != NULL ||
                   strcasestr(value, "utf8") != NULL;
    }
    return false;
}
