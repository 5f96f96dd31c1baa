/* SPDX-License-Identifier: MIT */
/* The one place that writes to stderr; never blocks for long. */
#include "base/message.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"

/* Eight lines to a pipe that is not read delay pmon by less than 5 s. */
enum { STUCK_MS = 500 };

void
message_write(const char *text, size_t size)
{
    struct pollfd poll_fd = {.fd = STDERR_FILENO, .events = POLLOUT};

    while (size > 0) {
        ssize_t done;

        if (poll(&poll_fd, 1, STUCK_MS) <= 0)
            return;
        /* A larger write could block inside write(2). */
        done = write(STDERR_FILENO, text, size < PIPE_BUF ? size : PIPE_BUF);
        if (done < 0 && errno != EINTR && errno != EAGAIN)
            return;
        if (done > 0) {
            text += done;
            size -= (size_t)done;
        }
    }
}

void
message_print(const char *format, ...)
{
    char line[2048] = "pmon: ";
    va_list args;

    va_start(args, format);
    vsnprintf(line + 6, sizeof(line) - 7, format, args);
    va_end(args);
    escape_terminal_in_place(line);
    strcat(line, "\n");
    message_write(line, strlen(line));
}

void
message_text(const char *text)
{
    message_print("%s", text);
}
