/* SPDX-License-Identifier: MIT */
/*
 * The file that a command stands for, found as execvp(3) finds it, but before
 * the fork: whatever the child touches ahead of its exec counts in the step's
 * ru_maxrss, and libc's search touches some hundred KiB.
 */
#ifndef PMON_STEP_COMMAND_H
#define PMON_STEP_COMMAND_H

#include "base/strbuf.h"

struct command {
    struct strbuf path; /* what execve(2) is to be given */
    char shell[sizeof("/bin/sh")];
    char **script_argv; /* for the shell, where the file has no #! line */
    int error;          /* errno of the search; 0 when there is a path */
};

/*
 * Looks for argv[0] in path_list, a value of PATH; NULL is the default of
 * the system.  0; -ENOMEM.  A command that is not there is no failure of the
 * search: error says it.  To be freed by command_done in any case.
 */
int command_find(struct command *command, char *const *argv,
                 const char *path_list);

void command_done(struct command *command);

#endif
