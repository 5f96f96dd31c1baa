/* SPDX-License-Identifier: MIT */
/* Command lines as one string: their words, or whether they need a shell. */
#include <errno.h>
#include <stdio.h>

#include "base/shell_words.h"
#include "base/strbuf.h"
#include "unit.h"

/* The words of text, each in brackets; or `shell`, `open`. */
static void
show(struct strbuf *out, const char *text)
{
    struct shell_words words = {0};
    int rc = shell_words_split(text, &words);

    if (rc == 1 || rc == -EINVAL)
        strbuf_puts(out, rc == 1 ? "shell" : "open");
    else
        assert_int_equal(rc, 0);
    for (size_t i = 0; i < words.count; i++)
        strbuf_printf(out, "[%s]", words.list[i]);
    if (rc == 0)
        assert_null(words.list[words.count]);
    shell_words_done(&words);
}

static void
test_split(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } cases[] = {
        {"", ""},
        {"  \t ", ""},
        {"sleep 5", "[sleep][5]"},
        {"  a\tb  c ", "[a][b][c]"},
        {"a ''", "[a][]"},
        {"a \"\" b", "[a][][b]"},
        {"'a b' c", "[a b][c]"},
        {"a'b c'd", "[ab cd]"},
        {"a\"b c\"'d e'", "[ab cd e]"},
        {"'a\"b'", "[a\"b]"},
        {"\"a'b\"", "[a'b]"},
        {"'$HOME;*'", "[$HOME;*]"},
        {"python3 -c \"import time; time.sleep(1)\"",
         "[python3][-c][import time; time.sleep(1)]"},
        {"\"a\\\"b\"", "[a\"b]"},
        {"\"a\\$b\\`\"", "[a$b`]"},
        {"\"a\\\\b\"", "[a\\b]"},
        {"\"a\\nb\"", "[a\\nb]"},
        {"\"a\\\nb\"", "[ab]"},
        {"'a\\b'", "[a\\b]"},
        {"'a\nb'", "[a\nb]"},
        {"a\\ b", "[a b]"},
        {"a\\'b \\\\ \\$x", "[a'b][\\][$x]"},
        {"a\\\nb", "[ab]"},
        {"a \\\n b", "[a][b]"},
        {"--x=1 a=b", "[--x=1][a=b]"},
        {"./a=b c", "[./a=b][c]"},
        {"1A=2 b", "[1A=2][b]"},
        {"\xC3\xA4 b", "[\xC3\xA4][b]"},
        {"a | b", "shell"},
        {"a&", "shell"},
        {"a; b", "shell"},
        {"a > b", "shell"},
        {"a < b", "shell"},
        {"(a)", "shell"},
        {"{ a; }", "shell"},
        {"a $b", "shell"},
        {"a \"$b\"", "shell"},
        {"a \"`b`\"", "shell"},
        {"a *.c", "shell"},
        {"a ?", "shell"},
        {"a [b]", "shell"},
        {"a ~", "shell"},
        {"a # b", "shell"},
        {"a\nb", "shell"},
        {"A=1 b", "shell"},
        {"  _a1='x y' b", "shell"},
        {"a 'b", "open"},
        {"a \"b", "open"},
        {"a \"b\\", "open"},
        {"a \\", "open"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO got = {0};

        show(&got, cases[i].text);
        assert_string_equal(strbuf_text(&got), cases[i].want);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
