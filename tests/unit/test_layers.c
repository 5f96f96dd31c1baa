/* SPDX-License-Identifier: MIT */
/* The layers that a stacked picture makes of the rows of --processes. */
#include <stdio.h>

#include "base/num.h"
#include "model/layers.h"
#include "unit.h"

#define MS(n) ((n)*NUM_NS_PER_MS)

/* Walks through rows given as text, twice. */
static void
fill(struct layer_keys *keys, struct layers *layers, enum layers_by by,
     const struct process_row *rows, size_t count)
{
    layer_keys_init(keys, by);
    layers_init(layers, keys, 0, INT64_MAX);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(layers_take(layers, &rows[i]), 0);
    layers_counted(layers);
    assert_int_equal(layer_keys_choose(keys), 0);
    assert_int_equal(layers_begin(layers), 0);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(layers_take(layers, &rows[i]), 0);
    layers_filled(layers);
}

static void
done(struct layer_keys *keys, struct layers *layers)
{
    layers_done(layers);
    layer_keys_done(keys);
}

/* The value of a layer for the time before an edge, and that time. */
static void
check_layer(const struct layers *layers, enum layers_kind kind, size_t index,
            const char *label, double want)
{
    int64_t begin_ns;
    int64_t end_ns;
    const double *values =
        layers_values(layers, kind, index, &begin_ns, &end_ns);

    for (size_t i = 0; i < layers->keys->labelled; i++)
        if (strcmp(layers->keys->labels[i], label) == 0) {
            assert_near(values[i], want, 1e-6);
            return;
        }
    fail_msg("no layer %s", label);
}

static void
test_layers(void **state)
{
    /* b is larger; a execs to c; 2 ends, and its id comes back as d. */
    static const struct process_row rows[] = {
        {MS(0), 1, 0, "a", 0, 10, 0},    {MS(0), 2, 1, "b", 0, 50, 0},
        {MS(100), 1, 0, "c", 40, 20, 0}, {MS(100), 2, 1, "b", 80, 60, 0},
        {MS(200), 2, 1, "b", 10, 0, 0},  {MS(200), 2, 1, "d", 30, 5, 0},
        {MS(300), 1, 0, "c", 5, 0, 0},   {MS(300), 2, 1, "d", -1, 6, 0},
        {MS(400), 2, 1, "d", 20, 0, 0},
    };
    struct layer_keys keys;
    struct layers layers;

    (void)state;
    fill(&keys, &layers, LAYERS_BY_COMMAND, rows, ARRAY_SIZE(rows));
    assert_int_equal(layers.count, 5);
    assert_int_equal(keys.labelled, 4);
    assert_int_equal(keys.others, 0);
    check_layer(&layers, LAYERS_MEMORY, 1, "a", 10);
    check_layer(&layers, LAYERS_MEMORY, 1, "b", 50);
    check_layer(&layers, LAYERS_MEMORY, 2, "a", 0);
    check_layer(&layers, LAYERS_MEMORY, 2, "c", 20);
    check_layer(&layers, LAYERS_MEMORY, 3, "b", 0);
    check_layer(&layers, LAYERS_MEMORY, 3, "d", 5);
    check_layer(&layers, LAYERS_MEMORY, 4, "d", 6);
    check_layer(&layers, LAYERS_CPU, 1, "b", 80);
    check_layer(&layers, LAYERS_CPU, 1, "c", 40);
    check_layer(&layers, LAYERS_CPU, 2, "b", 10);
    check_layer(&layers, LAYERS_CPU, 2, "d", 30);
    /* c used 5 % of 200 ms, d 20 % of 200 ms. */
    check_layer(&layers, LAYERS_CPU, 2, "c", 5);
    check_layer(&layers, LAYERS_CPU, 3, "c", 5);
    check_layer(&layers, LAYERS_CPU, 3, "d", 20);
    check_layer(&layers, LAYERS_CPU, 4, "d", 20);
    assert_string_equal(keys.labels[layers.order[LAYERS_MEMORY][0]], "b");
    assert_near(layers.most[LAYERS_MEMORY], 80, 1e-6);
    assert_near(layers.most[LAYERS_CPU], 120, 1e-6);
    done(&keys, &layers);

    fill(&keys, &layers, LAYERS_BY_PROCESS, rows, ARRAY_SIZE(rows));
    assert_int_equal(keys.labelled, 3);
    check_layer(&layers, LAYERS_MEMORY, 1, "c (1)", 10);
    check_layer(&layers, LAYERS_MEMORY, 2, "b (2)", 60);
    check_layer(&layers, LAYERS_MEMORY, 3, "d (2)", 5);
    done(&keys, &layers);
}

/* Of 40 commands eight have names, and the sum of all is what it was. */
static void
test_others(void **state)
{
    enum { COMMANDS = 40 };
    struct process_row rows[2 * COMMANDS];
    char names[COMMANDS][8];
    struct layer_keys keys;
    struct layers layers;
    int64_t begin_ns;
    int64_t end_ns;

    (void)state;
    for (int i = 0; i < COMMANDS; i++) {
        snprintf(names[i], sizeof(names[i]), "c%d", i);
        rows[i] =
            (struct process_row){MS(0), i + 1, 0, names[i], 0, 1000 + i, 0};
        rows[COMMANDS + i] =
            (struct process_row){MS(100), i + 1, 0, names[i], 1, 0, 0};
    }
    fill(&keys, &layers, LAYERS_BY_COMMAND, rows, ARRAY_SIZE(rows));
    assert_int_equal(keys.labelled, LAYERS_MOST);
    assert_int_equal(keys.others, COMMANDS - LAYERS_MOST);
    assert_int_equal(layers.used[LAYERS_MEMORY], LAYERS_ALL);
    assert_string_equal(keys.labels[0], "c39");
    assert_int_equal(layers.order[LAYERS_MEMORY][LAYERS_MOST], LAYERS_MOST);
    assert_near(layers_sum(layers_values(&layers, LAYERS_MEMORY, 1, &begin_ns,
                                         &end_ns)),
                COMMANDS * 1000 + COMMANDS * (COMMANDS - 1) / 2, 1e-6);
    assert_near(layers.most[LAYERS_CPU], COMMANDS, 1e-6);
    done(&keys, &layers);
}

/* Of many ticks the largest is kept, and no CPU time is lost. */
static void
test_many_ticks(void **state)
{
    enum { TICKS = 10001 };
    struct process_row *rows = calloc(TICKS, sizeof(*rows));
    struct layer_keys keys;
    struct layers layers;
    double cpu_s = 0;

    (void)state;
    assert_non_null(rows);
    for (int i = 0; i < TICKS; i++)
        rows[i] = (struct process_row){
            MS(10) * i, 7, 1, "a", i % 4 == 0 ? 50 : -1, i == 7777 ? 9 : 3, 0};
    rows[0].cpu_percent = 0;
    fill(&keys, &layers, LAYERS_BY_COMMAND, rows, TICKS);
    assert_false(layers.has_ticks);
    assert_int_equal(layers.count, LAYERS_STRETCHES + 1);
    assert_near(layers.most[LAYERS_MEMORY], 9, 1e-9);
    for (size_t i = 1; i < layers.count; i++)
        cpu_s += layers.values[LAYERS_CPU][i][0] / 100 *
                 num_seconds(layers.edges_ns[i] - layers.edges_ns[i - 1]);
    assert_near(cpu_s, 50.0, 1e-3);
    done(&keys, &layers);
    free(rows);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_many_ticks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
