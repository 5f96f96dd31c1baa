/* SPDX-License-Identifier: MIT */
/* The samples of a run, figures of regions. */
#include <stdio.h>

#include "base/num.h"
#include "model/regions.h"
#include "unit.h"

#define MS(n) ((n)*NUM_NS_PER_MS)
#define MIB(n) ((n)*NUM_MIB)

/* ---- samples ---- */

/* Time and CPU in ms, RSS in MiB. */
static void
push(struct region_samples *samples, int64_t elapsed, int64_t cpu, int64_t rss)
{
    struct row row = {
        .elapsed_ns = MS(elapsed), .cpu_ns = MS(cpu), .rss_bytes = MIB(rss)};

    assert_int_equal(region_samples_push(samples, &row), 0);
}

static int
make_samples(void **state)
{
    struct region_samples *samples = test_calloc(1, sizeof(*samples));

    region_samples_init(samples, 8, MS(100));
    *state = samples;
    return 0;
}

static int
free_samples(void **state)
{
    struct region_samples *samples = *state;

    region_samples_done(samples);
    test_free(samples);
    return 0;
}

static void
test_samples_empty(void **state)
{
    struct region_samples *samples = *state;

    assert_int_equal(region_samples_cpu(samples, 0, MS(1)), NUM_UNKNOWN);
    assert_int_equal(region_samples_peak_rss(samples, 0, MS(1)), NUM_UNKNOWN);
    push(samples, 0, 0, 5);
    assert_int_equal(region_samples_cpu(samples, 0, MS(1)), NUM_UNKNOWN);
    assert_int_equal(region_samples_peak_rss(samples, 0, MS(1)), MIB(5));
    /* The row after the end has no processes, and so no peak. */
    push(samples, 100, 1, 0);
    assert_int_equal(region_samples_peak_rss(samples, MS(50), MS(100)),
                     NUM_UNKNOWN);
}

static void
test_samples_cpu(void **state)
{
    static const struct {
        int64_t begin, end, want; /* ms; tenths of it for want */
    } cases[] = {
        {0, 100, 500},  {0, 0, 0},       {100, 100, 0},    {20, 40, 100},
        {50, 150, 750}, {99, 101, 15},   {100, 200, 1000}, {0, 300, 1500},
        {250, 300, 0},  {190, 210, 100}, {0, 1, 5},
    };
    struct region_samples *samples = *state;

    push(samples, 0, 0, 1);
    push(samples, 100, 50, 1);
    push(samples, 200, 150, 1);
    push(samples, 300, 150, 1);
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        assert_int_equal(
            region_samples_cpu(samples, MS(cases[i].begin), MS(cases[i].end)),
            MS(cases[i].want) / 10);
}

/* Time after the last row, as with --duration, is unknown. */
static void
test_samples_cpu_outside(void **state)
{
    struct region_samples *samples = *state;

    push(samples, 0, 0, 1);
    push(samples, 100, 50, 1);
    assert_int_equal(region_samples_cpu(samples, MS(50), MS(200)), MS(25));
    assert_int_equal(region_samples_cpu(samples, MS(100), MS(200)),
                     NUM_UNKNOWN);
    assert_int_equal(region_samples_cpu(samples, MS(200), MS(300)),
                     NUM_UNKNOWN);
}

static void
test_samples_peak(void **state)
{
    static const struct {
        int64_t begin, end, want; /* ms, MiB; -1: not known */
    } cases[] = {
        {0, 300, 90},   {0, 0, 10},     {0, 99, 10},    {1, 99, -1},
        {1, 100, 90},   {100, 100, 90}, {101, 199, -1}, {101, 250, 20},
        {101, 300, 30}, {301, 400, -1},
    };
    struct region_samples *samples = *state;

    push(samples, 0, 0, 10);
    push(samples, 100, 0, 90);
    push(samples, 200, 0, 20);
    push(samples, 300, 0, 30);
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        assert_int_equal(region_samples_peak_rss(samples, MS(cases[i].begin),
                                                 MS(cases[i].end)),
                         cases[i].want < 0 ? NUM_UNKNOWN : MIB(cases[i].want));
}

/* At most 8 points: the largest RSS stays, and the CPU. */
static void
test_samples_limit(void **state)
{
    struct region_samples *samples = *state;

    for (int i = 0; i <= 1000; i++) {
        push(samples, i, i / 2, i == 333 ? 500 : i % 7);
        assert_in_range(samples->cpu_ns.count, 1, 8);
        if (i >= 333)
            assert_int_equal(region_samples_peak_rss(samples, 0, MS(i)),
                             MIB(500));
    }
    assert_in_range(samples->cpu_ns.count, 4, 8);
    assert_int_equal(region_samples_cpu(samples, 0, MS(1000)), MS(500));
    assert_in_range(region_samples_cpu(samples, MS(200), MS(600)), MS(190),
                    MS(210));
}

/*
 * A peak is "at least": merging two rows must not bring the RSS of a row before
 * the interval into it.
 */
static void
test_samples_halved_is_no_more(void **state)
{
    struct region_samples *samples = *state;

    for (int i = 0; i < 9; i++)
        push(samples, i * 100, 0, i == 2 ? 500 : 10);
    assert_in_range(samples->rss_bytes.count, 1, 8);
    assert_int_equal(region_samples_peak_rss(samples, 0, MS(800)), MIB(500));
    for (int begin = 201; begin < 800; begin++)
        assert_at_most(region_samples_peak_rss(samples, MS(begin), MS(800)),
                       MIB(10));
}

/* ---- regions ---- */

static int
make_regions(void **state)
{
    struct regions *regions = test_calloc(1, sizeof(*regions));

    regions_init(regions);
    *state = regions;
    return 0;
}

static int
free_regions(void **state)
{
    struct regions *regions = *state;

    regions_done(regions);
    test_free(regions);
    return 0;
}

static void
test_regions_times(void **state)
{
    static const struct {
        int64_t count, p50, p95; /* of the durations 1 ms to count ms */
    } cases[] = {
        {1, 1, 1},    {2, 1, 2},     {3, 2, 3},     {4, 2, 4},
        {10, 5, 10},  {19, 10, 19},  {20, 10, 19},  {21, 11, 20},
        {40, 20, 38}, {100, 50, 95}, {101, 51, 96}, {1000, 500, 950},
    };
    struct regions *regions = *state;

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        int64_t count = cases[i].count;
        const struct region_stats *stats;

        /* neither in the order of start nor of duration */
        for (int64_t k = 0; k < count; k++) {
            int64_t duration = (k * 7919) % count + 1;

            assert_int_equal(regions_add(regions, "a", MS(count - k),
                                         MS(duration), k % 2 == 0),
                             0);
        }
        assert_int_equal(regions_summarize(regions, NULL), 0);
        assert_int_equal(regions->count, 1);
        stats = &regions->stats[0];
        assert_string_equal(stats->name, "a");
        assert_int_equal(stats->count, count);
        assert_int_equal(stats->total_ns, MS(count * (count + 1) / 2));
        assert_int_equal(stats->mean_ns, MS(count + 1) / 2);
        assert_int_equal(stats->min_ns, MS(1));
        assert_int_equal(stats->max_ns, MS(count));
        assert_int_equal(stats->p50_ns, MS(cases[i].p50));
        assert_int_equal(stats->p95_ns, MS(cases[i].p95));
        assert_int_equal(stats->unended, count / 2);
        assert_int_equal(stats->cpu_ns, NUM_UNKNOWN);
        assert_int_equal(stats->peak_rss_bytes, NUM_UNKNOWN);
        regions_done(regions);
    }
}

static void
test_regions_names(void **state)
{
    struct regions *regions = *state;
    char name[16];

    assert_int_equal(regions_summarize(regions, NULL), 0);
    assert_int_equal(regions->count, 0);
    /* the later a name is added, the earlier it begins */
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof(name), "n%d", i % 50);
        assert_int_equal(regions_add(regions, name, MS(1000 - i), MS(i), true),
                         0);
    }
    assert_true(regions_has(regions, "n7", MS(1000 - 7)));
    assert_true(regions_has(regions, "n7", MS(1000 - 57)));
    assert_false(regions_has(regions, "n7", MS(1000 - 8)));
    assert_false(regions_has(regions, "n8", MS(1000 - 7)));
    assert_false(regions_has(regions, "none", 0));
    for (int again = 0; again < 2; again++) {
        assert_int_equal(regions_summarize(regions, NULL), 0);
        assert_int_equal(regions->count, 50);
        for (int i = 0; i < 50; i++) {
            const struct region_stats *stats = &regions->stats[i];

            snprintf(name, sizeof(name), "n%d", 49 - i);
            assert_string_equal(stats->name, name);
            assert_int_equal(stats->count, 2);
            assert_int_equal(stats->total_ns, MS(2 * (49 - i) + 50));
        }
    }
}

static void
test_regions_extremes(void **state)
{
    struct regions *regions = *state;

    regions_add(regions, "long", 0, INT64_MAX, true);
    regions_add(regions, "long", INT64_MAX, INT64_MAX, true);
    regions_add(regions, "negative", 0, -5, true);
    assert_int_equal(regions_summarize(regions, NULL), 0);
    assert_int_equal(regions->stats[0].total_ns, INT64_MAX);
    assert_int_equal(regions->stats[1].total_ns, 0);
    assert_int_equal(regions->stats[1].min_ns, 0);
}

/* CPU runs at one core, RSS is elapsed ms in MiB; a row each 10 ms to 100. */
static void
test_regions_samples(void **state)
{
    static const struct {
        struct {
            int64_t start, end;
        } spans[4];
        int64_t cpu;  /* ms */
        int64_t peak; /* MiB; -1: not known */
    } cases[] = {
        {{{0, 100}}, 100, 100},
        {{{20, 50}}, 30, 50},
        {{{23, 47}}, 24, 40},
        {{{21, 29}}, 8, -1},
        {{{20, 50}, {40, 70}}, 50, 70},             /* overlap once */
        {{{40, 70}, {20, 50}}, 50, 70},             /* in any order */
        {{{0, 100}, {10, 20}, {30, 40}}, 100, 100}, /* nested */
        {{{20, 40}, {20, 40}, {20, 40}}, 20, 40},   /* at once */
        {{{20, 40}, {40, 60}}, 40, 60},             /* one after the other */
        {{{10, 20}, {60, 70}, {90, 95}}, 25, 90},   /* apart: not between */
        {{{12, 18}, {41, 52}, {15, 16}}, 17, 50},
        {{{0, 60}, {10, 20}, {50, 55}, {58, 61}}, 61, 60},
    };
    struct regions *regions = *state;

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct region_samples samples;

        region_samples_init(&samples, 64, MS(10));
        for (int k = 0; k <= 10; k++)
            push(&samples, 10 * k, 10 * k, 10 * k);
        for (int k = 0; k < 4 && cases[i].spans[k].end > 0; k++)
            regions_add(regions, "a", MS(cases[i].spans[k].start),
                        MS(cases[i].spans[k].end - cases[i].spans[k].start),
                        true);
        assert_int_equal(regions_summarize(regions, &samples), 0);
        region_samples_done(&samples);
        assert_int_equal(regions->stats[0].cpu_ns, MS(cases[i].cpu));
        assert_int_equal(regions->stats[0].peak_rss_bytes,
                         cases[i].peak < 0 ? NUM_UNKNOWN : MIB(cases[i].peak));
        regions_done(regions);
    }
}

/* Without rows all is unknown, not 0. */
static void
test_regions_no_samples(void **state)
{
    struct regions *regions = *state;
    struct region_samples samples;

    region_samples_init(&samples, 8, MS(10));
    regions_add(regions, "a", 0, MS(5), true);
    assert_int_equal(regions_summarize(regions, &samples), 0);
    region_samples_done(&samples);
    assert_int_equal(regions->stats[0].cpu_ns, NUM_UNKNOWN);
    assert_int_equal(regions->stats[0].peak_rss_bytes, NUM_UNKNOWN);
}

#define HISTORY_TEST(test) \
    cmocka_unit_test_setup_teardown(test, make_samples, free_samples)
#define REGIONS_TEST(test) \
    cmocka_unit_test_setup_teardown(test, make_regions, free_regions)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        HISTORY_TEST(test_samples_empty),
        HISTORY_TEST(test_samples_cpu),
        HISTORY_TEST(test_samples_cpu_outside),
        HISTORY_TEST(test_samples_peak),
        HISTORY_TEST(test_samples_limit),
        HISTORY_TEST(test_samples_halved_is_no_more),
        REGIONS_TEST(test_regions_times),
        REGIONS_TEST(test_regions_names),
        REGIONS_TEST(test_regions_extremes),
        REGIONS_TEST(test_regions_samples),
        REGIONS_TEST(test_regions_no_samples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
