/* SPDX-License-Identifier: MIT */
/* Use by command, from recorded ticks. */
#include "commands/report_state.h"
#include "engine/accounts.h"
#include "engine/by_command.h"
#include "stage.h"
#include "views/closing_parts.h"

struct want {
    const char *command; /* NULL: by kind */
    enum command_kind kind;
    int64_t count;
    int64_t cpu_ms;
    int64_t largest_pages; /* NUM_UNKNOWN: not known */
    int64_t peak_pages;
};

static int64_t
pages_of(int64_t bytes)
{
    return bytes == NUM_UNKNOWN ? NUM_UNKNOWN : bytes / PAGES(1);
}

/* Checks the rows, and that they add up to total_ms. */
static void
check(const struct stage *stage, int64_t total_ms, const struct want *want,
      size_t count)
{
    struct run_by_command rows = {0};
    int64_t sum_ns = 0;

    assert_int_equal(
        by_command_summarize(&stage->sampler, MS(100), MS(total_ms), &rows), 0);
    for (size_t i = 0; i < rows.count; i++)
        sum_ns += rows.list[i].cpu_ns;
    assert_int_equal(sum_ns, MS(total_ms));
    assert_int_equal(rows.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct run_command_use *row = &rows.list[i];

        assert_int_equal(row->kind, want[i].kind);
        if (want[i].command != NULL)
            assert_string_equal(row->command, want[i].command);
        else
            assert_null(row->command);
        assert_int_equal(row->count, want[i].count);
        assert_int_equal(row->cpu_ns, MS(want[i].cpu_ms));
        assert_int_equal(pages_of(row->largest_rss_bytes),
                         want[i].largest_pages);
        assert_int_equal(pages_of(row->peak_rss_bytes), want[i].peak_pages);
    }
    run_by_command_reset(&rows);
}

/*
 * Two compilers at once, then a third; the root waits for them.  What they
 * used after their last sample, and a child that no pass saw, is unsampled.
 */
static void
test_groups(void **state)
{
    static const struct want want[] = {
        {"cc1", COMMAND_NAMED, 3, 90, 40, 70},
        {"make", COMMAND_NAMED, 1, 20, 10, 10},
        {NULL, COMMAND_UNSAMPLED, 0, 30, NUM_UNKNOWN, NUM_UNKNOWN},
    };
    struct stage *stage = *state;

    begin(stage,
          "tick\n100 clock=10 rss=10 code=5 args=/usr/bin/make,all\n"
          "101 ppid=100 clock=5 rss=30 code=9 args=/usr/lib/cc1,-I,.,a.c\n"
          "102 ppid=100 clock=5 rss=40 code=9 args=/usr/lib/cc1,b.c\n"
          "tick\n101 clock=40\n102 gone\n100 cutime=1\n"
          "103 ppid=100 clock=45 rss=35 code=9 args=/usr/lib/cc1,c.c\n"
          "tick\n100 clock=20 cutime=12\n101 gone\n103 gone\n");
    pass(stage);
    next(stage);
    next(stage);
    assert_int_equal(stage->recorded.cmdline_reads, 4); /* once each */
    check(stage, 140, want, ARRAY_SIZE(want));
}

/* A name is read again only after an exec, which shows in the code's size. */
static void
test_exec(void **state)
{
    static const struct want want[] = {
        {"python3 work.py", COMMAND_NAMED, 1, 60, 90, 90},
        {"sh", COMMAND_NAMED, 1, 40, 7, 7},
    };
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10 rss=7 code=3 args=sh,-c,secret\n"
                 "tick\n100 clock=20\ntick\n100 clock=40\n"
                 "tick\n100 clock=60 rss=90 code=8 args=python3,d/work.py,-x\n"
                 "tick\n100 clock=100\n");
    for (int i = 0; i < 5; i++)
        i == 0 ? pass(stage) : next(stage);
    assert_int_equal(stage->recorded.cmdline_reads, 2);
    check(stage, 100, want, ARRAY_SIZE(want));
}

/* A wrapper that has only exec'ed has never been there. */
static void
test_wrapper(void **state)
{
    static const struct want want[] = {
        {"work", COMMAND_NAMED, 1, 50, 9, 9},
    };
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=1 rss=3 code=3 args=env,work\n"
                 "tick\n100 clock=2 rss=9 code=4 args=work\n"
                 "tick\n100 clock=50\n");
    pass(stage);
    next(stage);
    next(stage);
    check(stage, 50, want, ARRAY_SIZE(want));
}

/*
 * A copy counts with its parent's command once it has proven to be a worker,
 * without a read; after its exec it has its own.
 */
static void
test_copies(void **state)
{
    static const struct want before[] = {
        {"serve", COMMAND_NAMED, 2, 25, 100, 190},
    };
    static const struct want after[] = {
        {"serve", COMMAND_NAMED, 2, 25, 100, 190},
        {"ls", COMMAND_NAMED, 1, 4, 3, 3},
    };
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10 rss=100 code=5 args=serve\n"
                 "101 ppid=100 clock=1 rss=90 code=5 flags=0x40 start=10010 "
                 "args=serve\n"
                 "tick\n101 clock=15\ntick\n"
                 "tick\n101 clock=19 rss=3 flags=0 args=ls,-l\n");
    pass(stage);
    next(stage);
    next(stage);
    check(stage, 25, before, ARRAY_SIZE(before));
    assert_int_equal(stage->recorded.cmdline_reads, 1);
    next(stage);
    check(stage, 29, after, ARRAY_SIZE(after));
}

/* Names with a parenthesis or an escape, and one that was written over. */
static void
test_hostile_names(void **state)
{
    static const struct want want[] = {
        {"a)b\v\033[1m", COMMAND_NAMED, 1, 30, 3, 3},
        {"x)Z", COMMAND_NAMED, 1, 20, 2, 2},
        {"r", COMMAND_NAMED, 1, 10, 1, 1},
    };
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=10 rss=1 args=r\n"
                 "101 ppid=100 clock=20 rss=2 name=x)Z args=\n"
                 "102 ppid=100 clock=30 rss=3 args=a)b\v\033[1m\n");
    pass(stage);
    check(stage, 60, want, ARRAY_SIZE(want));
}

/*
 * 1,000 commands, one after the other, of which one ran long: the table keeps
 * it and 63 more, all others are in one row, and nothing is lost.
 */
static void
test_many(void **state)
{
    struct stage *stage = *state;
    struct run_by_command rows = {0};
    STRBUF_AUTO script = {0};
    int64_t count = 0;
    int64_t sum_ns = 0;

    strbuf_puts(&script, "tick\n100 clock=10 rss=10 args=root\n"
                         "101 ppid=100 clock=500 rss=10 args=long\n");
    for (int i = 0; i < 1000; i++) {
        strbuf_puts(&script, "tick\n");
        if (i > 0)
            strbuf_printf(&script, "%d gone\n", 1000 + i - 1);
        strbuf_printf(&script, "%d ppid=100 clock=%d rss=%d args=c%d\n",
                      1000 + i, 1 + i % 7, 1 + i % 9, i);
        strbuf_printf(&script, "100 clock=%d\n", 11 + i);
    }
    begin(stage, strbuf_text(&script));
    pass(stage);
    for (int i = 0; i < 1000; i++)
        next(stage);
    assert_int_equal(by_command_summarize(&stage->sampler, 0, MS(10000), &rows),
                     0);
    assert_int_equal(rows.count, BY_COMMAND_MOST + 2);
    assert_string_equal(rows.list[0].command, "root");
    assert_string_equal(rows.list[1].command, "long");
    assert_int_equal(rows.list[BY_COMMAND_MOST].kind, COMMAND_OTHERS);
    assert_int_equal(rows.list[BY_COMMAND_MOST].largest_rss_bytes, PAGES(9));
    assert_int_equal(rows.list[BY_COMMAND_MOST].peak_rss_bytes, NUM_UNKNOWN);
    for (size_t i = 0; i < rows.count; i++) {
        count += rows.list[i].count;
        sum_ns += rows.list[i].cpu_ns;
        if (i > 0 && i < BY_COMMAND_MOST)
            assert_true(rows.list[i].cpu_ns <= rows.list[i - 1].cpu_ns);
    }
    assert_int_equal(count, 1002);
    assert_int_equal(sum_ns, MS(10000));
    assert_int_equal(stage->sampler.by_command.count, BY_COMMAND_ROOM);
    run_by_command_reset(&rows);
}

/* 300 commands at once: those beyond the table share a row. */
static void
test_full(void **state)
{
    struct stage *stage = *state;
    struct run_by_command rows = {0};
    STRBUF_AUTO script = {0};
    int64_t count = 0;

    strbuf_puts(&script, "tick\n100 clock=1 rss=10 args=root\n");
    for (int i = 0; i < 300; i++)
        strbuf_printf(&script, "%d ppid=100 clock=1 rss=10 args=c%d\n",
                      1000 + i, i);
    begin(stage, strbuf_text(&script));
    pass(stage);
    assert_int_equal(by_command_summarize(&stage->sampler, 0, MS(301), &rows),
                     0);
    for (size_t i = 0; i < rows.count; i++)
        count += rows.list[i].count;
    assert_int_equal(rows.count, BY_COMMAND_MOST + 1);
    assert_int_equal(count, 301);
    assert_int_equal(rows.list[BY_COMMAND_MOST].cpu_ns, MS(301 - 64));
    run_by_command_reset(&rows);
}

/* Of an attached tree only the use from now on counts. */
static void
test_attached(void **state)
{
    static const struct want want[] = {
        {"serve", COMMAND_NAMED, 1, 20, 10, 10},
    };
    struct stage *stage = *state;

    begin(stage, "tick\n100 clock=5000 rss=10 args=serve\n"
                 "tick\n100 clock=5020\n");
    pass(stage);
    sampler_take_bases(&stage->sampler);
    next(stage);
    check(stage, 20, want, ARRAY_SIZE(want));
}

/* What pmon reaps is named by its stat; two clocks may differ a little. */
static void
test_reaped(void **state)
{
    static const struct want want[] = {
        {"true", COMMAND_NAMED, 1, 8, NUM_UNKNOWN, NUM_UNKNOWN},
    };
    struct stage *stage = *state;
    struct rusage usage = {.ru_utime.tv_usec = 8000};
    struct accounts_zombie zombie;

    begin(stage, "tick\n100 clock=7 state=Z name=true\n");
    accounts_look_at_zombie(&stage->sampler, 100, &zombie);
    accounts_take_reaped(&stage->sampler, 100, &zombie, &usage);
    stage->sampler.by_command.list[BY_COMMAND_FIRST].cpu_ns += 500000;
    check(stage, 8, want, ARRAY_SIZE(want)); /* 7.5 ms are known */
    stage->sampler.by_command.list[BY_COMMAND_FIRST].cpu_ns += MS(1);
    check(stage, 8, want, ARRAY_SIZE(want)); /* 8.5 ms */
}

static void
test_closing(void **state)
{
    struct run_command_use list[] = {
        {COMMAND_NAMED, (char[]){"cc1"}, 118, MS(10200), 9, 84 * NUM_MIB, 0, 0},
        {COMMAND_NAMED, (char[]){"a\nb"}, 1, MS(2000), 9, NUM_UNKNOWN, 0, 0},
        {COMMAND_NAMED, (char[]){"as"}, 1, MS(1000), 9, NUM_MIB, 0, 0},
        {COMMAND_NAMED, (char[]){"ld"}, 1, MS(300), 9, NUM_MIB, 0, 0},
        {COMMAND_UNSAMPLED, NULL, 1, MS(200), 9, NUM_UNKNOWN, 0, 0},
    };
    struct run run = {.by_command = {list, 5}};
    STRBUF_AUTO out = {0};

    (void)state;
    closing_commands(&out, &run);
    assert_string_equal(strbuf_text(&out),
                        "118 \xC3\x97 cc1 10.2 s, 84.0 MiB; a?b 2.0 s; "
                        "as 1.0 s, 1.00 MiB; others 0.50 s");
    strbuf_reset(&out);
    run.by_command.list = list + 3; /* one, and what no sample saw */
    run.by_command.count = 2;
    closing_commands(&out, &run);
    assert_int_equal(out.size, 0);
}

/* One beyond those that are named has its own row; more are summed. */
static void
test_report(void **state)
{
    struct run_command_use list[] = {
        {COMMAND_NAMED, (char[]){"a"}, 1, MS(4), 4, 4, MS(5), MS(9)},
        {COMMAND_NAMED, (char[]){"b"}, 2, MS(3), 3, 3, MS(4), MS(9)},
        {COMMAND_NAMED, (char[]){"c"}, 3, MS(2), 6, 2, MS(3), MS(8)},
        {COMMAND_OTHERS, NULL, 4, MS(1), 5, NUM_UNKNOWN, MS(2), MS(7)},
        {COMMAND_UNSAMPLED, NULL, 5, MS(1), NUM_UNKNOWN, NUM_UNKNOWN,
         NUM_UNKNOWN, NUM_UNKNOWN},
    };
    struct run run = {.by_command = {list, 5}};
    struct sheet sheet;
    STRBUF_AUTO out = {0};

    (void)state;
    report_init_sheet(&sheet, REPORT_COMMANDS);
    report_add_commands(&sheet, &run, true, 1);
    assert_int_equal(sheet_rows(&sheet), 3); /* a, others, unsampled */
    assert_double_equal(sheet_cell(&sheet, 1, 6)->number, 2 + 3 + 4);
    assert_double_equal(sheet_cell(&sheet, 1, 7)->number, 0.006);
    assert_double_equal(sheet_cell(&sheet, 1, 8)->number, 6);
    assert_false(sheet_cell(&sheet, 1, 9)->is_known);
    assert_double_equal(sheet_cell(&sheet, 1, 10)->number, 0.002);
    assert_double_equal(sheet_cell(&sheet, 1, 11)->number, 0.009);
    assert_string_equal(sheet_cell(&sheet, 2, 5)->text, "(between samples)");
    sheet_done(&sheet);
    report_init_sheet(&sheet, REPORT_COMMANDS);
    report_add_commands(&sheet, &run, true, 3);
    assert_int_equal(sheet_rows(&sheet), 5);
    sheet_append(&sheet, FORM_TEXT, &out);
    assert_non_null(strstr(strbuf_text(&out), "(others)"));
    sheet_done(&sheet);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        STAGED(test_groups),
        STAGED(test_exec),
        STAGED(test_copies),
        STAGED(test_wrapper),
        STAGED(test_hostile_names),
        STAGED(test_many),
        STAGED(test_full),
        STAGED(test_attached),
        STAGED(test_reaped),
        cmocka_unit_test(test_closing),
        cmocka_unit_test(test_report),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
