/* SPDX-License-Identifier: MIT */
/* Recorded ticks through the shipped sampler; the root is process 100. */
#ifndef PMON_TESTS_STAGE_H
#define PMON_TESTS_STAGE_H

#include "base/num.h"
#include "engine/sampler.h"
#include "lib/recorded.h"
#include "unit.h"

#define MS(n) ((n)*NUM_NS_PER_MS)
#define PAGES(n) ((n)*INT64_C(4096))

struct stage {
    struct proc_recorded recorded;
    struct sampler sampler;
    int64_t now_ns;
};

static inline int
setup(void **state)
{
    *state = calloc(1, sizeof(struct stage));
    return *state == NULL;
}

static inline int
teardown(void **state)
{
    struct stage *stage = *state;

    sampler_done(&stage->sampler);
    proc_recorded_done(&stage->recorded);
    free(stage);
    return 0;
}

/* Plays the script's first tick. */
static inline void
begin(struct stage *stage, const char *script)
{
    proc_recorded_init(&stage->recorded, script);
    assert_int_equal(sampler_init(&stage->sampler, &stage->recorded.source, 1),
                     0);
    stage->sampler.tree.discovery.adopts = true;
    assert_true(proc_recorded_next(&stage->recorded));
    assert_int_equal(sampler_set_root(&stage->sampler, 100), 0);
}

/* A pass, 100 ms after the one before. */
static inline struct sample
pass(struct stage *stage)
{
    struct sample sample;

    stage->now_ns += MS(100);
    assert_int_equal(sampler_pass(&stage->sampler, stage->now_ns,
                                  MS(100000) + stage->now_ns, &sample),
                     0);
    return sample;
}

/* Plays the next tick, and makes a pass. */
static inline struct sample
next(struct stage *stage)
{
    assert_true(proc_recorded_next(&stage->recorded));
    return pass(stage);
}

#define STAGED(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

#endif
