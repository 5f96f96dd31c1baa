/* SPDX-License-Identifier: MIT */
/* Parts of pictures: curves, recordings, ticks and lanes. */
#include "base/num.h"
#include "model/recording.h"
#include "unit.h"

enum { SLOTS = 1024 };
#include "views/lanes.h"
#include "views/ticks.h"

static const int64_t second = NUM_NS_PER_S;

/* ---- curve ---- */

/* A few rows are kept as they are. */
static void
test_timeline_few(void **state)
{
    static const int64_t times[] = {0, 1026, 36000000};
    struct timeline curve;
    struct timeline_point points[2];
    size_t found = 0;

    (void)state;
    timeline_init(&curve, SLOTS, NUM_NS_PER_MS);
    for (size_t i = 0; i < ARRAY_SIZE(times); i++)
        assert_int_equal(
            timeline_push(&curve, times[i] * NUM_NS_PER_MS, (double)i), 0);
    for (size_t i = 0; i < curve.count; i++) {
        size_t count = timeline_points(&curve, i, points);

        for (size_t k = 0; k < count; k++, found++) {
            assert_int_equal(points[k].elapsed_ns,
                             times[found] * NUM_NS_PER_MS);
            assert_double_equal(points[k].value, (double)found);
        }
    }
    assert_int_equal(found, 3);
    assert_false(timeline_is_dense(&curve));
    timeline_done(&curve);
}

/* Of a million rows the highest and the lowest are kept, with their times. */
static void
test_timeline_million(void **state)
{
    enum { ROWS = 1000000, HIGH = 700123, LOW = 123457 };
    struct timeline_point largest;
    struct timeline_point points[2];
    struct timeline curve;
    double low = 1e9;
    int64_t low_ns = 0;
    double rows = 0;

    (void)state;
    timeline_init(&curve, SLOTS, NUM_NS_PER_MS);
    for (int64_t i = 0; i < ROWS; i++)
        timeline_push(&curve, i * 100 * NUM_NS_PER_MS,
                      i == HIGH  ? 1000
                      : i == LOW ? 1
                                 : 50);
    assert_true(timeline_is_dense(&curve));
    assert_in_range(curve.count, SLOTS / 2 + 1, SLOTS);
    assert_true(timeline_largest(&curve, &largest));
    assert_double_equal(largest.value, 1000);
    assert_int_equal(largest.elapsed_ns, HIGH * 100 * NUM_NS_PER_MS);
    for (size_t i = 0; i < curve.count; i++) {
        size_t count = timeline_points(&curve, i, points);

        for (size_t k = 0; k < count; k++)
            if (points[k].value < low) {
                low = points[k].value;
                low_ns = points[k].elapsed_ns;
            }
        rows += (double)curve.slots[i].rows;
        assert_near(timeline_mean(&curve, i).value, 50.5, 1.5);
    }
    assert_double_equal(low, 1);
    assert_int_equal(low_ns, LOW * 100 * NUM_NS_PER_MS);
    assert_double_equal(rows, ROWS);
    timeline_done(&curve);
}

/*
 * Means are weighted by time; between rows memory is that of the row before,
 * and CPU that of the row after.
 */
static void
test_timeline_uneven(void **state)
{
    struct timeline curve;
    double value = -1;

    (void)state;
    timeline_init(&curve, SLOTS, NUM_NS_PER_MS);
    curve.width_ns = 100 * second;
    timeline_push(&curve, 0, 0);
    timeline_push(&curve, 1 * second, 10);
    timeline_push(&curve, 10 * second, 20);
    assert_double_equal(timeline_mean(&curve, 0).value, 19);
    assert_int_equal(curve.count, 1);
    timeline_done(&curve);
    timeline_init(&curve, SLOTS, NUM_NS_PER_MS);
    timeline_push(&curve, 0, 0);
    timeline_push(&curve, 10 * second, 20);
    assert_true(timeline_at(&curve, 4 * second, 6 * second, true, &value));
    assert_double_equal(value, 0);
    assert_true(timeline_at(&curve, 4 * second, 6 * second, false, &value));
    assert_double_equal(value, 20);
    assert_true(timeline_at(&curve, 10 * second, 11 * second, true, &value));
    assert_double_equal(value, 20);
    assert_false(timeline_at(&curve, 11 * second, 12 * second, true, &value));
    timeline_done(&curve);
}

/* The peak of a plateau is where it begins, in one slot or in several. */
static void
test_timeline_plateau(void **state)
{
    struct timeline_point largest;
    struct timeline curve;

    (void)state;
    timeline_init(&curve, SLOTS, NUM_NS_PER_MS);
    for (int64_t i = 0; i < 100000; i++)
        timeline_push(&curve, i * NUM_NS_PER_MS,
                      i < 30001   ? 1
                      : i < 90000 ? 7
                                  : 2);
    assert_true(timeline_largest(&curve, &largest));
    assert_int_equal(largest.elapsed_ns, 30001 * NUM_NS_PER_MS);
    timeline_done(&curve);
}

/* I/O totals become rates; rows outside the range are dropped. */
static void
test_recording(void **state)
{
    struct recording recording;
    struct timeline_point largest;

    (void)state;
    recording_init(&recording, 1 * second, 3 * second);
    for (int i = 0; i < 5; i++) {
        struct recording_row row = {.elapsed_ns = i * second,
                                    .rss_bytes = 1 << (20 + i),
                                    .vms_bytes = -1,
                                    .pss_bytes = -1,
                                    .read_bytes = 1000.0 * i * i,
                                    .write_bytes = 0};

        assert_int_equal(recording_push(&recording, &row), 0);
    }
    recording_finish(&recording);
    assert_int_equal(recording.curves[RECORDING_RSS].rows, 3);
    assert_false(recording_has(&recording, RECORDING_VMS));
    assert_true(timeline_largest(&recording.curves[RECORDING_READ], &largest));
    assert_double_equal(largest.value,
                        5000); /* from 4000 to 9000 in the third */
    assert_int_equal(recording.peak_bytes, 8 << 20);
    recording_take_peak(&recording, 99 << 20, NUM_UNKNOWN, 4 * second,
                        WORD_EXACT);
    assert_int_equal(recording.peak_bytes, 8 << 20);
    recording_take_peak(&recording, 99 << 20, NUM_UNKNOWN, 2 * second,
                        WORD_EXACT);
    recording_finish(&recording);
    assert_int_equal(recording.peak_bytes, 99 << 20);
    recording_done(&recording);
}

/* ---- ticks ---- */

static void
test_ticks_bytes(void **state)
{
    static const struct {
        double largest;
        const char *unit;
        double step;
    } cases[] = {
        {900, "B", 200},
        {2048, "KiB", 0.5},
        {70.9 * 1048576, "MiB", 20},
        {999 * 1048576.0, "MiB", 200},
        {1000 * 1048576.0, "GiB", 0.2},
        {3.7e9, "GiB", 1},
        {4e13, "TiB", 10},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct ticks ticks = ticks_bytes(cases[i].largest, 5);

        assert_string_equal(ticks.unit, cases[i].unit);
        assert_near(ticks.step, cases[i].step, cases[i].step * 0.001);
    }
}

static void
test_ticks_time(void **state)
{
    static const struct {
        double span_s;
        const char *unit;
        double step;
    } cases[] = {
        {0.002, "ms", 0.2}, {0.45, "ms", 50},     {2, "s", 0.2},
        {9.9, "s", 1},      {60, "s", 10},        {179, "s", 20},
        {180, "min", 0},    {3600, "min", 10},    {4 * 3600, "h", 1},
        {100000, "h", 3},   {10 * 86400, "d", 1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct ticks ticks = ticks_time(0, cases[i].span_s * 1e9, 10);

        assert_string_equal(ticks.unit, cases[i].unit);
        if (cases[i].step > 0)
            assert_near(ticks.step, cases[i].step, cases[i].step * 0.001);
    }
    assert_double_equal(ticks_percent(1600, 6).step, 400);
    assert_double_equal(ticks_percent(94, 6).step, 20);
}

/* ---- lanes ---- */

static void
test_lanes(void **state)
{
    const struct lanes_room room = {
        .to_ns = 20 * second, .width = 200, .least = 4, .most = LANES_MOST};
    struct regions regions;
    struct lanes lanes;

    (void)state;
    regions_init(&regions);
    regions_add(&regions, "outer", 0, 10 * second, true);
    regions_add(&regions, "inner", 2 * second, 3 * second, true);
    regions_add(&regions, "after", 10 * second, 5 * second, true);
    assert_int_equal(lanes_init(&lanes, &regions, &room), 0);
    assert_int_equal(lanes.count, 3);
    assert_int_equal(lanes.used, 2);
    assert_string_equal(lanes.boxes[0].names[0], "outer");
    assert_int_equal(lanes.boxes[1].lane, 0);
    assert_int_equal(lanes.boxes[2].lane, 1);
    assert_double_equal(lanes.boxes[2].begin, 20);
    assert_double_equal(lanes.boxes[2].end, 50);
    lanes_done(&lanes);
    /* Many short regions take no more boxes than there are dots. */
    for (int i = 0; i < 20000; i++)
        regions_add(&regions, i % 2 == 0 ? "a" : "b", i * NUM_NS_PER_MS,
                    NUM_NS_PER_MS / 2, true);
    assert_int_equal(lanes_init(&lanes, &regions, &room), 0);
    assert_at_most(lanes.count, (size_t)(200 * lanes.used));
    lanes_done(&lanes);
    regions_done(&regions);
}

/* Three in turn, each far shorter than a dot: none of them hides the others. */
static void
test_lanes_in_turn(void **state)
{
    static const struct {
        int64_t of_b_us; /* of 1000; a has the first 300 */
        const char *want;
    } cases[] = {{100, "c, a, b: 3000 regions"},
                 {500, "b, a, c: 3000 regions"},
                 {0, "c, a: 2000 regions"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct lanes_room room = {
            .to_ns = second, .width = 100, .least = 2, .most = 2};
        int64_t us = NUM_NS_PER_MS / 1000;
        struct regions regions;
        struct lanes lanes;
        STRBUF_AUTO label = {0};

        regions_init(&regions);
        for (int64_t k = 0; k < 1000; k++) {
            int64_t at = k * NUM_NS_PER_MS;

            regions_add(&regions, "a", at, 300 * us, true);
            if (cases[i].of_b_us > 0)
                regions_add(&regions, "b", at + 300 * us, cases[i].of_b_us * us,
                            true);
            regions_add(&regions, "c", at + (300 + cases[i].of_b_us) * us,
                        (700 - cases[i].of_b_us) * us, true);
        }
        assert_int_equal(lanes_init(&lanes, &regions, &room), 0);
        assert_int_equal(lanes.count, 1);
        assert_double_equal(lanes.boxes[0].begin, 0);
        assert_near(lanes.boxes[0].end, 100, 1);
        lanes_label(&label, &lanes.boxes[0], false);
        assert_string_equal(strbuf_text(&label), cases[i].want);
        lanes_done(&lanes);
        regions_done(&regions);
    }
}

/* A name with nine tenths of the time gives the box its colour. */
static void
test_lanes_most_time(void **state)
{
    const struct lanes_room room = {
        .to_ns = second, .width = 100, .least = 2, .most = 2};
    struct regions regions;
    struct lanes lanes;
    STRBUF_AUTO label = {0};

    (void)state;
    regions_init(&regions);
    for (int64_t k = 0; k < 1000; k++) {
        regions_add(&regions, "tiny", k * NUM_NS_PER_MS, 1000, true);
        regions_add(&regions, "solve", k * NUM_NS_PER_MS + 1000,
                    NUM_NS_PER_MS - 1000, true);
    }
    assert_int_equal(lanes_init(&lanes, &regions, &room), 0);
    assert_int_equal(lanes.count, 1);
    assert_false(lanes.boxes[0].is_mixed);
    lanes_label(&label, &lanes.boxes[0], false);
    assert_string_equal(strbuf_text(&label), "solve, tiny: 2000 regions");
    lanes_done(&lanes);
    regions_done(&regions);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_timeline_few),
        cmocka_unit_test(test_timeline_million),
        cmocka_unit_test(test_timeline_uneven),
        cmocka_unit_test(test_timeline_plateau),
        cmocka_unit_test(test_recording),
        cmocka_unit_test(test_ticks_bytes),
        cmocka_unit_test(test_ticks_time),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_lanes_in_turn),
        cmocka_unit_test(test_lanes_most_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
