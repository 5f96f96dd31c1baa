/* SPDX-License-Identifier: MIT */
/*
 * Checked numbers.  A parser accepts the whole text or fails: no sign, no
 * blanks, no overflow.  Inside pmon times are nanoseconds and sizes bytes.
 */
#ifndef PMON_BASE_NUM_H
#define PMON_BASE_NUM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

#define NUM_NS_PER_S INT64_C(1000000000)
#define NUM_NS_PER_MS INT64_C(1000000)
#define NUM_NS_PER_US INT64_C(1000)
#define NUM_MIB INT64_C(1048576)

/* A value that is not known; every known one is 0 or more. */
#define NUM_UNKNOWN INT64_C(-1)

/* Decimal digits only.  0, or -EINVAL (no number) or -ERANGE (too large). */
int num_parse_u64(const char *text, uint64_t *ret_value);

/*
 * A decimal number such as 0.05: no sign, no exponent, no hexadecimal digits,
 * no word such as inf.  0 or -EINVAL.
 */
int num_parse_decimal(const char *text, double *ret_value);

/* A process id, 1 to 2^22 (Linux's PID_MAX_LIMIT).  0, -EINVAL or -ERANGE. */
int num_parse_pid(const char *text, int *ret_pid);

/*
 * A time: `0.1`, `100ms`, `5s`, `2min`, `1h`; without a unit, seconds.  Blanks
 * may precede the unit. 0, or -EINVAL (no time) or -ERANGE (over 292 years).
 */
int num_parse_time(const char *text, int64_t *ret_ns);

/*
 * A size: bytes, or K M G T P in powers of 1024 (also KiB or Ki); kB MB GB
 * TB PB are powers of 1000.  0, -EINVAL or -ERANGE.
 */
int num_parse_size(const char *text, int64_t *ret_bytes);

enum { NUM_TEXT_SIZE = 40 };

/*
 * The shortest decimal text that reads back as the same finite value, written
 * as Python does (`5.0`, `0.09`, `1e+16`), but with a `.` in every case.  The
 * decimal point is that of the C locale, which pmon never leaves.
 */
void num_print_shortest(double value, char text[NUM_TEXT_SIZE]);

/* a + b and a * b for values of 0 or more; INT64_MAX where they overflow. */
int64_t num_add(int64_t a, int64_t b);
int64_t num_mul(int64_t a, int64_t b);

/*
 * The integer nearest to value, which may come from anywhere; NUM_UNKNOWN for
 * a negative one, for NaN, and for one that int64_t cannot hold.  A plain cast
 * of such a value is undefined, so this and num_to_int are the only casts.
 */
static inline int64_t
num_from_double(double value)
{
    return value >= 0 && value < 9.2e18 ? (int64_t)(value + 0.5) : NUM_UNKNOWN;
}

/* The whole part of value, within 0 to most; 0 for NaN. */
static inline int
num_to_int(double value, int most)
{
    if (!(value > 0))
        return 0;
    return value < (double)most ? (int)value : most;
}

static inline double
num_seconds(int64_t ns)
{
    return (double)ns / (double)NUM_NS_PER_S;
}

static inline double
num_mib(int64_t bytes)
{
    return (double)bytes / (double)NUM_MIB;
}

static inline int64_t
num_timeval(const struct timeval *tv)
{
    return tv->tv_sec * NUM_NS_PER_S + tv->tv_usec * NUM_NS_PER_US;
}

/* The middle of count > 0 values, which are put in order. */
double num_median(double *values, size_t count);

/* The larger; NAN where a is.  Without libm, which pmon does not load. */
static inline double
num_max_double(double a, double b)
{
    return b > a ? b : a;
}

static inline int64_t
num_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
