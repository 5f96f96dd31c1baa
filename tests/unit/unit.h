/* SPDX-License-Identifier: MIT */
/* What every unit test includes: cmocka and what it needs before it. */
#ifndef PMON_TESTS_UNIT_H
#define PMON_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
