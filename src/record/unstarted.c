/* SPDX-License-Identifier: MIT */
/* One line and a status for a command that could not be executed. */
#include "record/unstarted.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/context.h"
#include "base/escape.h"
#include "base/file.h"
#include "step/executable.h"

/*
 * #!/bin/sh\r
 * The line of a script that was written on Windows names an interpreter that
 * ends in a carriage return; there is no such file.
 */
static void
say_interpreter(struct strbuf *why, const char *path)
{
    FD_AUTO fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char text[256];
    char *name = text + 2;

    file_read_head(fd, text, sizeof(text));
    if (strncmp(text, "#!", 2) != 0) {
        strbuf_puts(why, "exists, but its interpreter or loader does not");
        return;
    }
    name += strspn(name, " \t");
    name[strcspn(name, " \t\n")] = '\0';
    if (*name == '\0' || name[strlen(name) - 1] != '\r') {
        strbuf_printf(why, "exists, but its interpreter %s does not", name);
        return;
    }
    name[strlen(name) - 1] = '\0';
    strbuf_printf(why,
                  "exists, but its interpreter %s\\r does not: its lines end "
                  "in CR LF; sed -i 's/\\r$//'",
                  name);
    strbuf_putc(why, ' ');
    escape_shell(why, path);
    strbuf_puts(why, " fixes them");
}

int
unstarted_error(char *const *argv, const char *path_list, int failed,
                const char *shell, struct error *error)
{
    const char *name = *argv[0] != '\0' ? argv[0] : "''";
    bool is_missing = failed == ENOENT || failed == ENOTDIR;
    int status = is_missing ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
    STRBUF_AUTO path = {0};
    STRBUF_AUTO why = {0};

    if (!is_missing) {
        strbuf_printf(&why, "cannot be run: %s", error_name(failed));
    } else if (executable_locate(argv, path_list, &path)) {
        say_interpreter(&why, strbuf_text(&path));
    } else {
        strbuf_puts(&why, "not found");
        if (argv[1] == NULL && strchr(name, ' ') != NULL) {
            strbuf_printf(&why, "; for a shell line: %s sh -c ", shell);
            escape_shell(&why, name);
        }
    }
    return error_set(error, status, "%s: %s", name, strbuf_text(&why));
}
