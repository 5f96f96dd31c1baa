/* SPDX-License-Identifier: MIT */
/*
 * The file that a command stands for, found as execvp(3) finds it, but before
 * the fork: whatever the child touches ahead of its exec counts in the step's
 * ru_maxrss, and libc's search touches some hundred KiB.
 */
#ifndef PMON_STEP_EXECUTABLE_H
#define PMON_STEP_EXECUTABLE_H

#include "base/strbuf.h"

struct executable {
    struct strbuf path; /* what execve(2) is to be given */
    char shell[sizeof("/bin/sh")];
    char **script_argv; /* for the shell, where the file has no #! line */
    int error;          /* errno of the search; 0 when there is a path */
};

/*
 * The first file of the name in path_list, a value of PATH, that may be
 * executed; NULL is the default of the system, an empty entry the working
 * folder.  0 with ret_path filled; -EACCES when there are such files, but not
 * to be executed; -ENOENT, -ENOMEM or another negative errno of stat(2).
 */
int executable_search(const char *name, const char *path_list,
                      struct strbuf *ret_path);

/*
 * Finds argv[0], which is looked for when it has no slash.  0; -ENOMEM.  A
 * command that is not there is no failure: error says it.  To be freed by
 * executable_done in any case.
 */
int executable_find(struct executable *executable, char *const *argv,
                    const char *path_list);

void executable_done(struct executable *executable);

#endif
