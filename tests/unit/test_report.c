/* SPDX-License-Identifier: MIT */
/* What reports are made of: kinds of files, profiles, means, sheets, charts. */
#include <math.h>

#include "formats/file_kind.h"
#include "formats/log_figures.h"
#include "formats/profile_csv.h"
#include "unit.h"
#include "views/markdown.h"
#include "views/mermaid.h"
#include "views/sheet.h"

static void
test_kind(void **state)
{
    static const struct {
        const char *text;
        enum file_kind want;
    } cases[] = {
        {"", FILE_UNKNOWN},
        {"\n \n", FILE_UNKNOWN},
        {"hello\n", FILE_UNKNOWN},
        {" \n{\"schema\": 1}", FILE_SUMMARY},
        {"{\"elapsed_s\":0.000000,\"cpu_percent\":0.000}\n", FILE_LOG},
        {"# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)\n", FILE_LOG},
        {"  0.000  0.000  13.801  19.465\n", FILE_LOG},
        {"elapsed_time,nproc,cpu,mem_real,mem_virtual\n", FILE_LOG},
        {"elapsed_time,cpu,mem_real,mem_virtual\n", FILE_LOG},
        {"Starting up command 'true' and attaching to process\n", FILE_LOG},
        {"\n# Elapsed time,CPU (%),Peak Real (MB),Peak Virtual (MB)\n1,2,3,4\n",
         FILE_PROFILE},
        {"  9 function calls in 4.6 seconds\n", FILE_PROFILE},
        {"{built-in method\nncalls,tottime,percall\n", FILE_PROFILE},
        {"\"A\",\"1\",\"2\"\r\n", FILE_REGIONS},
        {"A,1,2\n", FILE_REGIONS},
        {"1,c,2,3,4,5\n", FILE_RESOURCES},
        {"a,b\n", FILE_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(file_kind_of_text(cases[i].text), cases[i].want);
}

static void
test_profile(void **state)
{
    static const struct {
        const char *line;
        enum profile_line state;
        enum profile_line want;
    } cases[] = {
        {"ncalls,tottime,percall,cumtime,percall,filename:lineno(function)",
         PROFILE_OTHER, PROFILE_TITLES},
        {"# Elapsed time,CPU (%),Peak Real (MB),Peak Virtual (MB)",
         PROFILE_TITLES, PROFILE_BLOCK},
        {"anything", PROFILE_OTHER, PROFILE_OTHER},
        {"", PROFILE_TITLES, PROFILE_OTHER},
        {"1,0.1,0.2,0.3,0.4,a,\"b\"", PROFILE_TITLES, PROFILE_FUNCTION},
        {"1,0.1,0.2,0.3,0.4,", PROFILE_TITLES, PROFILE_BAD},
        {"1/,0.1,0.2,0.3,0.4,a", PROFILE_TITLES, PROFILE_BAD},
        {"1,nan,0.2,0.3,0.4,a", PROFILE_TITLES, PROFILE_BAD},
        {"1,2,3,4", PROFILE_BLOCK, PROFILE_PEAK},
        {"1,2,3", PROFILE_BLOCK, PROFILE_BAD},
        {"1,2,3,4,5", PROFILE_BLOCK, PROFILE_BAD},
        {"1,-2,3,4", PROFILE_BLOCK, PROFILE_BAD},
    };
    struct profile_function function;
    struct psrecord_row peak;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(
            profile_csv_parse(cases[i].line, cases[i].state, &function, &peak),
            cases[i].want);
    profile_csv_parse("12/3,0.1,0.2,0.3,0.4,a,b", PROFILE_TITLES, &function,
                      &peak);
    assert_int_equal(function.calls, 12);
    assert_int_equal(function.primitive_calls, 3);
    assert_string_equal(function.name, "a,b");
}

static void
test_means(void **state)
{
    static const struct psrecord_row rows[] = {
        {.rss_mib = 10, .vms_mib = 20},
        {.elapsed_s = 1, .cpu_percent = 100, .rss_mib = 30, .vms_mib = 40},
        {.elapsed_s = 10, .cpu_percent = 10},
    };
    struct log_figures figures;
    double values[FIGURES];

    (void)state;
    assert_int_equal(log_figures_init(&figures), 0);
    log_figures_take(&figures, values);
    assert_false(isfinite(values[FIGURE_WALL]) != 0);
    log_figures_push(&figures, &rows[0]);
    log_figures_take(&figures, values);
    assert_false(isfinite(values[FIGURE_CPU_MEAN]) != 0);
    log_figures_push(&figures, &rows[1]);
    log_figures_push(&figures, &rows[2]);
    log_figures_take(&figures, values);
    log_figures_done(&figures);
    assert_int_equal((int)(values[FIGURE_CPU_MEAN] * 10 + 0.5), 190);
    assert_int_equal((int)(values[FIGURE_MEAN_RSS] / 1048576), 28);
    assert_int_equal((int)(values[FIGURE_PEAK_VMS] / 1048576), 40);
    assert_false(isfinite(values[FIGURE_CPU]) != 0);
}

static void
test_median(void **state)
{
    double values[] = {4, 1, 3, 2};

    (void)state;
    assert_int_equal((int)figures_median(values, 1), 4);
    assert_int_equal((int)(figures_median(values, 4) * 10), 25);
    assert_int_equal((int)figures_median(values, 3), 2);
    assert_int_equal(figures_find("peak_rss", 8), FIGURE_PEAK_RSS);
    assert_int_equal(figures_find("peak_rss", 7), FIGURES);
    assert_int_equal(figures_find("mean_rss", 8), FIGURES);
}

static void
test_markdown(void **state)
{
    static const struct {
        const char *text;
        const char *want;
    } cases[] = {
        {"memory_log.txt", "memory_log.txt"},
        {"_a_", "<code>&#95;a&#95;</code>"},
        {"a|b", "<code>a&#124;b</code>"},
        {"a\nb`", "<code>a&#63;b&#96;</code>"},
        {"<b>", "<code>&#60;b&#62;</code>"},
        {"www.x.y", "<code>www.x.y</code>"},
        {"at least 1.00 MiB (3)", "at least 1.00 MiB (3)"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        STRBUF_AUTO out = {0};

        markdown_text(&out, cases[i].text);
        assert_string_equal(strbuf_text(&out), cases[i].want);
    }
}

static const struct sheet_column columns[] = {
    {"name", "name", UNIT_TEXT, SHEET_ALONE},
    {"size_bytes", "size", UNIT_BYTES, SHEET_WITH_BOUNDS},
    {"upper_bytes", NULL, UNIT_BYTES, SHEET_ALONE},
    {"word", NULL, UNIT_TEXT, SHEET_ALONE},
    {"time_s", "time", UNIT_SECONDS, SHEET_ALONE},
};

static void
add(struct sheet *sheet, const char *name, double size, const char *word)
{
    sheet_text(sheet, name);
    sheet_number(sheet, size);
    sheet_number(sheet, size * 2);
    sheet_text(sheet, word);
    sheet_number(sheet, FIGURE_UNKNOWN);
}

static void
test_sheet(void **state)
{
    STRBUF_AUTO text = {0};
    STRBUF_AUTO csv = {0};
    struct sheet sheet;

    (void)state;
    sheet_init(&sheet, "rows", columns, COUNT_OF(columns));
    add(&sheet, "b", 1024, "at least");
    add(&sheet, "c,\033", FIGURE_UNKNOWN, NULL);
    add(&sheet, "a", 2048, "between");
    add(&sheet, "d", 1024, "exact");
    assert_int_equal(sheet_find(&sheet, "size"), 1);
    assert_int_equal(sheet_find(&sheet, "siz"), -1);
    assert_int_equal(sheet_sort(&sheet, 1), 0);
    sheet_append(&sheet, FORM_TEXT, &text);
    sheet_append(&sheet, FORM_CSV, &csv);
    sheet_done(&sheet);
    assert_string_equal(strbuf_text(&text),
                        "name                           size\n"
                        "a     between 2.00 KiB and 4.00 KiB\n"
                        "b                 at least 1.00 KiB\n"
                        "d                  1.00 KiB (exact)\n"
                        "c,?                               -\n");
    assert_string_equal(strbuf_text(&csv),
                        "name,size_bytes,upper_bytes,word,time_s\n"
                        "a,2048,4096,between,\n"
                        "b,1024,2048,at least,\n"
                        "d,1024,2048,exact,\n"
                        "\"c,?\",,,,\n");
}

static void
test_chart(void **state)
{
    static const double elapsed_s[] = {0, 1, 4};
    static const double bytes[] = {1048576, 5242880, 2097152};
    STRBUF_AUTO out = {0};

    (void)state;
    mermaid_chart(&out, "a\"b", UNIT_BYTES, elapsed_s, bytes, 1);
    assert_int_equal(out.size, 0);
    mermaid_chart(&out, "a\"b", UNIT_BYTES, elapsed_s, bytes, 3);
    assert_string_equal(strbuf_text(&out),
                        "```mermaid\n"
                        "%%{init: {\"themeVariables\": {\"xyChart\": "
                        "{\"plotColorPalette\": \"#0072B2\"}}}}%%\n"
                        "xychart-beta\n    title \"a_b, memory\"\n"
                        "    x-axis \"Time (s)\" 0 --> 4\n"
                        "    y-axis \"Memory (MiB)\" 0 --> 5\n"
                        "    line [1.00, 5.00, 5.00, 5.00, 2.00]\n```\n");
}

/* A person reads hours; the step is exact in them. */
static void
test_long_chart(void **state)
{
    static const double elapsed_s[] = {0, 7200, 18000};
    static const double percent[] = {0, 50, 99.999};
    STRBUF_AUTO out = {0};

    (void)state;
    mermaid_chart(&out, "a", UNIT_PERCENT, elapsed_s, percent, 3);
    assert_non_null(strstr(strbuf_text(&out), "\"Time (h)\" 0 --> 5\n"));
    assert_non_null(strstr(strbuf_text(&out), ", 100]\n"));
    assert_non_null(strstr(strbuf_text(&out), "title \"a, CPU\"\n"));
    assert_non_null(strstr(strbuf_text(&out), "\"#D55E00\""));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kind),     cmocka_unit_test(test_profile),
        cmocka_unit_test(test_means),    cmocka_unit_test(test_median),
        cmocka_unit_test(test_markdown), cmocka_unit_test(test_sheet),
        cmocka_unit_test(test_chart),    cmocka_unit_test(test_long_chart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
