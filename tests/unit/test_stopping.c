/* SPDX-License-Identifier: MIT */
/* A signal goes to the intended process, not to another with its id. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/recorded.h"
#include "step/terminate.h"
#include "unit.h"

enum { START_TICKS = 7 };

struct stage {
    struct proc_recorded recorded;
    char script[64];
    pid_t child;
};

/* A child, and a source with its start time. */
static int
setup(void **state)
{
    struct stage *stage = calloc(1, sizeof(*stage));

    *state = stage;
    if (stage == NULL)
        return -1;
    stage->child = fork();
    if (stage->child == 0) {
        pause();
        _exit(0);
    }
    snprintf(stage->script, sizeof(stage->script), "tick\n%d ppid=1 start=%d\n",
             (int)stage->child, START_TICKS);
    proc_recorded_init(&stage->recorded, stage->script);
    return stage->child < 0 || !proc_recorded_next(&stage->recorded);
}

static int
teardown(void **state)
{
    struct stage *stage = *state;

    if (stage->child > 0) {
        kill(stage->child, SIGKILL);
        waitpid(stage->child, NULL, 0);
    }
    proc_recorded_done(&stage->recorded);
    free(stage);
    return 0;
}

static void
test_meant(void **state)
{
    struct stage *stage = *state;
    int status = 0;

    assert_int_equal(terminate_send(&stage->recorded.source, stage->child,
                                    START_TICKS, SIGTERM),
                     0);
    assert_int_equal(waitpid(stage->child, &status, 0), stage->child);
    stage->child = -1;
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

static void
test_another(void **state)
{
    struct stage *stage = *state;

    assert_int_equal(terminate_send(&stage->recorded.source, stage->child,
                                    START_TICKS - 1, SIGKILL),
                     -ESRCH);
    assert_int_equal(waitpid(stage->child, NULL, WNOHANG), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_meant, setup, teardown),
        cmocka_unit_test_setup_teardown(test_another, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
