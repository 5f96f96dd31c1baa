/* SPDX-License-Identifier: MIT */
/* Command lines and what they become, or the one line that they get. */
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
         "--interval 0: 1 ms to 1 day (as 0.1, 100ms, 5s, 1min), or auto"},
        {"pmon -i 25h -- true",
         "--interval 25h: 1 ms to 1 day (as 0.1, 100ms, 5s, 1min), or auto"},
        {"pmon -i -- true",
         "--interval --: 1 ms to 1 day (as 0.1, 100ms, 5s, 1min), or auto"},
        {"pmon --duration 0 -- true",
         "--duration 0: a time above 0, up to 100 years, as 10, 500ms, 5min "
         "or 2h"},
        {"pmon --duration 876001h -- true",
         "--duration 876001h: a time above 0, up to 100 years, as 10, 500ms, "
         "5min or 2h"},
        {"pmon --duration 1e9 -- true",
         "--duration 1e9: a time above 0, up to 100 years, as 10, 500ms, 5min "
         "or 2h; not with an exponent"},
        {"pmon --kill-after 1.5E3 -- true",
         "--kill-after 1.5E3: a time up to 100 years, as 10, 500ms or 1min; "
         "not with an exponent"},
        {"pmon --max-time 1e9:stop -- true",
         "--max-time 1e9:stop: a time above 0, up to 100 years, as 90, 500ms "
         "or 10min, with :fail or :stop; not with an exponent"},
        {"pmon --max-rss 9000P -- true",
         "--max-rss 9000P: a size above 0, up to 8171P, as 500M, 2G or 2GB, "
         "with :fail or :stop"},
        {"pmon --pid 5 --pid 6",
         "--pid 6: --pid 5 is given already; start a pmon for each process"},
        {"pmon --log - -- true", "--log -: write to /dev/stdout by that name"},
        {"pmon --log -- true", "--log needs the name of a file"},
        {"pmon --log '' -- true", "--log needs the name of a file"},
        {"pmon --log-format xml -- true",
         "--log-format xml: plain, csv or jsonl"},
        {"pmon --pid 0", "--pid 0: a process id, 1 to 4194304"},
        {"pmon --pid x", "--pid x: a process id, 1 to 4194304"},
        {"pmon --pid 5 -- true", "--pid and a command: one or the other"},
        {"pmon --log m.txt", "a command is missing: pmon [OPTIONS] -- COMMAND"},
        {"pmon --", "a command is missing: pmon [OPTIONS] -- COMMAND"},
        {"pmon --nonsense -- true", "--nonsense: no such option (pmon --help)"},
        {"pmon -Z -- true", "-Z: no such option (pmon --help)"},
        {"pmon --quiet=yes -- true", "--quiet takes no value"},
        {"pmon --survivors wait --pid 5",
         "--survivors goes with a command, not with --pid"},
        {"pmon --no-children --survivors kill -- true",
         "--survivors wait and kill do not go with --no-children, which does "
         "not look for them"},
        {"pmon --results r -- true", "--results r goes with --step NAME"},
        {"pmon --log", "--log needs FILE"},
        {"pmon -q -v -- true", "--quiet and --verbose: one or the other"},
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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
