/* SPDX-License-Identifier: MIT */
/* Values: numbers, times, sizes, and the limits of compare and of budgets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "commands/compare_state.h"
#include "commands/options.h"
#include "fuzz/fuzz.h"

static void
check_numbers(const char *text)
{
    uint64_t number;
    int64_t value;
    int pid;

    if (num_parse_u64(text, &number) == 0)
        FUZZ_CHECK(text[strspn(text, "0123456789")] == '\0');
    if (num_parse_pid(text, &pid) == 0)
        FUZZ_CHECK(pid > 0 && pid <= 4194304);
    if (num_parse_time(text, &value) == 0)
        FUZZ_CHECK(value >= 0);
    if (num_parse_size(text, &value) == 0)
        FUZZ_CHECK(value >= 0);
}

static void
check_compare(const char *text)
{
    struct compare_limit limits[RUN_FIELDS] = {{0}};
    struct error error = {0};

    if (compare_limits_parse(limits, text, &error) < 0) {
        fuzz_check_error(&error);
        return;
    }
    for (size_t i = 0; i < RUN_FIELDS; i++)
        if (limits[i].is_set)
            FUZZ_CHECK(isfinite(limits[i].value) && limits[i].value >= 0);
}

static void
check_budget(enum budget_kind kind, char *text)
{
    STRBUF_AUTO option = {0};
    char pmon[] = "pmon";
    char dashes[] = "--";
    char command[] = "true";
    char *argv[] = {pmon, NULL, text, dashes, command, NULL};
    struct error error = {0};
    struct options options;
    const struct budget *budget = &options.budgets.list[kind];

    strbuf_printf(&option, "--%s", budgets_name(kind));
    argv[1] = option.text;
    if (options_parse(&options, 5, argv, &error) < 0) {
        fuzz_check_error(&error);
        return;
    }
    FUZZ_CHECK(budgets_is_set(budget));
    FUZZ_CHECK(budget->limit > 0 ||
               (budget->percent > 0 && budget->percent < 100));
}

/* A number is printed so that it reads back as the same. */
static void
check_shortest(const uint8_t *data, size_t size)
{
    char text[NUM_TEXT_SIZE];
    double value = 0;

    memcpy(&value, data, size < sizeof(value) ? size : sizeof(value));
    if (!isfinite(value))
        return;
    num_print_shortest(value, text);
    FUZZ_CHECK(strtod(text, NULL) >= value && strtod(text, NULL) <= value);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);

    check_numbers(text);
    check_compare(text);
    for (int i = 0; i < BUDGET_KINDS; i++)
        check_budget((enum budget_kind)i, text);
    check_shortest(data, size);
    free(text);
    return 0;
}
