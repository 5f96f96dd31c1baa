/* SPDX-License-Identifier: MIT */
/* Command lines, and the settings or the error that they give. */
#include <errno.h>
#include <stdio.h>

#include "base/num.h"
#include "commands/options.h"
#include "unit.h"

enum { MOST_WORDS = 32 };

struct line {
    char text[512];
    char *argv[MOST_WORDS + 1];
    int argc;
};

/* Words of text, separated by one blank; `''` is an empty one. */
static void
split(struct line *line, const char *text)
{
    char *rest;
    char *word;

    snprintf(line->text, sizeof(line->text), "%s", text);
    line->argc = 0;
    for (word = strtok_r(line->text, " ", &rest);
         word != NULL && line->argc < MOST_WORDS;
         word = strtok_r(NULL, " ", &rest)) {
        if (strcmp(word, "''") == 0)
            word[0] = '\0';
        line->argv[line->argc++] = word;
    }
    line->argv[line->argc] = NULL;
}

static void
test_all(void **state)
{
    struct options options;
    struct error error;
    struct line line;

    (void)state;
    split(&line,
          "pmon -l m.txt --log-format csv -i 20ms -d 5 --no-children "
          "--include-io --append-peak p.csv --summary=s.json -v -- a -l");
    assert_int_equal(options_parse(&options, line.argc, line.argv, &error), 0);
    assert_string_equal(options.log, "m.txt");
    assert_int_equal(options.log_format, LOG_CSV);
    assert_int_equal(options.interval_ns, 20000000);
    assert_int_equal(options.duration_ns, 5 * NUM_NS_PER_S);
    assert_true(options.root_only);
    assert_true(options.include_io);
    assert_string_equal(options.append_peak, "p.csv");
    assert_string_equal(options.summary, "s.json");
    assert_true(options.is_verbose);
    assert_string_equal(options.argv[0], "a");
    assert_string_equal(options.argv[1], "-l");
    assert_null(options.argv[2]);
}

static void
test_defaults(void **state)
{
    struct options options;
    struct error error;
    struct line line;

    (void)state;
    split(&line, "pmon -- true");
    assert_int_equal(options_parse(&options, line.argc, line.argv, &error), 0);
    assert_int_equal(options.interval_ns, 100 * NUM_NS_PER_MS);
    assert_int_equal(options.duration_ns, NUM_UNKNOWN);
    assert_false(options.root_only);
    assert_null(options.log);
    split(&line, "pmon -i auto -p 12");
    assert_int_equal(options_parse(&options, line.argc, line.argv, &error), 0);
    assert_int_equal(options.interval_ns, NUM_UNKNOWN);
    assert_int_equal(options.attach_pid, 12);
    split(&line, "pmon --no-children --include-children -- true");
    assert_int_equal(options_parse(&options, line.argc, line.argv, &error), 0);
    assert_false(options.root_only);
}

static void
test_errors(void **state)
{
    static const struct {
        const char *line;
        const char *want;
    } cases[] = {
        {"pmon sleep 5", "put -- before the command: pmon -- sleep 5"},
        {"pmon --log m.txt sleep 5",
         "put -- before the command: pmon --log m.txt -- sleep 5"},
        {"pmon 1234", "did you mean --pid 1234?"},
        {"pmon --interval 0 -- true",
         "--interval 0: must be 1 ms to 1 day (such as 0.1, 100ms, 5s, 1min), "
         "or auto"},
        {"pmon -i 25h -- true", "--interval 25h: must be 1 ms to 1 day (such "
                                "as 0.1, 100ms, 5s, 1min), or auto"},
        {"pmon -i -- true", "--interval --: must be 1 ms to 1 day (such as "
                            "0.1, 100ms, 5s, 1min), or auto"},
        {"pmon --duration 0 -- true",
         "--duration 0: must be a time above 0, up to 100 "
         "years, such as 10, 500ms, 5min "
         "or 2h"},
        {"pmon --duration 876001h -- true",
         "--duration 876001h: must be a time above 0, up to 100 years, such as "
         "10, "
         "500ms, "
         "5min or 2h"},
        {"pmon --duration 1e9 -- true",
         "--duration 1e9: must be a time above 0, up to "
         "100 years, such as 10, 500ms, 5min "
         "or 2h; not with an exponent"},
        {"pmon --kill-after 1.5E3 -- true",
         "--kill-after 1.5E3: must be a time up to 100 years, such as 10, "
         "500ms or "
         "1min; "
         "not with an exponent"},
        {"pmon --max-time 1e9:stop -- true",
         "--max-time 1e9:stop: must be a time above 0, up to 100 years, such "
         "as 90, "
         "500ms "
         "or 10min, with :fail or :stop; not with an exponent"},
        {"pmon --max-rss 9000P -- true",
         "--max-rss 9000P: must be a size above 0, up "
         "to 8171P, such as 500M, 2G or 2GB, "
         "with :fail or :stop"},
        {"pmon --pid 5 --pid 6",
         "--pid 6: --pid 5 was already given; start one pmon for each process"},
        {"pmon --log - -- true",
         "--log -: not a file name; for standard output use /dev/stdout"},
        {"pmon --log -- true", "--log needs FILE"},
        {"pmon --log '' -- true", "--log needs FILE"},
        {"pmon --log-format xml -- true",
         "--log-format xml: must be plain, csv or jsonl"},
        {"pmon --pid 0", "--pid 0: must be a process id, 1 to 4194304"},
        {"pmon --pid x", "--pid x: must be a process id, 1 to 4194304"},
        {"pmon --pid 5 -- true",
         "--pid cannot be combined with a command: true"},
        {"pmon --log m.txt", "a command is missing: pmon [OPTIONS] -- COMMAND"},
        {"pmon --", "a command is missing: pmon [OPTIONS] -- COMMAND"},
        {"pmon --nonsense -- true", "--nonsense: no such option (pmon --help)"},
        {"pmon -Z -- true", "-Z: no such option (pmon --help)"},
        {"pmon --quiet=yes -- true", "--quiet takes no value"},
        {"pmon --survivors wait --pid 5",
         "--survivors cannot be combined with --pid"},
        {"pmon --no-children --survivors kill -- true",
         "--survivors cannot be combined with --no-children"},
        {"pmon --results r -- true", "--results DIR needs --step NAME"},
        {"pmon --log", "--log needs FILE"},
        {"pmon -q -v -- true", "--quiet cannot be combined with --verbose"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct options options;
        struct error error = {0};
        struct line line;

        split(&line, cases[i].line);
        assert_int_equal(options_parse(&options, line.argc, line.argv, &error),
                         -EINVAL);
        assert_string_equal(error.text, cases[i].want);
    }
}

/* A table of every kind of value, in any order with operands. */
enum fruit { FRUIT_APPLE, FRUIT_NONE, FRUIT_PEAR };

struct basket {
    bool is_open;
    const char *text;
    const char *file;
    int64_t time;
    int64_t size;
    int64_t count;
    enum fruit fruit;
    enum fruit word;
};

static const char *const fruits[] = {"apple", "", "pear", NULL};

#define AT(member) .where = offsetof(struct basket, member)

static const struct option_row rows[] = {
    {"open", 'o', NULL, "", .kind = OPTION_FLAG, AT(is_open)},
    {"closed", 0, NULL, "", .kind = OPTION_FLAG_OFF, AT(is_open)},
    {"text", 't', "TEXT", "", .kind = OPTION_TEXT, AT(text)},
    {"file", 0, "FILE", "", .kind = OPTION_OUTPUT, AT(file)},
    {"time", 0, "TIME", "", .kind = OPTION_TIME, AT(time), .least = 5,
     .most = 10 * NUM_NS_PER_S, .allowed = "5 ns to 10 s"},
    {"size", 0, "SIZE", "", .kind = OPTION_SIZE, AT(size), .least = 1024,
     .allowed = "from 1K"},
    {"count", 0, "N", "", .kind = OPTION_COUNT, AT(count), .least = 1,
     .most = 9, .allowed = "1 to 9"},
    {"fruit", 0, "FRUIT", "", .kind = OPTION_CHOICE, AT(fruit),
     .choices = fruits},
    {"word", 0, "WORD", "", .kind = OPTION_WORD, AT(word), .choices = fruits},
    {"help", 'h', NULL, "", .kind = OPTION_HELP},
};

static const struct option_pair excludes[] = {
    {"open", "fruit"}, {"time", "size"}, {NULL, NULL}};
static const struct option_pair needs[] = {
    {"count", "size"}, {"open", "text"}, {NULL, NULL}};

static const struct option_table table = {.usage = "usage: x\n",
                                          .command = "x",
                                          .rows = rows,
                                          .count = ARRAY_SIZE(rows),
                                          .excludes = excludes,
                                          .needs = needs,
                                          .is_mixed = true};

static void
test_table_errors(void **state)
{
    static const struct {
        const char *line;
        const char *want;
    } cases[] = {
        {"x --file", "--file needs FILE"},
        {"x --file=", "--file needs FILE"},
        {"x --file --", "--file needs FILE"},
        {"x --file -",
         "--file -: not a file name; for standard output use /dev/stdout"},
        {"x --time 4ns", "--time 4ns: must be 5 ns to 10 s"},
        {"x --time 11", "--time 11: must be 5 ns to 10 s"},
        {"x --time 1e0",
         "--time 1e0: must be 5 ns to 10 s; not with an exponent"},
        {"x --size 1023", "--size 1023: must be from 1K"},
        {"x --count 0", "--count 0: must be 1 to 9"},
        {"x --count 10", "--count 10: must be 1 to 9"},
        {"x --fruit Pear", "--fruit Pear: must be apple or pear"},
        {"x --fruit=", "--fruit : must be apple or pear"},
        {"x --word peach", "--word peach: must be apple or pear"},
        {"x --open=1", "--open takes no value"},
        {"x -z", "-z: no such option (x --help)"},
        {"x a --cuont 1",
         "--cuont: no such option; did you mean --count? (x --help)"},
        {"x --open --fruit pear", "--open cannot be combined with --fruit"},
        {"x --size 1K a --time 1", "--time cannot be combined with --size"},
        {"x --count 1", "--count N needs --size SIZE"},
        {"x -o", "--open needs --text TEXT"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct basket basket = {0};
        struct option_line parsed;
        struct error error = {0};
        struct line line;

        split(&line, cases[i].line);
        assert_int_equal(option_table_parse(&table, &basket, line.argc,
                                            line.argv, &parsed, &error),
                         -EINVAL);
        assert_string_equal(error.text, cases[i].want);
    }
}

static void
test_table_values(void **state)
{
    struct basket basket = {0};
    struct option_line parsed;
    struct line line;

    (void)state;
    split(&line, "x a --text '' b --size 2K c --count 9 --word PEAR --open "
                 "--closed --fruit pear -- -d");
    assert_int_equal(option_table_parse(&table, &basket, line.argc, line.argv,
                                        &parsed, NULL),
                     0);
    assert_string_equal(basket.text, "");
    assert_int_equal(basket.size, 2048);
    assert_int_equal(basket.count, 9);
    assert_int_equal(basket.word, FRUIT_PEAR);
    assert_int_equal(basket.fruit, FRUIT_PEAR);
    assert_false(basket.is_open);
    assert_true(option_table_has(&table, &parsed, "count"));
    assert_false(option_table_has(&table, &parsed, "time"));
    assert_int_equal(parsed.count, 4);
    assert_string_equal(parsed.operands[0], "a");
    assert_string_equal(parsed.operands[1], "b");
    assert_string_equal(parsed.operands[2], "c");
    assert_string_equal(parsed.operands[3], "-d");
    assert_null(parsed.operands[4]);
    /* The first choice is the default, and excludes nothing. */
    split(&line, "x --open -t y --fruit apple");
    assert_int_equal(option_table_parse(&table, &basket, line.argc, line.argv,
                                        &parsed, NULL),
                     0);
    split(&line, "x --open --help --nonsense");
    memset(&parsed, 0xa5, sizeof(parsed));
    assert_int_equal(option_table_parse(&table, &basket, line.argc, line.argv,
                                        &parsed, NULL),
                     OPTION_HELP);
    assert_int_equal(parsed.count, 0);
    assert_null(parsed.operands);
}

/* The rules of the main job name its options, and each is enforced. */
static void
test_main_job_rules(void **state)
{
    static const struct {
        const char *line;
        const char *want;
    } cases[] = {
        {"pmon --exact --pid 5", "--exact cannot be combined with --pid"},
        {"pmon --pid 5 --regions r", "--regions cannot be combined with --pid"},
        {"pmon --survivors kill -p 5",
         "--survivors cannot be combined with --pid"},
        {"pmon --max-rss 1G -p 5", "--max-rss cannot be combined with --pid"},
        {"pmon --max-time 1 -p 5", "--max-time cannot be combined with --pid"},
        {"pmon --max-cpu-time 1 -p 5",
         "--max-cpu-time cannot be combined with --pid"},
        {"pmon --min-free 5% -p 5", "--min-free cannot be combined with --pid"},
        {"pmon --survivors wait --no-children -- true",
         "--survivors cannot be combined with --no-children"},
        {"pmon -q -v -- true", "--quiet cannot be combined with --verbose"},
    };
    const struct option_pair *pair = options_table.excludes;
    struct options options;
    struct error error;
    struct line line;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++, pair++) {
        assert_non_null(pair->name);
        split(&line, cases[i].line);
        assert_int_equal(options_parse(&options, line.argc, line.argv, &error),
                         -EINVAL);
        assert_string_equal(error.text, cases[i].want);
    }
    assert_null(pair->name); /* a case for each row */
    split(&line, "pmon --survivors leave --pid 5");
    assert_int_equal(options_parse(&options, line.argc, line.argv, &error), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_table_errors),
        cmocka_unit_test(test_table_values),
        cmocka_unit_test(test_main_job_rules),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
