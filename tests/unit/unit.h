/* SPDX-License-Identifier: MIT */
/* Included by every unit test: cmocka, and checks that show both values. */
#ifndef PMON_TESTS_UNIT_H
#define PMON_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"

/*
 * Skips a test that cannot work here. skip() of cmocka 1.1 prints "not ok #
 * SKIP", which is a failure in TAP.
 */
#define SKIP_TEST(why)                         \
    do {                                       \
        print_message("# not run: " why "\n"); \
        return;                                \
    } while (0)

/*
 * Checks of numbers, compared as double: cmocka 1.1 compares as float, and
 * has none for an order.  near: less than within away.
 */
#define assert_double_equal(a, b)                                          \
    unit_check((double)(a) == (double)(b), (double)(a), "==", (double)(b), \
               __FILE__, __LINE__)
#define assert_at_least(a, b)                                              \
    unit_check((double)(a) >= (double)(b), (double)(a), ">=", (double)(b), \
               __FILE__, __LINE__)
#define assert_at_most(a, b)                                               \
    unit_check((double)(a) <= (double)(b), (double)(a), "<=", (double)(b), \
               __FILE__, __LINE__)
#define assert_near(a, b, within)                                \
    unit_check((double)(a) > (double)(b) - (double)(within) &&   \
                   (double)(a) < (double)(b) + (double)(within), \
               (double)(a), "near", (double)(b), __FILE__, __LINE__)

static inline void
unit_check(bool holds, double a, const char *relation, double b,
           const char *file, int line)
{
    if (holds)
        return;
    print_error("not %.17g %s %.17g\n", a, relation, b);
    _fail(file, line);
}

#endif
