/* SPDX-License-Identifier: MIT */
/* Figures as people read them. */
#include "base/num.h"
#include "model/recording.h"
#include "unit.h"
#include "views/human.h"

static void
test_human(void **state)
{
    static const struct {
        int64_t value;
        const char *bytes;
        const char *duration;
    } cases[] = {
        {0, "0 B", "0 s"},
        {999, "999 B", "999 ns"},
        {1024, "1.00 KiB", "1.0 \u00b5s"},
        {49940, "48.8 KiB", "49.9 \u00b5s"},
        {999400, "976 KiB", "999 \u00b5s"},
        {999600, "976 KiB", "1.0 ms"},
        {12300000, "11.7 MiB", "12 ms"},
        {99400000, "94.8 MiB", "99 ms"},
        {99600000, "95.0 MiB", "0.10 s"},
        {4200000, "4.01 MiB", "4.2 ms"},
        {530000000, "505 MiB", "0.53 s"},
        {12300000000, "11.5 GiB", "12.3 s"},
        {59960000000, "55.8 GiB", "1 min 0.0 s"},
        {123400000000, "115 GiB", "2 min 3.4 s"},
        {3723000000000, "3.39 TiB", "1 h 2 min 3 s"},
        {1073741824, "1.00 GiB", "1.1 s"},
        {1073000000, "1.00 GiB", "1.1 s"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO bytes = {0};
        STRBUF_AUTO duration = {0};

        human_bytes(&bytes, cases[i].value);
        human_duration(&duration, cases[i].value);
        assert_string_equal(strbuf_text(&bytes), cases[i].bytes);
        assert_string_equal(strbuf_text(&duration), cases[i].duration);
    }
}

static void
test_peak_words(void **state)
{
    static const struct {
        enum word word;
        int64_t upper_bytes;
        const char *want;
    } cases[] = {
        {WORD_UNKNOWN, NUM_UNKNOWN, "largest row 10.0 MiB"},
        {WORD_EXACT, 10 * NUM_MIB, "peak 10.0 MiB (exact)"},
        {WORD_BETWEEN, 12 * NUM_MIB, "peak between 10.0 MiB and 12.0 MiB"},
        {WORD_AT_LEAST, NUM_UNKNOWN, "peak at least 10.0 MiB"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct recording recording = {.peak_bytes = 10 * NUM_MIB,
                                      .peak_upper_bytes = cases[i].upper_bytes,
                                      .peak_word = cases[i].word};
        STRBUF_AUTO out = {0};

        human_peak_recording(&out, &recording);
        assert_string_equal(strbuf_text(&out), cases[i].want);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_human),
        cmocka_unit_test(test_peak_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
