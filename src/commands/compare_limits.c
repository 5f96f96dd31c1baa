/* SPDX-License-Identifier: MIT */
/* --fail-over: names and limits. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "commands/compare_state.h"

static bool
parse_plain(const char *text, double *ret_value)
{
    return num_parse_decimal(text, ret_value) == 0 && *ret_value < 1e15;
}

/* `10%`, or a value in the unit of the figure. */
static bool
parse_limit(char *text, enum unit unit, struct compare_limit *limit)
{
    size_t size = strlen(text);
    int64_t value;

    limit->is_set = true;
    if (size > 1 && text[size - 1] == '%') {
        text[size - 1] = '\0';
        limit->is_relative = true;
        return parse_plain(text, &limit->value);
    }
    limit->is_relative = false;
    if (unit == UNIT_SECONDS && num_parse_time(text, &value) == 0)
        limit->value = num_seconds(value);
    else if (unit == UNIT_BYTES && num_parse_size(text, &value) == 0)
        limit->value = (double)value;
    else
        return unit != UNIT_SECONDS && unit != UNIT_BYTES &&
               parse_plain(text, &limit->value);
    return true;
}

static const char *
allowed(enum unit unit)
{
    switch (unit) {
    case UNIT_SECONDS:
        return "a time such as 2s or 500ms, or a percentage such as 10%";
    case UNIT_BYTES:
        return "a size such as 50MiB, or a percentage such as 10%";
    case UNIT_TEXT:
    case UNIT_BOOL:
    case UNIT_COUNT:
    case UNIT_PERCENT:
    default:
        return "a number, or a percentage such as 10%";
    }
}

/* name=limit, of size bytes */
static int
parse_one(struct compare_limit *limits, const char *text, size_t size,
          struct error *error)
{
    const char *equals = memchr(text, '=', size);
    size_t name = equals != NULL ? (size_t)(equals - text) : size;
    int at = run_field_find(text, name);
    const struct run_field *field;
    STRBUF_AUTO names = {0};
    char value[64] = "";

    run_field_names(&names);
    if (at < 0)
        return error_set(
            error, -EINVAL, "--fail-over %.*s: the figure must be one of %s",
            (int)(name < 64 ? name : 64), text, strbuf_text(&names));
    field = run_field_at((size_t)at);
    if (equals != NULL && size - name - 1 < sizeof(value))
        memcpy(value, equals + 1, size - name - 1);
    if (!parse_limit(value, field->unit, &limits[at]))
        return error_set(error, -EINVAL,
                         "--fail-over %.*s: the limit of %s must be %s",
                         (int)(size < 64 ? size : 64), text, field->name,
                         allowed(field->unit));
    return 0;
}

int
compare_limits_parse(struct compare_limit *limits, const char *text,
                     struct error *error)
{
    for (;;) {
        size_t size = strcspn(text, ",");
        int rc = parse_one(limits, text, size, error);

        if (rc < 0 || text[size] == '\0')
            return rc;
        text += size + 1;
    }
}
