/* SPDX-License-Identifier: MIT */
/* Runs of the main job as sequences of events. */
#include "base/array.h"
#include "record/phase.h"
#include "unit.h"

enum { MOST_EVENTS = 8 };

static void
test_phases(void **state)
{
    static const struct {
        enum phase want;
        int count;
        enum phase_event events[MOST_EVENTS];
    } cases[] = {
        {PHASE_STARTING, 0, {EVENT_BEGIN}},
        {PHASE_RECORDING, 1, {EVENT_BEGIN}},
        {PHASE_UNRECORDED, 2, {EVENT_BEGIN, EVENT_DURATION}},
        {PHASE_DONE, 3, {EVENT_BEGIN, EVENT_END, EVENT_FINISH}},
        {PHASE_DONE, 4, {EVENT_BEGIN, EVENT_DURATION, EVENT_END, EVENT_FINISH}},
        {PHASE_WAITING, 4, {EVENT_BEGIN, EVENT_STOP, EVENT_END, EVENT_WAIT}},
        {PHASE_DONE,
         5,
         {EVENT_BEGIN, EVENT_STOP, EVENT_END, EVENT_WAIT, EVENT_FINISH}},
        {PHASE_DONE, 3, {EVENT_BEGIN, EVENT_LEAVE, EVENT_FINISH}},
        /* An event without a meaning in a phase does not change it. */
        {PHASE_STARTING, 1, {EVENT_END}},
        {PHASE_STOPPING, 3, {EVENT_BEGIN, EVENT_STOP, EVENT_DURATION}},
        {PHASE_STOPPING, 3, {EVENT_BEGIN, EVENT_STOP, EVENT_STOP}},
        {PHASE_STOPPING, 3, {EVENT_BEGIN, EVENT_STOP, EVENT_LEAVE}},
        {PHASE_ENDED, 3, {EVENT_BEGIN, EVENT_END, EVENT_STOP}},
        {PHASE_LEFT, 3, {EVENT_BEGIN, EVENT_LEAVE, EVENT_END}},
        {PHASE_WAITING,
         5,
         {EVENT_BEGIN, EVENT_END, EVENT_WAIT, EVENT_WAIT, EVENT_END}},
        {PHASE_DONE, 4, {EVENT_BEGIN, EVENT_END, EVENT_FINISH, EVENT_WAIT}},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        enum phase phase = PHASE_STARTING;

        for (int j = 0; j < cases[i].count; j++)
            phase = phase_next(phase, cases[i].events[j]);
        assert_int_equal(phase, cases[i].want);
    }
}

/* The step runs from its begin until it ends or is to be stopped. */
static void
test_runs(void **state)
{
    (void)state;
    for (int i = 0; i < PHASES; i++)
        assert_int_equal(phase_runs((enum phase)i),
                         i == PHASE_RECORDING || i == PHASE_UNRECORDED);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
