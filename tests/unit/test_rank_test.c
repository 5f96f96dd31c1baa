/* SPDX-License-Identifier: MIT */
/* The Mann-Whitney test, the shift and the z-score, by published values. */
#include <math.h>

#include "model/rank_test.h"
#include "unit.h"

enum { MOST = 40 };

/* The published tables have two-sided p. */
static double
two_sided(const struct rank_test *test)
{
    double p = test->p_more < test->p_less ? test->p_more : test->p_less;

    return p < 0.5 ? 2 * p : 1;
}

/* Groups without ties where new has u pairs that are larger. */
static void
make_groups(size_t n, size_t m, size_t u, double *base, double *new)
{
    for (size_t i = 0; i < n; i++)
        base[i] = (double)(i + 1);
    for (size_t i = m; i-- > 0;) {
        size_t above = u < n ? u : n;

        u -= above;
        new[i] = (double)above + 0.5 + (double)i / 1000;
    }
}

/* The two-sided p of U, as printed to four digits in tables of the test. */
static void
test_tables(void **state)
{
    static const struct {
        size_t n, m, u;
        double p;
    } table[] = {
        {3, 3, 0, 0.1},     {4, 4, 0, 0.0286},    {5, 5, 0, 0.0079},
        {5, 5, 2, 0.0317},  {5, 5, 3, 0.0556},    {2, 3, 0, 0.2},
        {6, 6, 5, 0.0411},  {6, 6, 6, 0.0649},    {8, 8, 13, 0.0499},
        {8, 8, 14, 0.0650}, {10, 10, 10, 0.0015},
    };
    double base[MOST];
    double new[MOST];

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
        struct rank_test test;

        make_groups(table[i].n, table[i].m, table[i].u, base, new);
        assert_int_equal(rank_test(base, table[i].n, new, table[i].m, &test),
                         0);
        assert_true(test.is_exact);
        assert_double_equal(test.u, (double)table[i].u);
        assert_near(two_sided(&test), table[i].p, 0.00005001);
        assert_near(test.p_less, table[i].p / 2, 0.00003);
        /* With the groups exchanged it is the other tail. */
        rank_test(new, table[i].m, base, table[i].n, &test);
        assert_near(test.p_more, table[i].p / 2, 0.00003);
    }
}

/* Critical values of U at the two-sided level 0.05 (Mann and Whitney). */
static void
test_critical(void **state)
{
    static const size_t table[][3] = {{4, 4, 0},    {5, 5, 2},    {6, 6, 5},
                                      {7, 7, 8},    {8, 8, 13},   {9, 9, 17},
                                      {10, 10, 23}, {15, 15, 64}, {5, 10, 8},
                                      {3, 8, 2},    {20, 20, 127}};
    double base[MOST];
    double new[MOST];

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
        size_t n = table[i][0];
        size_t m = table[i][1];
        struct rank_test test;

        make_groups(n, m, table[i][2], base, new);
        rank_test(base, n, new, m, &test);
        assert_at_most(two_sided(&test), 0.05);
        make_groups(n, m, table[i][2] + 1, base, new);
        rank_test(base, n, new, m, &test);
        assert_at_least(two_sided(&test), 0.05);
    }
}

/* Ties are counted as they are: all 20 choices of 3 of 1 2 2 2 3 4. */
static void
test_ties(void **state)
{
    static const double base[] = {1, 2, 2};
    static const double new[] = {2, 3, 4};
    static const double same[] = {5, 5, 5};
    struct rank_test test;

    (void)state;
    rank_test(base, 3, new, 3, &test);
    assert_double_equal(test.u, 8);
    assert_near(test.p_more, 3.0 / 20, 1e-12);
    assert_near(test.p_less, 1, 1e-12);
    rank_test(same, 3, same, 3, &test);
    assert_near(test.p_more, 1, 1e-12);
    assert_near(test.p_less, 1, 1e-12);
    assert_double_equal(two_sided(&test), 1);
}

/* Ten runs of 10 s with one of 20 s, against ten of 15 s. */
static void
test_outlier(void **state)
{
    double base[] = {10, 10, 10, 10, 20, 10, 10, 10, 10, 10};
    double new[] = {15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
    struct rank_test test;

    (void)state;
    rank_test(base, 10, new, 10, &test);
    assert_double_equal(test.u, 90);
    assert_near(two_sided(&test), 22.0 / 184756, 1e-12);
    assert_double_equal(test.shift, 5);
    assert_double_equal(test.low, 5);
    assert_double_equal(test.high, 5);
    /* With times that all differ, the p of the table for U = 10. */
    for (int i = 0; i < 10; i++) {
        base[i] += i / 100.0;
        new[i] += i / 100.0;
    }
    rank_test(base, 10, new, 10, &test);
    assert_double_equal(test.u, 90);
    assert_near(two_sided(&test), 0.0015, 0.00005);
}

/* Above 20 x 20: with the correction for continuity. */
static void
test_normal(void **state)
{
    double base[30];
    double new[30];
    struct rank_test test;

    (void)state;
    for (int i = 0; i < 30; i++) {
        base[i] = i;
        new[i] = i + 8.5;
    }
    rank_test(base, 30, new, 30, &test);
    assert_false(test.is_exact);
    assert_double_equal(test.u, 900 - 21 * 22 / 2.0);
    /* z = (669 - 450 - 0.5) / sqrt(900 * 61 / 12) = 3.23039 */
    assert_near(test.p_more, 0.000618, 0.000001);
    assert_double_equal(test.shift, 8.5);
    for (int i = 0; i < 30; i++)
        base[i] = new[i] = 1;
    rank_test(base, 30, new, 30, &test);
    assert_double_equal(test.p_more, 1);
}

/* P(U <= 2) = 4/252 is within 0.025, P(U <= 3) = 7/252 is not. */
static void
test_interval(void **state)
{
    static const double base[] = {1, 2, 3, 4, 5};
    static const double new[] = {11.1, 12.3, 13.2, 14.6, 15.8};
    struct rank_test test;

    (void)state;
    /* 2 of 25 differences are outside on each side, by hand. */
    rank_test(base, 5, new, 5, &test);
    assert_near(test.shift, 10.3, 1e-9);
    assert_near(test.low, 7.3, 1e-9);
    assert_near(test.high, 13.6, 1e-9);
    rank_test(base, 3, new, 3, &test);
    assert_true(isnan(test.low));
    assert_true(isnan(test.high));
}

static void
test_least(void **state)
{
    (void)state;
    assert_near(rank_test_least_p(1, 1), 0.5, 1e-12);
    assert_near(rank_test_least_p(3, 2), 0.1, 1e-12);
    assert_near(rank_test_least_p(3, 3), 0.05, 1e-12);
    assert_near(rank_test_least_p(10, 10), 1.0 / 184756, 1e-15);
}

/* 0.6745 (x - median) / MAD */
static void
test_z(void **state)
{
    static const double values[] = {1, 2, 3, 4, 5};
    static const double steps[] = {1, 1, 1, 1, 2};
    static const double equal[] = {7, 7, 7, 7, 7};

    (void)state;
    assert_near(rank_test_z(values, 5, 8), 0.6745 * 5, 0.001);
    assert_near(rank_test_z(values, 5, 1), -0.6745 * 2, 0.001);
    /* MAD 0: by the mean deviation, 0.2 */
    assert_near(rank_test_z(steps, 5, 2), 1 / (1.253314 * 0.2), 0.001);
    assert_double_equal(rank_test_z(equal, 5, 7), 0);
    assert_true(rank_test_z(equal, 5, 8) > 1e9);
    assert_true(rank_test_z(equal, 5, 6) < -1e9);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables), cmocka_unit_test(test_critical),
        cmocka_unit_test(test_ties),   cmocka_unit_test(test_outlier),
        cmocka_unit_test(test_normal), cmocka_unit_test(test_interval),
        cmocka_unit_test(test_least),  cmocka_unit_test(test_z),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
