/* SPDX-License-Identifier: MIT */
/* Job control: Ctrl-Z and fg for two processes as for one. */
#include "step/job_control.h"

#include "step/signals.h"
#include "step/wait.h"

void
job_control_continued(struct job_control *stopped, int64_t now_ns)
{
    stopped->continued_at_ns = now_ns;
}

int
job_control_is_due(struct job_control *stopped, pid_t child, int64_t now_ns)
{
    int number;

    if (now_ns - stopped->continued_at_ns < JOB_CONTROL_RECHECK_NS) {
        stopped->is_pending = true;
        return 0;
    }
    stopped->is_pending = false;
    number = wait_stopped_by(child);
    return number != 0 && signals_holds_terminal(number) ? number : 0;
}
