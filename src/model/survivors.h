/* SPDX-License-Identifier: MIT */
/* The survivors: descendants of the step that outlive it. */
#ifndef PMON_MODEL_SURVIVORS_H
#define PMON_MODEL_SURVIVORS_H

#include <stdint.h>
#include <sys/types.h>

#include "proc/parse.h"

enum { SURVIVORS_NAMED = 3 };

struct survivors {
    int64_t count;
    int64_t stopped;   /* of them: nothing to wait for */
    int64_t rss_bytes; /* of all of them */
    int named;
    struct {
        pid_t pid;
        char name[PROC_NAME_SIZE]; /* hostile */
    } list[SURVIVORS_NAMED];       /* the first found */
};

#endif
