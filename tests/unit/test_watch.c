/* SPDX-License-Identifier: MIT */
/* The pure parts of pmon-watch: filters, variables, settings, rows. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "base/num.h"
#include "base/strbuf.h"
#include "formats/resource_rows.h"
#include "unit.h"
#include "watch/env_file.h"
#include "watch/filters.h"
#include "watch/row_files.h"
#include "watch/sampling.h"
#include "watch/settings.h"

#define RAW(text) text, sizeof(text) - 1

static void
test_command(void **state)
{
    static const struct {
        const char *raw;
        size_t size;
        const char *want;
    } cases[] = {
        {RAW("sleep\0"
             "5\0"),
         "sleep 5"},
        {RAW("python3\0-\0"), "python3 -"},
        {RAW("  a \0\tb\n\0"), "a b"},
        {RAW("a\0\0b\0"), "a  b"},
        {RAW("nginx: master process\0\0\0\0"), "nginx: master process"},
        {RAW("no end"), "no end"},
        {RAW("a\nb\0\xff\x1b[1m\0"), "a\nb \xff\x1b[1m"},
        {RAW("\0"), ""},
        {RAW(" \0 \0"), ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO line = {0};

        filters_join_command(&line, cases[i].raw, cases[i].size);
        assert_string_equal(strbuf_text(&line), cases[i].want);
        assert_int_equal(line.size, strlen(cases[i].want));
    }
}

static void
test_filters(void **state)
{
    static const struct {
        const char *list;
        const char *line;
        bool matches;
    } cases[] = {
        {"python3*", "python3 -m robot", true},
        {"python3*", "/usr/bin/python3 -m robot", false},
        {"*python3*", "/usr/bin/python3 -m robot", true},
        {"/opt/opentrons*, python3*", "/opt/opentrons-robot/run", true},
        {" , /opt/opentrons* ,,python3* ", "python3", true},
        {"sleep", "sleep 5", false},
        {"sleep ?", "sleep 5", true},
        {"sl[a-e]ep*", "sleep 5", true},
        {"a\\*", "a\\b", true}, /* FNM_NOESCAPE */
        {"a\\*", "a*", false},
        {"*", "/a/b .hidden", true},
        {"a*b", "a\nb", true},
        {"*\xff*", "a\xff", true},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct filters filters = {0};

        assert_int_equal(filters_add_list(&filters, cases[i].list), 0);
        if (filters_match(&filters, cases[i].line) != cases[i].matches)
            fail_msg("%s on %s", cases[i].list, cases[i].line);
        filters_done(&filters);
    }
}

static void
test_no_filter(void **state)
{
    static const char *const lists[] = {"", " ", ",", " , ,"};

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
        struct filters filters = {0};

        assert_int_equal(filters_add_list(&filters, lists[i]), -EINVAL);
        filters_done(&filters);
    }
}

static void
test_env_file(void **state)
{
    static const struct {
        const char *text;
        const char *value; /* of A; NULL: not set */
    } cases[] = {
        {"A=1\n", "1"},
        {"A=1", "1"},
        {"# A=2\n; A=3\n\n  A=1  \n", "1"},
        {"A=1\nA=2\n", "2"},
        {"A=\n", ""},
        {"B=1\n", NULL},
        {"", NULL},
        {"A=\"x y\"\n", "x y"},
        {"A='x \"y\" # z'\n", "x \"y\" # z"},
        {"A=\"x \\\"y\\\" \\n\"\n", "x \"y\" \\n"},
        {"A=\"a\nb\"\nB=1\n", "a\nb"},
        {"A=/opt/*, python3*\r\n", "/opt/*, python3*"},
        {"A=a\\\nb\n", "ab"},
        {"A=a=b\n", "a=b"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct env_file file;
        const char *value;

        assert_int_equal(env_file_parse(&file, cases[i].text, "f", NULL), 0);
        value = env_file_find(&file, "A");
        if (cases[i].value == NULL)
            assert_null(value);
        else
            assert_string_equal(value, cases[i].value);
        env_file_done(&file);
    }
}

static void
test_bad_env_file(void **state)
{
    static const char *const texts[] = {"A=1\n\nx\n", "A=1\n\n1A=2\n",
                                        "A=1\n\nB=\"x\n", "A=1\n\nB='x' y\n",
                                        "A=1\n\n=x\n"};

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        struct env_file file;
        struct error error;

        assert_int_equal(env_file_parse(&file, texts[i], "f", &error), -EINVAL);
        assert_string_equal(error.text,
                            "f:3: neither NAME=VALUE nor a comment");
        env_file_done(&file);
    }
}

static const char *
no_environment(const char *name)
{
    (void)name;
    return NULL;
}

static void
test_defaults(void **state)
{
    char *argv[] = {(char[]){"pmon-watch"}, (char[]){"--env-prefix=X_"}, NULL};
    struct settings settings;
    struct settings flags;

    (void)state;
    assert_int_equal(settings_parse(&flags, 2, argv, NULL), 0);
    assert_int_equal(settings_make(&settings, &flags, no_environment, NULL), 0);
    assert_false(settings.is_enabled);
    assert_int_equal(settings.filters.count, 2);
    assert_string_equal(settings.filters.list[0], "/opt/opentrons*");
    assert_string_equal(settings.filters.list[1], "python3*");
    assert_int_equal(settings.interval_ns, 10 * NUM_NS_PER_S);
    assert_string_equal(settings.dir, "/data/performance_metrics_data");
    assert_int_equal(settings.level, WATCH_INFO);
    settings_done(&settings);
    settings_done(&flags);
}

static const char *
bad_environment(const char *name)
{
    if (strcmp(name, "X_ENABLED") == 0)
        return "TRUE";
    if (strcmp(name, "X_REFRESH_INTERVAL") == 0)
        return "0.5";
    return strcmp(name, "X_STORAGE_DIR") == 0 ? "data" : NULL;
}

static void
test_first_bad_variable(void **state)
{
    char *argv[] = {(char[]){"pmon-watch"}, (char[]){"--env-prefix=X_"}, NULL};
    struct settings settings = {0};
    struct settings flags;
    struct error error;

    (void)state;
    assert_int_equal(settings_parse(&flags, 2, argv, NULL), 0);
    assert_int_equal(settings_make(&settings, &flags, bad_environment, &error),
                     -EINVAL);
    assert_string_equal(error.text,
                        "X_REFRESH_INTERVAL=0.5: must be 1.0 s to 365 days");
    assert_null(settings.dir);
    settings_done(&flags);
}

/* The example of pmon-formats(5), to the byte. */
static void
test_row(void **state)
{
    static const char want[] =
        "\"1796007184763513878\",\"/usr/bin/python3 -\",\"1796007184.3\","
        "\"0.09\",\"0.03\",\"0.09256327344701287\"\r\n";
    const struct resource_row row = {.query_ns = 1796007184763513878,
                                     .command = "/usr/bin/python3 -",
                                     .running_since_s = 1796007184.3,
                                     .user_s = 0.09,
                                     .system_s = 0.03,
                                     .memory_percent = 0.09256327344701287};
    STRBUF_AUTO out = {0};

    (void)state;
    resource_row_append(&out, &row);
    assert_string_equal(strbuf_text(&out), want);
}

static void
test_extended_row(void **state)
{
    const struct resource_row row = {.command = "a",
                                     .is_extended = true,
                                     .pid = 7,
                                     .ppid = 1,
                                     .rss_bytes = 4096,
                                     .pss_bytes = NUM_UNKNOWN,
                                     .cpu_milli_percent = 99872,
                                     .threads = 2,
                                     .descriptors = NUM_UNKNOWN};
    STRBUF_AUTO out = {0};

    (void)state;
    resource_row_append(&out, &row);
    assert_string_equal(strbuf_text(&out),
                        "\"0\",\"a\",\"0.0\",\"0.0\",\"0.0\",\"0.0\",\"7\","
                        "\"1\",\"4096\",\"\",\"99.872\",\"2\",\"\"\r\n");
}

static void
test_hostile_command(void **state)
{
    static const char command[] = "a \"b\",c\r\nd\x1b[1m\xff";
    const struct resource_row row = {.query_ns = 1, .command = command};
    struct csv_text csv;
    STRBUF_AUTO out = {0};

    (void)state;
    resource_row_append(&out, &row);
    csv_text_init(&csv, out.text, out.size);
    assert_int_equal(csv_text_next(&csv), 0);
    assert_int_equal(csv.count, RESOURCE_FIELDS);
    assert_string_equal(csv_text_field(&csv, 1), command);
    assert_int_equal(csv_text_next(&csv), 1);
    csv_text_done(&csv);
}

static void
test_numbers(void **state)
{
    static const struct {
        double value;
        const char *want;
    } cases[] = {
        {0, "0.0"},
        {5, "5.0"},
        {0.1, "0.1"},
        {1796007184, "1796007184.0"},
        {1e15, "1000000000000000.0"},
        {1e16, "1.0e+16"},
        {0.0001, "0.0001"},
        {0.00001, "1.0e-05"},
        {1.5e-5, "1.5e-05"},
        {1.0 / 3, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char text[NUM_TEXT_SIZE];

        num_print_shortest(cases[i].value, text);
        assert_string_equal(text, cases[i].want);
    }
}

/* However a row was torn, the next one is read. */
static void
test_torn_ends(void **state)
{
    const struct resource_row row = {.query_ns = 1, .command = "a \"b\"\r\nc"};
    STRBUF_AUTO whole = {0};

    (void)state;
    resource_row_append(&whole, &row);
    for (size_t size = 0; size <= whole.size; size++) {
        STRBUF_AUTO out = {0};
        struct csv_text csv;
        int rc = 0;
        int good = 0;

        strbuf_append(&out, whole.text, size);
        strbuf_puts(&out, row_files_missing_end(whole.text, size));
        strbuf_append(&out, whole.text, whole.size);
        csv_text_init(&csv, out.text, out.size);
        while ((rc = csv_text_next(&csv)) != 1)
            good += rc == 0 && csv.count == RESOURCE_FIELDS &&
                    strcmp(csv_text_field(&csv, 5), "torn") != 0;
        csv_text_done(&csv);
        /* If only the line end is missing, the row is complete. */
        assert_int_equal(good, size + 2 >= whole.size ? 2 : 1);
    }
}

static int64_t
add(struct last_rows *last_rows, pid_t pid, uint64_t start, int64_t cpu_ms,
    int64_t at_ms)
{
    const struct last_row row = {.pid = pid,
                                 .start_ticks = start,
                                 .cpu_ns = cpu_ms * NUM_NS_PER_MS,
                                 .at_ns = at_ms * NUM_NS_PER_MS};

    return last_rows_add(last_rows, &row);
}

static void
test_cpu_since_last_row(void **state)
{
    struct last_rows last_rows = {0};

    (void)state;
    last_rows_begin(&last_rows);
    assert_int_equal(add(&last_rows, 9, 1, 100, 1000), NUM_UNKNOWN);
    assert_int_equal(add(&last_rows, 5, 1, 0, 1000), NUM_UNKNOWN);
    last_rows_commit(&last_rows);
    last_rows_begin(&last_rows);
    assert_int_equal(add(&last_rows, 9, 1, 600, 2000), 50000);
    /* These rows were not written: the next ones count from the ones before. */
    last_rows_begin(&last_rows);
    assert_int_equal(add(&last_rows, 9, 1, 1100, 3000), 50000);
    assert_int_equal(add(&last_rows, 5, 2, 10, 3000), NUM_UNKNOWN); /* reused */
    last_rows_commit(&last_rows);
    last_rows_begin(&last_rows);
    assert_int_equal(add(&last_rows, 5, 2, 10, 4000), 0);
    last_rows_commit(&last_rows);
    last_rows_begin(&last_rows);
    assert_int_equal(add(&last_rows, 9, 1, 1200, 5000), NUM_UNKNOWN);
    last_rows_done(&last_rows);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_no_filter),
        cmocka_unit_test(test_env_file),
        cmocka_unit_test(test_bad_env_file),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_first_bad_variable),
        cmocka_unit_test(test_row),
        cmocka_unit_test(test_extended_row),
        cmocka_unit_test(test_hostile_command),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_torn_ends),
        cmocka_unit_test(test_cpu_since_last_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
