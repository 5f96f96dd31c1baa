/* SPDX-License-Identifier: MIT */
/* One line and a status for a command that could not be executed. */
#include "commands/unstarted.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/escape.h"
#include "commands/commands.h"
#include "step/executable.h"

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
        strbuf_puts(&why, "is there, but its interpreter or loader is not");
    } else {
        strbuf_puts(&why, "not found");
        if (argv[1] == NULL && strchr(name, ' ') != NULL) {
            strbuf_printf(&why, "; for a shell line: %s sh -c ", shell);
            escape_shell(&why, name);
        }
    }
    return error_set(error, status, "%s: %s", name, strbuf_text(&why));
}
