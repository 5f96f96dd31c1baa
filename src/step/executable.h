/* SPDX-License-Identifier: MIT */
/*
 * The files that a command may name, in the order of execvp(3), but listed
 * before the fork: memory that the child touches before its exec counts in the
 * step's ru_maxrss, and libc's search touches some hundred KiB.
 */
#ifndef PMON_STEP_EXECUTABLE_H
#define PMON_STEP_EXECUTABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

struct executable {
    char *const *argv;
    char **paths;       /* tried by execve(2) in turn; ends with NULL */
    char **script_argv; /* for the shell, where a file has no #! line */
    char shell[sizeof("/bin/sh")];
    struct strbuf text; /* of the paths */
};

/*
 * Lists what argv[0] may name by path_list, a value of PATH; NULL is the
 * default of the system. 0 or -ENOMEM.  Opens no file.  To be freed by
 * executable_done in any case.
 */
int executable_find(struct executable *executable, char *const *argv,
                    const char *path_list);

/*
 * Executes the command, using only system calls, and stores in *image (unless
 * NULL) the memory of this process just before.  On failure returns the errno:
 * EACCES if a file was found but may not be executed, but not if a folder of
 * PATH may not be searched.
 */
int executable_become(const struct executable *executable, int64_t *image);

/*
 * Stores in ret_path, which is empty, the first file with execute permission,
 * even if execve(2) fails on it; false without one.
 */
bool executable_locate(char *const *argv, const char *path_list,
                       struct strbuf *ret_path);

void executable_done(struct executable *executable);

/*
 * Fills error for argv, on which execve(2) failed with errno failed; path_list
 * is the PATH that was searched, shell the way to pass a shell line to pmon.
 * Returns STATUS_NOT_FOUND or STATUS_NOT_EXECUTABLE.
 */
int executable_error(char *const *argv, const char *path_list, int failed,
                     const char *shell, struct error *error);

#endif
