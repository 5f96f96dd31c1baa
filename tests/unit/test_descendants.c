/* SPDX-License-Identifier: MIT */
/* The descendants of a root, in recorded ticks. */
#include "lib/recorded.h"
#include "step/descendants.h"
#include "unit.h"

struct stage {
    struct proc_recorded recorded;
    struct descendants descendants;
};

static int
setup(void **state)
{
    *state = calloc(1, sizeof(struct stage));
    return *state == NULL;
}

static int
teardown(void **state)
{
    struct stage *stage = *state;

    descendants_done(&stage->descendants);
    proc_recorded_done(&stage->recorded);
    free(stage);
    return 0;
}

/* Plays a tick; the list must then be of these ids, in order. */
static void
expect(struct stage *stage, pid_t root, size_t count, const pid_t *pids)
{
    assert_true(proc_recorded_next(&stage->recorded));
    assert_int_equal(
        descendants_find(&stage->descendants, &stage->recorded.source, root),
        0);
    assert_int_equal(stage->descendants.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(stage->descendants.list[i].pid, pids[i]);
}

/* Others are left out, a parent may have a larger id, zombies do not count. */
static void
test_tree(void **state)
{
    struct stage *stage = *state;

    proc_recorded_init(&stage->recorded,
                       "tick\n1 ppid=0\n50 ppid=1\n100 ppid=50\n"
                       "90 ppid=200\n101 ppid=100 state=Z\n200 ppid=100\n"
                       "201 ppid=101\n300 ppid=50\n");
    expect(stage, 100, 4, (const pid_t[]){90, 100, 200, 201});
}

/* An orphan stays listed; an id that is used again does not. */
static void
test_orphans(void **state)
{
    struct stage *stage = *state;

    proc_recorded_init(&stage->recorded,
                       "tick\n1 ppid=0\n100 ppid=1 start=5\n"
                       "101 ppid=100 start=6\n102 ppid=100 start=7\n"
                       "tick\n100 gone\n101 ppid=1\n102 gone\n"
                       "tick\n102 ppid=1 start=9\n103 ppid=101 start=10\n"
                       "tick\n101 gone\n103 gone\n");
    expect(stage, 100, 3, (const pid_t[]){100, 101, 102});
    expect(stage, 0, 1, (const pid_t[]){101});
    expect(stage, 0, 2, (const pid_t[]){101, 103});
    expect(stage, 0, 0, NULL);
}

/* Earlier children of pmon are not in the tree; adopted ones are. */
static void
test_adopted(void **state)
{
    struct stage *stage = *state;

    proc_recorded_init(&stage->recorded,
                       "tick\n1 ppid=0\n40 ppid=1\n41 ppid=40\n"
                       "tick\n100 ppid=40\n101 ppid=100\n"
                       "tick\n100 gone\n101 ppid=40\n102 ppid=101\n");
    assert_true(proc_recorded_next(&stage->recorded));
    assert_int_equal(
        descendants_init(&stage->descendants, &stage->recorded.source, 40), 0);
    assert_true(proc_recorded_next(&stage->recorded));
    expect(stage, 0, 2, (const pid_t[]){101, 102});
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tree, setup, teardown),
        cmocka_unit_test_setup_teardown(test_orphans, setup, teardown),
        cmocka_unit_test_setup_teardown(test_adopted, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
