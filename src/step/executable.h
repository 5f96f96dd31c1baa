/* SPDX-License-Identifier: MIT */
/*
 * The files that a command may stand for, as execvp(3) tries them, but listed
 * before the fork: whatever the child touches ahead of its exec counts in the
 * step's ru_maxrss, and libc's search touches some hundred KiB.
 */
#ifndef PMON_STEP_EXECUTABLE_H
#define PMON_STEP_EXECUTABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct executable {
    char *const *argv;
    char **paths; /* what execve(2) is to be given in turn; ends with NULL */
    char **script_argv; /* for the shell, where a file has no #! line */
    char shell[sizeof("/bin/sh")];
    struct strbuf text; /* of the paths */
};

/*
 * Lists what argv[0] may stand for by path_list, a value of PATH; NULL is the
 * default of the system.  0; -ENOMEM.  Nothing is looked at.  To be freed by
 * executable_done in any case.
 */
int executable_find(struct executable *executable, char *const *argv,
                    const char *path_list);

/*
 * Becomes the command, by system calls alone, and leaves in *image (unless
 * NULL) the bytes that this process held at that moment.  Returns the errno of
 * one that cannot be executed: EACCES where any was found that may not be, but
 * not where a folder of PATH may not be searched.
 */
int executable_become(const struct executable *executable, int64_t *image);

/*
 * The first file that may be executed, whatever execve(2) says of it, into
 * ret_path, which is empty; false where there is none.
 */
bool executable_locate(char *const *argv, const char *path_list,
                       struct strbuf *ret_path);

void executable_done(struct executable *executable);

#endif
