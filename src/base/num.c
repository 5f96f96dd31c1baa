/* SPDX-License-Identifier: MIT */
/* Checked numbers, times and sizes; pure functions on text. */
#include "base/num.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    const char *name;
    double scale;
};

static int
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int
num_parse_u64(const char *text, uint64_t *ret_value)
{
    uint64_t value = 0;

    if (*text == '\0')
        return -EINVAL;
    for (; *text != '\0'; text++) {
        unsigned digit = (unsigned)(*text - '0');

        if (!is_digit(*text))
            return -EINVAL;
        if (value > (UINT64_MAX - digit) / 10)
            return -ERANGE;
        value = value * 10 + digit;
    }
    *ret_value = value;
    return 0;
}

int
num_parse_pid(const char *text, int *ret_pid)
{
    uint64_t value;
    int rc = num_parse_u64(text, &value);

    if (rc < 0)
        return rc;
    if (value < 1 || value > (1 << 22))
        return -ERANGE;
    *ret_pid = (int)value;
    return 0;
}

/* Digits, with a fraction if any; returns what follows, NULL for none. */
static const char *
parse_decimal(const char *text, double *ret_value)
{
    double value = 0;
    double place = 1;
    int digits = 0;

    for (; is_digit(*text); text++, digits++)
        value = value * 10 + (*text - '0');
    if (*text == '.')
        for (text++; is_digit(*text); text++, digits++) {
            place *= 10;
            value = value * 10 + (*text - '0');
        }
    if (digits == 0 || digits > 300)
        return NULL;
    *ret_value = value / place;
    return text;
}

int
num_parse_decimal(const char *text, double *ret_value)
{
    const char *rest = parse_decimal(text, ret_value);

    return rest != NULL && *rest == '\0' ? 0 : -EINVAL;
}

static int
parse_scaled(const char *text, const struct unit *units, int64_t *ret_value)
{
    double value;
    int64_t scaled;
    const char *rest = parse_decimal(text, &value);

    if (rest == NULL)
        return -EINVAL;
    while (*rest == ' ')
        rest++;
    for (; units->name != NULL; units++) {
        if (strcmp(rest, units->name) != 0)
            continue;
        scaled = num_from_double(value * units->scale);
        if (scaled == NUM_UNKNOWN)
            return -ERANGE;
        *ret_value = scaled;
        return 0;
    }
    return -EINVAL;
}

int
num_parse_time(const char *text, int64_t *ret_ns)
{
    static const struct unit units[] = {
        {"", 1e9},     {"s", 1e9},    {"ms", 1e6},
        {"min", 60e9}, {"h", 3600e9}, {NULL, 0},
    };

    return parse_scaled(text, units, ret_ns);
}

int
num_parse_size(const char *text, int64_t *ret_bytes)
{
    static const struct unit units[] = {
        {"", 1},
        {"B", 1},
        {"K", 1024.0},
        {"KiB", 1024.0},
        {"Ki", 1024.0},
        {"k", 1024.0},
        {"kB", 1e3},
        {"KB", 1e3},
        {"M", 1048576.0},
        {"MiB", 1048576.0},
        {"Mi", 1048576.0},
        {"MB", 1e6},
        {"G", 1073741824.0},
        {"GiB", 1073741824.0},
        {"Gi", 1073741824.0},
        {"GB", 1e9},
        {"T", 1099511627776.0},
        {"TiB", 1099511627776.0},
        {"Ti", 1099511627776.0},
        {"TB", 1e12},
        {"P", 1125899906842624.0},
        {"PiB", 1125899906842624.0},
        {"Pi", 1125899906842624.0},
        {"PB", 1e15},
        {NULL, 0},
    };

    return parse_scaled(text, units, ret_bytes);
}

void
num_print_shortest(double value, char text[NUM_TEXT_SIZE])
{
    enum { MOST_DIGITS = 17 };
    int digits = 0; /* behind the first */
    int exponent;
    char *mark;

    do
        snprintf(text, NUM_TEXT_SIZE, "%.*e", digits, value);
    while (strtod(text, NULL) != value && ++digits < MOST_DIGITS);
    mark = strchr(text, 'e');
    exponent = mark != NULL ? atoi(mark + 1) : 0;
    if (exponent >= -4 && exponent < 16) {
        int places = digits - exponent;

        snprintf(text, NUM_TEXT_SIZE, "%.*f", places > 1 ? places : 1, value);
    } else if (digits == 0) {
        snprintf(text, NUM_TEXT_SIZE, "%.1e", value);
    }
}

int64_t
num_add(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

int64_t
num_mul(int64_t a, int64_t b)
{
    int64_t product;

    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static int
by_value(const void *a, const void *b)
{
    const double *one = a;
    const double *two = b;

    return (*one > *two) - (*one < *two);
}

double
num_median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), by_value);
    if (count % 2 == 1)
        return values[count / 2];
    return (values[count / 2 - 1] + values[count / 2]) / 2;
}
