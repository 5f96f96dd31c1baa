/* SPDX-License-Identifier: MIT */
/* Chart, sparkline, and names in gnuplot's script. */
#include <errno.h>
#include <stdio.h>

#include "base/num.h"
#include "model/recording.h"
#include "unit.h"
#include "views/cells.h"
#include "views/chart.h"
#include "views/closing_parts.h"
#include "views/picture.h"

static const int64_t second = NUM_NS_PER_S;

/* ---- chart ---- */

static void
fill(struct recording *recording)
{
    recording_init(recording, 0, INT64_MAX);
    for (int i = 0; i <= 100; i++) {
        struct recording_row row = {.elapsed_ns = i * second / 10,
                                    .cpu_percent = i % 20 < 10 ? 190 : 40,
                                    .rss_bytes = (double)NUM_MIB *
                                                 (i < 70 ? 10 + i : 35),
                                    .vms_bytes = -1,
                                    .pss_bytes = -1,
                                    .read_bytes = -1,
                                    .write_bytes = -1};

        recording_push(recording, &row);
    }
    recording_take_peak(recording, 79 * NUM_MIB + 200000, NUM_UNKNOWN,
                        69 * second / 10, WORD_AT_LEAST);
    recording_finish(recording);
    regions_add(&recording->regions, "LOADING", 1 * second, 4 * second, true);
    regions_add(&recording->regions, "saving", 7 * second, 2 * second, true);
}

static void
check_chart(int width, bool is_ascii, const char *const *want)
{
    struct chart chart = {
        .width = width,
        .is_ascii = is_ascii,
        .title = "ecm_prep",
        .shows = {[RECORDING_RSS] = true, [RECORDING_CPU] = true}};
    struct recording recording;
    STRBUF_AUTO out = {0};
    char *rest;
    char *line;

    fill(&recording);
    assert_int_equal(chart_text(&out, &chart, &recording), 0);
    recording_done(&recording);
    for (line = strtok_r(out.text, "\n", &rest); line != NULL && *want != NULL;
         line = strtok_r(NULL, "\n", &rest), want++)
        assert_string_equal(line, *want);
    assert_null(line);
    assert_null(*want);
}

/* clang-format off */
static void
test_chart_60(void **state)
{
    static const char *const want[] = {
        "ecm_prep",
        "               ├─────LOADING──────┤          ├─saving─┤",
        "     RSS │    peak at least 79.2 MiB, 6.9 s ▼",
        "  80 MiB ┤                               ▁▃▅▇",
        "         │                           ▁▃▅▇████",
        "  60 MiB ┤                       ▁▃▅▇████████",
        "         │                   ▁▃▅▇████████████",
        "         │               ▁▃▅▇████████████████",
        "  40 MiB ┤           ▁▃▅▇████████████████████▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃",
        "         │       ▁▃▅▇███████████████████████████████████████",
        "  20 MiB ┤   ▁▃▅▇███████████████████████████████████████████",
        "         │▃▅▇███████████████████████████████████████████████",
        "         │██████████████████████████████████████████████████",
        "       0 └┴────────────────────────┴───────────────────────┴",
        "     CPU │",
        "   200 % ┤▆▆▆▆▆     ▆▆▆▆▆     ▆▆▆▆▆     ▆▆▆▆▆     ▆▆▆▆▆    ▆",
        "         │█████     █████     █████     █████     █████    █",
        "   100 % ┤█████     █████     █████     █████     █████    █",
        "         │█████     █████     █████     █████     █████    █",
        "         │██████████████████████████████████████████████████",
        "       0 └┴────────────────────────┴───────────────────────┴",
        "         0 s                      5 s                   10 s",
        NULL};

    (void)state;
    check_chart(60, false, want);
}

static void
test_chart_60_ascii(void **state)
{
    static const char *const want[] = {
        "ecm_prep",
        "               [-----LOADING------]          [-saving-]",
        "     RSS |    peak at least 79.2 MiB, 6.9 s v",
        "  80 MiB +                               .::#",
        "         |                           .::#####",
        "  60 MiB +                       .::#########",
        "         |                   .::#############",
        "         |               .::#################",
        "  40 MiB +           .::#####################:::::::::::::::",
        "         |       .::########################################",
        "  20 MiB +   .::############################################",
        "         |::################################################",
        "         |##################################################",
        "       0 ++------------------------+-----------------------+",
        "     CPU |",
        "   200 % +#####     #####     #####     #####     #####    #",
        "         |#####     #####     #####     #####     #####    #",
        "   100 % +#####     #####     #####     #####     #####    #",
        "         |#####     #####     #####     #####     #####    #",
        "         |##################################################",
        "       0 ++------------------------+-----------------------+",
        "         0 s                      5 s                   10 s",
        NULL};

    (void)state;
    check_chart(60, true, want);
}

static void
test_chart_200(void **state)
{
    static const char *const want[] = {
        "ecm_prep",
        "                             ├─────────────────────────────────LOADING──────────────────────────────────┤                                      ├───────────────saving───────────────┤",
        "     RSS │                                                                                                                                   ▼ peak at least 79.2 MiB, 6.9 s",
        "  80 MiB ┤                                                                                                                       ▁▁▂▂▃▃▄▄▅▅▆▆▇▇",
        "         │                                                                                                        ▁▁▂▂▃▃▄▄▅▅▆▇▇████████████████",
        "  60 MiB ┤                                                                                         ▁▁▂▂▃▃▄▅▅▆▆▇▇███████████████████████████████",
        "         │                                                                          ▁▁▂▃▃▄▄▅▅▆▆▇▇██████████████████████████████████████████████",
        "         │                                                          ▁▁▂▂▃▃▄▄▅▅▆▆▇▇█████████████████████████████████████████████████████████████",
        "  40 MiB ┤                                           ▁▁▂▂▃▃▄▄▅▅▆▆▇▇████████████████████████████████████████████████████████████████████████████▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃",
        "         │                            ▁▁▂▂▃▃▄▄▅▅▆▇▇█████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████",
        "  20 MiB ┤             ▁▁▂▂▃▃▄▅▅▆▆▇▇████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████",
        "         │▂▃▃▄▄▅▅▆▆▇▇███████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████",
        "         │██████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████",
        "       0 └┴──────────────────┴──────────────────┴──────────────────┴──────────────────┴──────────────────┴──────────────────┴──────────────────┴──────────────────┴──────────────────┴─────────────────┴",
        "     CPU │",
        "   200 % ┤▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆                   ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆                   ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆                   ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆                   ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆                   ▆",
        "         │██████████████████                   ███████████████████                   ███████████████████                   ███████████████████                   ███████████████████                   █",
        "   100 % ┤██████████████████                   ███████████████████                   ███████████████████                   ███████████████████                   ███████████████████                   █",
        "         │██████████████████                   ███████████████████                   ███████████████████                   ███████████████████                   ███████████████████                   █",
        "         │██████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████",
        "       0 └┴──────────────────┴──────────────────┴──────────────────┴──────────────────┴──────────────────┴──────────────────┴──────────────────┴──────────────────┴──────────────────┴─────────────────┴",
        "         0 s                1 s                2 s                3 s                4 s                5 s                6 s                7 s                8 s                9 s             10 s",
        NULL};

    (void)state;
    check_chart(200, false, want);
}

/* clang-format on */

/* One row, no CPU, a hostile and a wide name, an unknown time of the peak. */
static void
test_chart_little(void **state)
{
    struct chart chart = {
        .width = 40,
        .title = "\033[31m\xE6\xBC\xA2\n\xFF",
        .shows = {[RECORDING_RSS] = true, [RECORDING_CPU] = true}};
    struct recording_row row = {.cpu_percent = -1,
                                .rss_bytes = 2048,
                                .vms_bytes = -1,
                                .pss_bytes = -1,
                                .read_bytes = -1,
                                .write_bytes = -1};
    struct recording recording;
    STRBUF_AUTO out = {0};

    (void)state;
    recording_init(&recording, 0, INT64_MAX);
    recording_push(&recording, &row);
    recording_take_peak(&recording, 4096, NUM_UNKNOWN, NUM_UNKNOWN, WORD_EXACT);
    recording_finish(&recording);
    assert_int_equal(chart_text(&out, &chart, &recording), 0);
    recording_done(&recording);
    assert_memory_equal(strbuf_text(&out), "?[31m\xE6\xBC\xA2?\?\n", 11);
    assert_non_null(strstr(strbuf_text(&out), "peak 4.00 KiB (exact)"));
    assert_null(strstr(strbuf_text(&out), "CPU"));
}

static void
test_cells(void **state)
{
    STRBUF_AUTO out = {0};
    struct cells cells;

    (void)state;
    assert_int_equal(cells_init(&cells, 10, false), 0);
    cells_put(&cells, 7, "abcdef");
    cells_put_most(&cells, 0, 5, "0123456789");
    cells_append(&cells, &out);
    cells_clear(&cells);
    cells_put(&cells, -2, "xyz");
    cells_append(&cells, &out);
    cells_clear(&cells);
    cells_put_right(&cells, 4, "漢r");
    cells_append(&cells, &out);
    cells_clear(&cells);
    cells_put_right(&cells, 4, "right");
    cells_append(&cells, &out);
    cells_done(&cells);
    assert_string_equal(strbuf_text(&out), "0123…  abc\nz\n 漢r\nright\n");
    assert_int_equal(cells_width("a\xE6\xBC\xA2"), 3);
}

static void
test_sparkline(void **state)
{
    static const struct {
        size_t points;
        bool is_cpu;
        int most;
        const char *want;
    } cases[] = {
        {7, false, 80, ""},
        {8, false, 80, "▁▂▃▄▅▆▇█"},
        {8, true, 80, "████████"},
        {8, true, 7, ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct run_series series = {0};
        STRBUF_AUTO out = {0};
        struct run run = {0};

        assert_int_equal(run_series_resize(&series, cases[i].points), 0);
        for (size_t j = 0; j < cases[i].points; j++) {
            series.elapsed_ns[j] = (int64_t)j * second;
            series.rss_bytes[j] = (double)j;
            series.cpu_percent[j] = 100;
        }
        closing_sparkline(&out, &series, cases[i].is_cpu, cases[i].most);
        assert_string_equal(strbuf_text(&out), cases[i].want);
        run.series = series;
        run_done(&run);
    }
}

/* ---- picture ---- */

static void
test_format(void **state)
{
    enum picture_format format;

    (void)state;
    assert_int_equal(picture_format_of("a/b.c/p.SVG", &format), 0);
    assert_int_equal(format, PICTURE_SVG);
    assert_int_equal(picture_format_of("p.png", &format), 0);
    assert_int_equal(format, PICTURE_PNG);
    assert_int_equal(picture_format_of("p.pdf", &format), 0);
    assert_int_equal(format, PICTURE_PDF);
    assert_int_equal(picture_format_of("p.gif", &format), -EINVAL);
    assert_int_equal(picture_format_of("svg", &format), -EINVAL);
    assert_int_equal(picture_format_of("p.svg/x", &format), -EINVAL);
}

/* No quote and no line end can end a string. */
static void
test_quote(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } cases[] = {
        {"plain", "'plain'"},
        {"a'b", "'a’b'"},
        {"''", "'’’'"},
        {"';system('x')#", "'’;system(’x’)#'"},
        {"`x` \"$(x)\" @x {/x}^_\\", "'`x` \"$(x)\" @x {/x}^_\\'"},
        {"a\nb\r\033[2J\x7F", "'a?b?\?[2J?'"},
        {"\xFF\xC0\x80", "'?\?\?'"},
        {"\xE2\x80\xA8", "'?'"}, /* a line separator */
        {"0123456789abcdef", "'0123456789ab…'"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO out = {0};

        picture_quote(&out, cases[i].text,
                      i + 1 < ARRAY_SIZE(cases) ? 100 : 12);
        assert_string_equal(strbuf_text(&out), cases[i].want);
    }
}

/* Titles replace those of gnuplot in order; the rest stays. */
static void
test_title_svg(void **state)
{
    STRBUF_AUTO svg = {0};
    STRBUF_AUTO titles = {0};

    (void)state;
    strbuf_puts(&svg, "<svg><title>Gnuplot</title><g><title>$d0_0 using 1:2"
                      "</title></g><title>gnuplot_plot_2</title></svg>\n");
    strbuf_puts(&titles, "a <b> & c\nRSS\n");
    assert_int_equal(picture_title_svg(&svg, &titles), 0);
    assert_string_equal(strbuf_text(&svg),
                        "<svg><title>a &lt;b&gt; &amp; c</title><g><title>RSS"
                        "</title></g><title>gnuplot_plot_2</title></svg>\n");
}

/* pmon writes each line of the script, whatever the names contain. */
static void
test_script(void **state)
{
    static const char *const begins[] = {
        "#", "reset session", "set ", "$d", "EOD", "unset ", "plot ", "",
    };
    struct recording runs[2];
    struct picture picture = {
        .title = "t'\n!touch x\n`x`",
        .shows = {[RECORDING_RSS] = true, [RECORDING_CPU] = true}};

    (void)state;
    for (int i = 0; i < 2; i++) {
        fill(&runs[i]);
        runs[i].name = strdup("'\n!touch x\n");
        regions_add(&runs[i].regions, "'\n!touch x\n", 0, second, true);
    }
    for (int form = 0; form < 3; form++) {
        STRBUF_AUTO out = {0};
        STRBUF_AUTO titles = {0};
        char *rest;
        char *line;

        picture.is_stacked = form == 2;
        assert_int_equal(
            picture_script(&out, &titles, &picture, runs, form == 0 ? 1 : 2),
            0);
        for (line = strtok_r(out.text, "\n", &rest); line != NULL;
             line = strtok_r(NULL, "\n", &rest)) {
            size_t k = 0;

            if (*line >= '0' && *line <= '9')
                continue;
            while (*begins[k] != '\0' &&
                   strncmp(line, begins[k], strlen(begins[k])) != 0)
                k++;
            if (*begins[k] == '\0')
                fail_msg("unknown line: %s", line);
        }
    }
    recording_done(&runs[0]);
    recording_done(&runs[1]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chart_60),  cmocka_unit_test(test_chart_60_ascii),
        cmocka_unit_test(test_chart_200), cmocka_unit_test(test_chart_little),
        cmocka_unit_test(test_cells),     cmocka_unit_test(test_sparkline),
        cmocka_unit_test(test_format),    cmocka_unit_test(test_quote),
        cmocka_unit_test(test_title_svg), cmocka_unit_test(test_script),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
