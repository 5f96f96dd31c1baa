/* SPDX-License-Identifier: MIT */
/* Parts of reports: profiles, means, sheets, charts. */
#include <math.h>

#include "base/num.h"
#include "formats/log_figures.h"
#include "formats/profile_csv.h"
#include "unit.h"
#include "views/markdown.h"
#include "views/mermaid.h"
#include "views/sheet.h"

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
        {"3/12,0.1,0.2,0.3,0.4,a", PROFILE_TITLES, PROFILE_BAD},
        {"9223372036854775807,1,1,1,1,a", PROFILE_TITLES, PROFILE_FUNCTION},
        {"9223372036854775808,1,1,1,1,a", PROFILE_TITLES, PROFILE_BAD},
        {"1/9223372036854775808,1,1,1,1,a", PROFILE_TITLES, PROFILE_BAD},
        {"1,2,3,4", PROFILE_BLOCK, PROFILE_PEAK},
        {"1,2,3", PROFILE_BLOCK, PROFILE_BAD},
        {"1,2,3,4,5", PROFILE_BLOCK, PROFILE_BAD},
        {"1,-2,3,4", PROFILE_BLOCK, PROFILE_BAD},
    };
    struct profile_function function;
    struct psrecord_row peak;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
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
    struct run run;

    (void)state;
    run_init(&run);
    log_figures_init(&figures);
    assert_int_equal(log_figures_take(&figures, "a.txt", &run), 0);
    assert_int_equal(run.time.wall_ns, NUM_UNKNOWN);
    log_figures_push(&figures, &rows[0]);
    assert_int_equal(log_figures_take(&figures, "a.txt", &run), 0);
    assert_true(isnan(run.cpu.mean_percent));
    log_figures_push(&figures, &rows[1]);
    log_figures_push(&figures, &rows[2]);
    assert_int_equal(log_figures_take(&figures, "a.txt", &run), 0);
    log_figures_done(&figures);
    assert_float_equal(run.cpu.mean_percent, 19, 0.05);
    assert_int_equal(run.memory.mean_rss_bytes / NUM_MIB, 28);
    assert_int_equal(run.memory.peak_vms_bytes / NUM_MIB, 40);
    assert_int_equal(run.cpu.total_ns, NUM_UNKNOWN);
    assert_string_equal(run_name(&run), "a.txt");
    run_done(&run);
}

static void
test_median(void **state)
{
    double values[] = {4, 1, 3, 2};
    int at = run_field_find("peak_rss", 8);

    (void)state;
    assert_float_equal(num_median(values, 1), 4, 0);
    assert_float_equal(num_median(values, 4), 2.5, 0);
    assert_float_equal(num_median(values, 3), 2, 0);
    assert_ptr_equal(run_field_at((size_t)at),
                     RUN_FIELD(memory.peak_rss_bytes));
    assert_int_equal(run_field_find("peak_rss", 7), -1);
    assert_int_equal(run_field_find("mean_rss", 8), -1);
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
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        STRBUF_AUTO out = {0};

        markdown_text(&out, cases[i].text);
        assert_string_equal(strbuf_text(&out), cases[i].want);
    }
}

static const struct sheet_column columns[] = {
    {"name", "name", UNIT_TEXT, SHEET_ALONE, 0, NULL},
    {"size_bytes", "size", UNIT_BYTES, SHEET_WITH_BOUNDS, 0, NULL},
    {"upper_bytes", NULL, UNIT_BYTES, SHEET_ALONE, 0, NULL},
    {"word", NULL, UNIT_TEXT, SHEET_ALONE, 0, NULL},
    {"time_s", "time", UNIT_SECONDS, SHEET_ALONE, 0, NULL},
};

static void
add(struct sheet *sheet, const char *name, double size, const char *word)
{
    sheet_text(sheet, name);
    sheet_number(sheet, size);
    sheet_number(sheet, size * 2);
    sheet_text(sheet, word);
    sheet_number(sheet, (double)NAN);
}

static void
test_sheet(void **state)
{
    STRBUF_AUTO text = {0};
    STRBUF_AUTO csv = {0};
    struct sheet sheet;

    (void)state;
    sheet_init(&sheet, "rows", columns, ARRAY_SIZE(columns));
    add(&sheet, "b", 1024, "at least");
    add(&sheet, "c,\033", (double)NAN, NULL);
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
    int64_t elapsed_ns[] = {0, NUM_NS_PER_S, 4 * NUM_NS_PER_S};
    double bytes[] = {1048576, 5242880, 2097152};
    struct run_series series = {elapsed_ns, NULL, bytes, 1};
    STRBUF_AUTO out = {0};

    (void)state;
    mermaid_chart(&out, "a\"b", &series, false);
    assert_int_equal(out.size, 0);
    series.count = 3;
    mermaid_chart(&out, "a\"b", &series, false);
    assert_string_equal(strbuf_text(&out),
                        "```mermaid\n"
                        "%%{init: {\"themeVariables\": {\"xyChart\": "
                        "{\"plotColorPalette\": \"#0072B2\"}}}}%%\n"
                        "xychart-beta\n    title \"a_b, memory\"\n"
                        "    x-axis \"Time (s)\" 0 --> 4\n"
                        "    y-axis \"Memory (MiB)\" 0 --> 5\n"
                        "    line [1.00, 5.00, 5.00, 5.00, 2.00]\n```\n");
}

/* Times are in hours; ticks are round numbers of them. */
static void
test_long_chart(void **state)
{
    int64_t elapsed_ns[] = {0, 7200 * NUM_NS_PER_S, 18000 * NUM_NS_PER_S};
    double percent[] = {0, 50, 99.999};
    struct run_series series = {elapsed_ns, percent, NULL, 3};
    STRBUF_AUTO out = {0};

    (void)state;
    mermaid_chart(&out, "a", &series, true);
    assert_non_null(strstr(strbuf_text(&out), "\"Time (h)\" 0 --> 5\n"));
    assert_non_null(strstr(strbuf_text(&out), ", 100]\n"));
    assert_non_null(strstr(strbuf_text(&out), "title \"a, CPU\"\n"));
    assert_non_null(strstr(strbuf_text(&out), "\"#D55E00\""));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile),    cmocka_unit_test(test_means),
        cmocka_unit_test(test_median),     cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_sheet),      cmocka_unit_test(test_chart),
        cmocka_unit_test(test_long_chart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
